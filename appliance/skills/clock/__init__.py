"""The clock: the time and the date, here and elsewhere, the days until another, and setting it."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Skill, SkillContext
from appliance.skills.clock.setting import ClockSetting
from appliance.skills.clock.tools import Timekeeper
from appliance.skills.schema import tool
from appliance.skills.written import Words, written


def phrases(language: str) -> dict[str, str]:
    """What it says of a clock that nothing has set, and once the owner sets it."""
    return written(Path(__file__).parent, "phrases", language)


def make(context: SkillContext) -> Skill:
    words = Words(Path(__file__).parent, context.settings.words.language)
    clock = Timekeeper(context.clock, context.settings.place, words.language)
    setting = ClockSetting(context.clock, context.set_clock, words.phrases, words.language)
    return Skill(
        "clock",
        tools=[tool(clock.get_time, "read")],
        commands=[tool(setting.set_clock, "act")],
        at_once=frozenset({"set_clock"}),
        guests=frozenset({"get_time"}),
        rank=10,
    )
