"""Help: what the box can do, told from the skills that are on and can work now."""

from __future__ import annotations

from appliance.ports import Skill, SkillContext
from appliance.skills.help.tools import Help
from appliance.skills.schema import tool


def make(context: SkillContext) -> Skill:
    return Skill("help", "", commands=[tool(Help(context.skills).help, "read")])
