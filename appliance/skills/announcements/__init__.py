"""Announcements: a text that is said aloud, to whoever is there, and not to the one who asks; on all boxes of the
house, or on those that are named."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.announcements.others import Others
from appliance.skills.announcements.tools import Announcements
from appliance.skills.named import NamedSentences
from appliance.skills.schema import tool
from appliance.skills.written import Words

TO = "to"


def make(context: SkillContext) -> Skill:
    folder, language = Path(__file__).parent, context.settings.words.language
    others = Others(context.bridge, context.settings.boxes)
    announcements = Announcements(context.announce, others, Words(folder, language))
    sentences = NamedSentences(folder, language, TO, others.spoken(language))
    return Skill(
        "announcements",
        tools=[tool(announcements.announce, "act")],
        commands=[tool(announcements.announce_on, "act")] if others.names else [],
        reads=sentences.read,
        known=lambda: others.names,
        verbatim=frozenset({"announce", "announce_on"}),
        rank=91,
    )
