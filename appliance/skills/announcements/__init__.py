"""Announcements: a text that is said aloud, to whoever is there, and not to the one who asks."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.announcements.tools import Announcements
from appliance.skills.schema import tool
from appliance.skills.written import Words


def make(context: SkillContext) -> Skill:
    words = Words(Path(__file__).parent, context.settings.words.language)
    announcements = Announcements(context.announce, words)
    return Skill(
        "announcements",
        tools=[tool(announcements.announce, "act")],
        verbatim=frozenset({"announce"}),
        rank=91,
    )
