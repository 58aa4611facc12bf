"""The clock: the time and the date, here and elsewhere, and the days until another."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.clock.tools import Timekeeper
from appliance.skills.schema import tool
from appliance.skills.written import written


def phrases(language: str) -> dict[str, str]:
    """What it says of a clock that nothing has set."""
    return written(Path(__file__).parent, "phrases", language)


def make(context: SkillContext) -> Skill:
    clock = Timekeeper(context.clock, context.settings.place, phrases(context.settings.words.language)["doubt"])
    return Skill(
        "clock",
        "tell the time and the date",
        tools=[tool(clock.get_time, "read")],
        guests=frozenset({"get_time"}),
        rank=10,
    )
