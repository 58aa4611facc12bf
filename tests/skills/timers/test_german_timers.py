"""Every answer about timers in German, where the box is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from appliance.errors import BadArgument, CannotBeDone
from appliance.simulated import HandSetClock, MemoryTimers
from appliance.skills.timers.countdowns import Timers
from appliance.skills.timers.tools import TimerTools


@pytest.fixture
def clock() -> HandSetClock:
    return HandSetClock(datetime(2026, 11, 27, 14, tzinfo=UTC))


@pytest.fixture
def tools(clock: HandSetClock) -> TimerTools:
    return TimerTools(Timers(MemoryTimers(), clock, 120), clock, language="de")


def test_all_that_a_timer_goes_through(tools: TimerTools, clock: HandSetClock) -> None:
    assert tools.list_timers() == "Du hast keine Timer."
    assert tools.set_timer(minutes=9, label="Nudeln") == "Timer für Nudeln auf 9 Minuten gestellt."
    assert tools.set_timer(hours=2) == "2 Stunden ab jetzt, bis 16 Uhr."
    assert tools.list_timers("nudeln") == "Der Nudeln-Timer läuft noch 9 Minuten."
    assert tools.pause_timer("nudeln") == "Der Nudeln-Timer ist angehalten, es bleiben 9 Minuten."
    assert tools.resume_timer("nudeln") == "Der Nudeln-Timer läuft weiter, noch 9 Minuten."
    assert tools.adjust_timer(minutes=1, label="nudeln") == "Der Nudeln-Timer hat jetzt noch 10 Minuten."
    assert tools.list_timers() == (
        "Du hast 2 Timer: der Nudeln-Timer läuft noch 10 Minuten und der Timer über 2 Stunden läuft noch 2 Stunden."
    )
    assert tools.cancel_timer("nudeln") == "Der Nudeln-Timer ist abgestellt."


def test_what_it_asks_and_refuses(tools: TimerTools) -> None:
    with pytest.raises(BadArgument, match=r"Wie lang soll der Timer sein\?"):
        tools.set_timer()
    with pytest.raises(CannotBeDone, match="Du hast keine Timer"):
        tools.cancel_timer("")
    tools.set_timer(minutes=5, label="Tee")
    tools.set_timer(minutes=7, label="Tee")
    with pytest.raises(BadArgument) as asked:
        tools.cancel_timer("tee")
    assert asked.value.what == (
        "Davon gibt es 2: der Tee-Timer, er läuft noch 5 Minuten und der Tee-Timer, er läuft noch 7 Minuten. Welcher?"
    )
    with pytest.raises(BadArgument, match=r"Einen Timer suppe gibt es nicht. Es gibt: der Tee-Timer"):
        tools.cancel_timer("suppe")


@pytest.mark.parametrize(
    ("called", "left"), [("den zweiten", ["Tee", "Ei"]), ("beide Tee-Timer", ["Ei"]), ("alle", [])]
)
def test_which_are_meant(tools: TimerTools, called: str, left: list[str]) -> None:
    for minutes, label in ((5, "Tee"), (7, "Tee"), (9, "Ei")):
        tools.set_timer(minutes=minutes, label=label)
    tools.cancel_timer(called)
    assert tools.running() == [f"{label}-Timer" for label in left]
