"""Alarms: at a time of day, once or again and again; they ring, over restarts and changes of the clocks too."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Rings, Skill, SkillContext
from appliance.skills.alarms.tools import AlarmTools
from appliance.skills.entry_words import EntryWords
from appliance.skills.schedule import Schedule
from appliance.skills.schema import tool


def make(context: SkillContext) -> Skill:
    words = EntryWords(context.clock, Path(__file__).parent, context.settings.words.language)
    schedule = Schedule(context.items("alarms"), context.clock, context.settings.voice.ring_max_s, words.again)
    tools = AlarmTools(schedule, context.clock, words, context.skills)
    return Skill(
        "alarms",
        "set alarms",
        tools=[
            tool(tools.set_alarm, "act"),
            tool(tools.cancel_alarm, "act", ready=tools.any),
            tool(tools.list_alarms, "read"),
            tool(tools.skip_next, "act", ready=tools.any),
        ],
        commands=[tool(tools.set_music_alarm, "act"), tool(tools.snooze, "act", ready=tools.rings)],
        rings=Rings(schedule, tools, plays=tools.plays),
        expected=tools.expected,
        rank=21,
    )
