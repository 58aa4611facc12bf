"""Help: what the box can do, told from the skills that are on and can work now."""

from __future__ import annotations

from appliance.ports import Skill, SkillContext
from appliance.skills.help.tools import Help
from appliance.skills.schema import tool


def make(context: SkillContext) -> Skill:
    box = Help(context.skills, context.last_heard, context.last_deed)
    return Skill("help", "", commands=[tool(each, "read") for each in (box.help, box.last_deed, box.last_heard)])
