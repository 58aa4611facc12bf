"""Timers on a board without a battery: the power goes, the clock comes back behind, and a time server sets it later.

The clock is the real one over a made-up board; the file in which it keeps the time, and the database, are real.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.boards import ClockSource
from appliance.body.clock import KEEP_S, SystemClock
from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers
from appliance.skills.timers.countdowns import Timers

SIX = datetime(2026, 3, 3, 18, 0, tzinfo=UTC)
RING_S = 120
STEP_S = 0.5
"""The loop looks at the timers at least so often (service/loop.py, LOOK_S)."""
MINUTE, HOUR = 60.0, 3_600.0


class Box:
    """On from the start, with a clock that a time server has set. Somebody stops each ring at once."""

    def __init__(self, folder: Path, begin: datetime = SIX) -> None:
        self.folder = folder
        self.real, self.up_s, self.wrong = begin, 0.0, timedelta()
        """What time it is, how long it is on, and by how much its clock is wrong."""
        self.source = ClockSource.NETWORK
        self.rang, self.told = list[tuple[str, datetime]](), list[str]()
        self.on()

    def on(self) -> None:
        self.store = Store(self.folder / "box.db")
        zone, kept = ZoneInfo("Europe/Berlin"), self.folder / "clock"
        self.clock = SystemClock(zone, kept, lambda floor: self.source, self.shown_s, lambda: self.up_s)
        self.timers = Timers(SqliteTimers(self.store), self.clock, RING_S)
        self.look()

    def shown_s(self) -> float:
        return (self.real + self.wrong).timestamp()

    def look(self) -> None:
        """What the loop does each round."""
        self.clock.keep()
        for timer in self.timers.due():
            self.rang.append((timer.label, self.real))
            self.timers.done(timer)
        for timer in self.timers.missed():
            self.told.append(timer.label)
            self.timers.done(timer)

    def passes(self, seconds: float) -> None:
        left = seconds
        while left > 0:
            step = min(left, STEP_S)
            self.real, self.up_s, left = self.real + timedelta(seconds=step), self.up_s + step, left - step
            self.look()

    def cut(self, off_s: float, behind_s: float) -> None:
        """No power for so long. Its clock then stands so far before the moment of the cut."""
        self.store.close()
        self.wrong -= timedelta(seconds=off_s + behind_s)
        self.real, self.up_s, self.source = self.real + timedelta(seconds=off_s), 0.0, ClockSource.NONE
        self.on()

    def restart(self) -> None:
        """Of the service alone."""
        self.store.close()
        self.on()

    def is_set(self) -> None:
        """A time server answers."""
        self.wrong, self.source = timedelta(), ClockSource.NETWORK

    def stored(self) -> list[datetime]:
        return [timer.due for timer in SqliteTimers(self.store).all()]

    def rang_late(self) -> float:
        """Seconds after the due of the only timer there was."""
        ((_, at),) = self.rang
        assert self.told == []
        return (at - self.due).total_seconds()

    def add(self, label: str, seconds: float) -> None:
        self.timers.add(label, seconds)
        self.due = self.real + timedelta(seconds=seconds)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    made = Box(tmp_path)
    yield made
    made.store.close()


def test_what_ended_while_the_power_was_off_is_told_once_the_clock_is_set(box: Box) -> None:
    """18:00 pasta for 10 minutes, 18:01 no power for 30 minutes, a clock that is behind, 20 s later the time server."""
    box.add("pasta", 10 * MINUTE)
    box.passes(MINUTE)
    box.cut(30 * MINUTE, behind_s=25 * MINUTE)
    box.passes(20)
    assert (box.stored(), box.rang, box.told) == ([box.due], [], [])
    box.is_set()
    box.passes(HOUR)
    assert (box.rang, box.told) == ([], ["pasta"])


def test_what_has_not_ended_rings_on_time_once_the_clock_is_set(box: Box) -> None:
    box.add("bread", HOUR)
    box.passes(MINUTE)
    box.cut(30 * MINUTE, behind_s=25 * MINUTE)
    box.passes(20)
    box.is_set()
    box.passes(HOUR)
    assert 0 <= box.rang_late() <= 1


def test_without_any_time_server_it_rings_late_by_the_cut_rather_than_never(box: Box) -> None:
    box.add("pasta", 10 * MINUTE)
    box.passes(4 * MINUTE)
    box.cut(30 * MINUTE, behind_s=HOUR)
    box.passes(HOUR)
    assert 30 * MINUTE <= box.rang_late() <= 30 * MINUTE + KEEP_S + 1, "and by the minute since the last note"


def test_a_ring_by_the_estimate_is_the_only_one(box: Box) -> None:
    box.add("pasta", 2 * MINUTE)
    box.passes(MINUTE)
    box.cut(30 * MINUTE, behind_s=HOUR)
    box.passes(5 * MINUTE)
    assert box.rang_late() > 0
    box.is_set()
    box.passes(MINUTE)
    box.restart()
    assert (len(box.rang), box.told) == (1, [])


def test_what_is_set_before_the_clock_is_rings_by_its_length(box: Box) -> None:
    box.cut(30 * MINUTE, behind_s=HOUR)
    box.add("egg", 5 * MINUTE)
    box.passes(MINUTE)
    box.is_set()
    box.passes(MINUTE)
    assert abs(box.stored()[0] - box.due) < timedelta(seconds=1)
    box.restart()
    box.passes(5 * MINUTE)
    assert 0 <= box.rang_late() <= 1


@pytest.mark.parametrize("is_set", [False, True])
def test_what_was_set_by_a_wrong_clock_outlives_the_next_cut(box: Box, is_set: bool) -> None:
    """Its due is one of the wrong clock: by the right one it would have been over for half an hour."""
    box.cut(30 * MINUTE, behind_s=HOUR)
    box.add("egg", 5 * MINUTE)
    box.passes(2 * MINUTE)
    box.cut(10, behind_s=10)
    if is_set:
        box.is_set()
        box.restart()
    box.passes(10 * MINUTE)
    assert 10 <= box.rang_late() <= 10 + KEEP_S + 1


def test_a_restart_before_the_clock_is_set_costs_a_timer_nothing(box: Box) -> None:
    box.cut(30 * MINUTE, behind_s=HOUR)
    box.add("egg", 5 * MINUTE)
    for _ in range(4):
        box.passes(50)
        box.restart()
    box.passes(5 * MINUTE)
    assert 0 <= box.rang_late() <= 1


def test_a_timer_paused_by_a_wrong_clock_keeps_what_was_left(box: Box) -> None:
    box.add("stew", HOUR)
    box.passes(MINUTE)
    box.cut(30 * MINUTE, behind_s=HOUR)
    paused = box.timers.pause(box.timers.all()[0])
    box.is_set()
    box.passes(MINUTE)
    assert box.timers.left(paused) == pytest.approx(HOUR - MINUTE, abs=KEEP_S + 1)
    box.timers.resume(box.timers.all()[0])
    assert box.timers.next_due_in() == pytest.approx(HOUR - MINUTE, abs=KEEP_S + 1)


def test_owner_who_sets_a_trusted_clock_moves_no_countdown(box: Box) -> None:
    box.add("egg", 5 * MINUTE)
    box.wrong = timedelta(hours=3)
    box.passes(MINUTE)
    box.restart()
    box.passes(5 * MINUTE)
    assert 0 <= box.rang_late() <= 1


class Fate:
    """What is known of a timer from outside: when it is over, and what happened to the box meanwhile."""

    def __init__(self, due: datetime) -> None:
        self.due = due
        self.cut = False
        self.due_lost = False
        """There was a cut while what was on disk was not the real time."""
        self.known_at_due = False
        """The box was on then, with the right time."""


class Story:
    """A box to which anything happens, and the fates of its timers."""

    def __init__(self, folder: Path, begin: datetime) -> None:
        self.box, self.fates = Box(folder, begin), dict[str, Fate]()

    def add(self, seconds: float) -> None:
        label = f"timer {len(self.fates)}"
        self.box.add(label, seconds)
        self.fates[label] = Fate(self.box.due)

    def passes(self, seconds: float) -> None:
        before = self.box.real
        self.box.passes(seconds)
        for fate in self.fates.values():
            if before < fate.due <= self.box.real:
                fate.known_at_due = self.knows

    def cut(self, off_s: float, behind_s: float) -> None:
        right = {timer.label for timer in SqliteTimers(self.box.store).all() if timer.due_trusted}
        for label, fate in self.fates.items():
            fate.cut = True
            fate.due_lost = fate.due_lost or label not in right or (self.is_trusted and not self.knows)
        self.box.cut(off_s, behind_s)

    def is_set(self) -> None:
        self.box.is_set()
        self.box.look()

    def jumps(self, seconds: float) -> None:
        """Somebody sets a clock wrong that was right."""
        if self.is_trusted:
            self.box.wrong += timedelta(seconds=seconds)
            self.box.look()

    def restart(self) -> None:
        self.box.restart()

    @property
    def is_trusted(self) -> bool:
        return self.box.source is not ClockSource.NONE

    @property
    def knows(self) -> bool:
        return self.is_trusted and not self.box.wrong


Happens = Callable[[Story], None]
SECONDS = st.integers(1, 400)
HAPPENS: st.SearchStrategy[Happens] = st.one_of(
    SECONDS.map(lambda seconds: partial(Story.add, seconds=seconds)),
    SECONDS.map(lambda seconds: partial(Story.passes, seconds=seconds)),
    st.builds(lambda off_s, behind_s: partial(Story.cut, off_s=off_s, behind_s=behind_s), SECONDS, SECONDS),
    st.just(Story.is_set),
    st.integers(-7_200, 7_200).map(lambda seconds: partial(Story.jumps, seconds=seconds)),
    st.just(Story.restart),
)
BEGINS = [SIX, datetime(2026, 3, 29, 0, 57, tzinfo=UTC), datetime(2026, 10, 25, 0, 57, tzinfo=UTC)]
"""An evening, and the nights when the clocks change in Berlin: at 01:00 UTC."""


@given(begin=st.sampled_from(BEGINS), happens=st.lists(HAPPENS, min_size=3, max_size=10))
@settings(max_examples=50)
def test_every_timer_rings_once_on_time_or_is_told_once(begin: datetime, happens: list[Happens]) -> None:
    with TemporaryDirectory() as folder:
        story = Story(Path(folder), begin)
        try:
            story.add(300)
            for each in happens:
                each(story)
            story.is_set()
            story.passes(500)
        finally:
            story.box.store.close()
    rang = dict(story.box.rang)
    assert Counter([*rang, *story.box.told]) == Counter(story.fates.keys()), "each once"
    assert len(rang) == len(story.box.rang)
    for label, fate in story.fates.items():
        late_s = (rang[label] - fate.due).total_seconds() if label in rang else None
        if not fate.cut or (fate.known_at_due and not fate.due_lost):
            assert late_s is not None, "there was nothing to keep it from ringing"
            assert abs(late_s) <= 1
        elif not fate.due_lost:
            assert late_s is None or late_s >= -1, "never before its time"
