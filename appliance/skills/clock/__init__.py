"""The clock: the time and the date, here and elsewhere, and the days until another."""

from __future__ import annotations

from appliance.ports import Skill, SkillContext
from appliance.skills.clock.tools import Timekeeper
from appliance.skills.schema import tool


def make(context: SkillContext) -> Skill:
    clock = Timekeeper(context.clock, context.settings.place)
    return Skill(
        "clock",
        "tell the time and the date",
        tools=[tool(clock.get_time, "read")],
        guests=frozenset({"get_time"}),
        rank=10,
    )
