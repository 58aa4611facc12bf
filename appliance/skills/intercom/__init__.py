"""Calls: what is said at this box is heard at another one of the house, and the other way round, once somebody there
takes the call (service/calls.py)."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.intercom.tools import Intercom
from appliance.skills.named import NamedSentences
from appliance.skills.schema import tool
from appliance.skills.written import Words

TO = "to"


def make(context: SkillContext) -> Skill:
    folder, language = Path(__file__).parent, context.settings.words.language
    names = tuple(context.settings.boxes.others) if context.bridge else ()
    words = Words(folder, language)
    intercom = Intercom(context.calls, names, words)
    sentences = NamedSentences(folder, language, TO, names)
    return Skill(
        "intercom",
        commands=[tool(intercom.call_box, "act"), tool(intercom.hang_up, "act")],
        reads=sentences.read,
        needs="other boxes of the house",
        missing=lambda: "" if names else words.say("nobody"),
        at_once=frozenset({"call_box", "hang_up"}),
        of_body=frozenset({"call_box", "hang_up"}),
    )
