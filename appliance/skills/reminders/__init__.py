"""Reminders: a sentence that is said at its time, until somebody heard it."""

from __future__ import annotations

from pathlib import Path

from appliance.ports import Rings, Skill, SkillContext
from appliance.skills.entry_words import EntryWords
from appliance.skills.reminders.tools import ReminderTools
from appliance.skills.schedule import Schedule
from appliance.skills.schema import tool


def make(context: SkillContext) -> Skill:
    words = EntryWords(context.clock, Path(__file__).parent, context.settings.words.language)
    schedule = Schedule(context.items("reminders"), context.clock, context.settings.voice.ring_max_s, words.again)
    tools = ReminderTools(schedule, context.clock, words)
    return Skill(
        "reminders",
        "remind you of things",
        tools=[
            tool(tools.add_reminder, "act"),
            tool(tools.cancel_reminder, "act", ready=tools.any),
            tool(tools.list_reminders, "read"),
        ],
        rings=Rings(schedule, tools),
        rank=22,
    )
