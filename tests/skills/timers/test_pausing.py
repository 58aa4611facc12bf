"""A paused timer: it waits, on disk, and runs on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.errors import BadArgument, CannotBeDone
from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers
from appliance.ports import Timer, TimerStore
from appliance.simulated import HandSetClock, MemoryTimers
from appliance.skills.timers.countdowns import Timers
from appliance.skills.timers.tools import TimerTools

START = datetime(2026, 2, 3, 9, 0, tzinfo=UTC)
RING_S = 120


class Box:
    def __init__(self, disk: TimerStore) -> None:
        self.clock, self.disk = HandSetClock(START), disk
        self.restart()

    def restart(self) -> None:
        self.timers = Timers(self.disk, self.clock, RING_S)
        self.tools = TimerTools(self.timers, self.clock)


@pytest.fixture(params=["memory", "sqlite"])
def box(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Box]:
    if request.param == "memory":
        yield Box(MemoryTimers())
        return
    with Store(tmp_path / "box.db") as store:
        yield Box(SqliteTimers(store))


def test_it_does_not_ring_and_runs_on_with_what_was_left(box: Box) -> None:
    box.tools.set_timer(minutes=10, label="stew")
    box.clock.pass_time(240)
    assert box.tools.pause_timer("stew") == "The stew timer is paused with 6 minutes left."
    box.clock.pass_time(3_600)
    assert box.timers.due() == []
    assert box.timers.next_due_in() is None
    assert box.tools.resume_timer("stew") == "The stew timer runs and has 6 minutes left."
    box.clock.pass_time(359)
    assert box.timers.due() == []
    box.clock.pass_time(1)
    assert [timer.label for timer in box.timers.due()] == ["stew"]


def test_it_is_listed_as_paused(box: Box) -> None:
    box.tools.set_timer(minutes=10, label="stew")
    box.tools.set_timer(minutes=20, label="rolls")
    box.tools.pause_timer("rolls")
    told = "You have 2 timers: the stew timer has 10 minutes left and the rolls timer is paused with 20 minutes left."
    assert box.tools.list_timers() == told
    assert box.tools.list_timers("rolls") == "The rolls timer is paused with 20 minutes left."


def test_of_many_the_soonest_are_told(box: Box) -> None:
    for minutes in range(7, 0, -1):
        box.tools.set_timer(minutes=minutes * 10, label=f"pan {minutes}")
    told = box.tools.list_timers()
    assert told.startswith("You have 7 timers: the pan 1 timer")
    assert "pan 5" in told
    assert told.endswith(" and 2 more.")


@pytest.mark.parametrize("jump_s", [0, 86_400])
def test_it_stays_paused_over_a_restart(box: Box, jump_s: float) -> None:
    box.tools.set_timer(minutes=10, label="stew")
    box.tools.pause_timer()
    box.clock.pass_time(60 + jump_s)
    box.restart()
    assert box.timers.missed() == []
    assert box.timers.due() == []
    box.tools.resume_timer()
    box.restart()
    assert box.timers.next_due_in() == pytest.approx(600)


def test_the_wall_clock_moves_none_that_is_paused(box: Box) -> None:
    box.tools.set_timer(minutes=10)
    box.tools.pause_timer()
    box.clock.set(datetime(2030, 1, 1, tzinfo=UTC))
    assert box.timers.due() == []
    box.restart()
    assert [timer.paused_s for timer in box.timers.all()] == [pytest.approx(600)]


def test_time_is_added_to_a_paused_one_and_it_stays_so(box: Box) -> None:
    box.tools.set_timer(minutes=10, label="stew")
    box.tools.pause_timer()
    box.tools.adjust_timer(minutes=5, label="stew")
    assert box.tools.list_timers() == "The stew timer is paused with 15 minutes left."
    box.restart()
    assert box.tools.list_timers() == "The stew timer is paused with 15 minutes left."


def test_without_a_name_the_one_that_runs_is_paused_and_the_one_that_waits_resumed(box: Box) -> None:
    box.tools.set_timer(minutes=10, label="stew")
    box.tools.set_timer(minutes=20, label="rolls")
    box.tools.pause_timer("stew")
    assert box.tools.pause_timer() == "The rolls timer is paused with 20 minutes left."
    box.tools.resume_timer("rolls")
    assert box.tools.resume_timer() == "The stew timer runs and has 10 minutes left."


def test_with_several_that_run_it_asks_which(box: Box) -> None:
    box.tools.set_timer(minutes=10, label="stew")
    box.tools.set_timer(minutes=20, label="rolls")
    with pytest.raises(BadArgument, match="Which one"):
        box.tools.pause_timer()


def test_one_that_is_paused_twice_keeps_what_is_left(box: Box) -> None:
    box.tools.set_timer(minutes=10, label="stew")
    box.tools.pause_timer("stew")
    box.clock.pass_time(60)
    assert box.tools.pause_timer("stew") == "The stew timer is paused with 10 minutes left."


def test_it_can_be_cancelled(box: Box) -> None:
    box.tools.set_timer(minutes=10, label="stew")
    box.tools.pause_timer()
    box.tools.cancel_timer("stew")
    box.restart()
    assert box.timers.all() == []


def test_without_timers_there_is_nothing_to_pause(box: Box) -> None:
    with pytest.raises(CannotBeDone, match="no timers"):
        box.tools.pause_timer()


def test_one_that_rings_cannot_be_paused(box: Box) -> None:
    box.tools.set_timer(minutes=1)
    box.clock.pass_time(60)
    box.timers.due()
    assert box.tools.pause_timer() == "The 1 minute timer has ended."
    assert len(box.timers.ringing()) == 1


class CountedWrites(MemoryTimers):
    """With the writes that changed anything, by name."""

    def __init__(self) -> None:
        super().__init__()
        self.writes = list[str]()

    def add(
        self, label: str, seconds: float, due: datetime, due_trusted: bool = True, paused_s: float | None = None
    ) -> Timer:
        self.writes.append("add")
        return super().add(label, seconds, due, due_trusted, paused_s)

    def pause(self, timer_id: int, left_s: float) -> None:
        self.writes.append("pause")
        super().pause(timer_id, left_s)


def test_a_paused_one_comes_back_paused_in_one_write() -> None:
    """In two, a power cut between them would let it run."""
    box = Box(disk := CountedWrites())
    box.tools.set_timer(minutes=10, label="stew")
    box.tools.pause_timer("stew")
    (stew,) = box.timers.all()
    box.timers.done(stew)
    disk.writes.clear()
    again = box.timers.again(stew, 600)
    assert disk.writes == ["add"]
    assert again.paused_s == 600


def test_one_that_came_back_is_paused_after_a_restart(box: Box) -> None:
    box.tools.set_timer(minutes=10, label="stew")
    box.clock.pass_time(240)
    box.tools.pause_timer("stew")
    (stew,) = box.timers.all()
    box.timers.done(stew)
    box.timers.again(stew, box.timers.left(stew) or 360)
    box.restart()
    (found,) = box.timers.all()
    assert (found.label, found.paused_s) == ("stew", 360)
