"""Help: what the box can do, told from the skills that are on and can work now; what it did and heard, and undo."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.help.tools import Help
from appliance.skills.schema import tool
from appliance.skills.written import Words


def make(context: SkillContext) -> Skill:
    words = Words(Path(__file__).parent, context.settings.words.language)
    box = Help(context.skills, context.last_heard, context.ledger, words)
    return Skill(
        "help",
        commands=[
            *(tool(each, "read") for each in (box.help, box.last_deed, box.last_heard)),
            tool(box.undo, "act"),
        ],
        at_once=frozenset({"undo"}),
    )
