"""Alarms and reminders through whole turns: what is asked, and what the answer to it makes of it."""

from __future__ import annotations

from rig import NOW, Rig

from appliance.simulated import HandSetClock, skill_context
from appliance.skills.loader import load


def box() -> Rig:
    skills = load(skill_context(clock=HandSetClock(NOW)))
    tools = [tool for skill in skills.on if skill.name in ("alarms", "reminders") for tool in skill.tools]
    return Rig(more_tools=tools, parts={"asks": skills.asks})


def said(rig: Rig, line: str) -> str:
    return rig.say(line).said


def test_a_day_without_a_time_is_asked_for_the_time_and_keeps_the_day() -> None:
    rig = box()
    assert said(rig, "set an alarm for Thursday") == "At what time?"
    assert "on Thursday" in said(rig, "eight in the morning")


def test_a_reminder_is_asked_when_and_keeps_what() -> None:
    rig = box()
    assert said(rig, "remind me to oil the gate") == "When?"
    assert said(rig, "tomorrow at nine in the morning") == "I will remind you tomorrow at 9 AM to oil the gate."


def test_a_timer_for_a_time_of_day_is_an_alarm() -> None:
    rig = box()
    turn = rig.say("set a timer for half past six")
    assert [step.tool for step in turn.steps] == ["set_alarm"]
    assert "6:30" in turn.said
