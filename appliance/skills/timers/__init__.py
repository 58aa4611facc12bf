"""Timers: countdowns with or without a name, as many as a kitchen needs; they ring, over restarts too."""

from __future__ import annotations

from appliance.ports import Pausable, Rings, Skill, SkillContext
from appliance.skills.schema import tool
from appliance.skills.timers.countdowns import Timers
from appliance.skills.timers.tools import TimerTools


def make(context: SkillContext) -> Skill:
    timers = Timers(context.timers, context.clock, context.settings.voice.ring_max_s)
    tools = TimerTools(timers, context.clock, context.sound_of, context.settings.words.language)
    return Skill(
        "timers",
        tools=[
            tool(tools.set_timer, "act"),
            tool(tools.adjust_timer, "act", ready=tools.any),
            tool(tools.list_timers, "read"),
            tool(tools.cancel_timer, "act", ready=tools.any),
        ],
        commands=[
            tool(tools.pause_timer, "act", ready=tools.any),
            tool(tools.resume_timer, "act", ready=tools.any),
        ],
        pausable=Pausable(tools.pausable, tools.any_runs, tools.any_paused, tools.pause_timer, tools.resume_timer),
        rings=Rings(timers, tools, tools.running),
        rank=20,
    )
