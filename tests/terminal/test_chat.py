"""Timers in writing, where nothing rings: told once, then done with."""

from __future__ import annotations

from datetime import UTC, datetime

from nobody import Nobody

from appliance.reply.conversation import Conversation
from appliance.simulated import HandSetClock, MemoryFacts, MemoryTimers
from appliance.skills.timers.countdowns import Timers
from appliance.skills.timers.tools import TimerTools
from appliance.terminal.chat import Console
from appliance.tts.text import TextMouth

RING_S = 120


class Desk:
    """A console that is started anew for each command, over a disk that stays."""

    def __init__(self) -> None:
        self.clock, self.disk = HandSetClock(datetime(2026, 5, 4, 7, 30, tzinfo=UTC)), MemoryTimers()

    def console(self) -> Console:
        self.timers = Timers(self.disk, self.clock, RING_S)
        tools, dialogue = TimerTools(self.timers, self.clock), Conversation(gap_s=300, results_kept=1)
        return Console(Nobody(), dialogue, self.timers, tools, self.clock, MemoryFacts(), TextMouth)


def test_what_ended_between_two_commands_is_told_once() -> None:
    desk = Desk()
    desk.console()
    desk.timers.add("tea", 300)
    desk.timers.add("egg", 590)
    desk.clock.pass_time(600)
    console = desk.console()
    assert [record.said for record in console.ring_due()] == [
        "While nobody could hear me, your tea timer ended at 7:35 AM.",
        "Your egg timer is done.",
    ]
    assert (console.ring_due(), desk.disk.all()) == ([], [])


def test_forgotten_timers_are_gone_also_where_they_were_missed() -> None:
    desk = Desk()
    desk.console()
    desk.timers.add("tea", 300)
    desk.clock.pass_time(600)
    desk.console().forget_timers()
    assert desk.disk.all() == []
