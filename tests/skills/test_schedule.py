"""Alarms by the clock on the wall: over clock changes, restarts, a clock that was wrong, and a disk that refuses."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from appliance.errors import StoreUnusable
from appliance.memory.items import SqliteItems
from appliance.memory.store import Store
from appliance.simulated import HandSetClock, RefusingItems
from appliance.skills.due import Due
from appliance.skills.entries import Entry
from appliance.skills.schedule import Schedule
from bench.alarm_days import World

BERLIN = ZoneInfo("Europe/Berlin")
DAYS = 300
WEEKDAYS = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=7;BYMINUTE=0"
FRIDAY = datetime(2026, 3, 27, 12, 0, tzinfo=BERLIN)
"""Two days later the clocks go forward."""
AT_SEVEN = datetime(2026, 3, 30, 7, 0)


class Room:
    """A box with a disk that outlives it."""

    def __init__(self, now: datetime = FRIDAY) -> None:
        self.clock, self.disk = HandSetClock(now), RefusingItems()
        self.start()

    def start(self) -> None:
        self.schedule = Schedule(self.disk, self.clock, 120, lambda said, then: None)

    def off_for(self, **length: float) -> None:
        self.clock.pass_time(timedelta(**length).total_seconds())
        self.start()

    def ring(self) -> list[str]:
        """What is due, stopped at once."""
        due = self.schedule.due()
        self.schedule.done(*due)
        return [entry.text for entry in due]

    def next(self) -> datetime:
        return self.schedule.moment(self.schedule.all()[0])

    def missed(self) -> list[tuple[str, datetime]]:
        return [(entry.text, self.schedule.moment(entry)) for entry in self.schedule.missed()]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_over_many_days_each_rings_once_or_is_told_once(seed: int) -> None:
    world = World(seed)
    world.live(DAYS)
    assert min(world.seen.values()) > 50


def test_seven_stays_seven_when_the_clocks_change() -> None:
    room = Room()
    room.schedule.add("work", Due(AT_SEVEN, WEEKDAYS, AT_SEVEN))
    assert room.schedule.next_due_in() == timedelta(days=2, hours=18).total_seconds()  # of 2 days and 19 hours
    room.clock.pass_time(room.schedule.next_due_in() or 0)
    assert room.ring() == ["work"]
    assert room.next() == datetime(2026, 3, 31, 7, 0, tzinfo=BERLIN)


def test_it_is_by_the_clocks_of_the_zone_to_which_the_box_goes() -> None:
    room = Room()
    room.schedule.add("work", Due(AT_SEVEN, WEEKDAYS, AT_SEVEN))
    room.clock.set(room.clock.now().astimezone(ZoneInfo("America/New_York")))
    assert room.next() == datetime(2026, 3, 30, 7, 0, tzinfo=ZoneInfo("America/New_York"))


def test_the_night_in_which_its_time_is_skipped_has_one_too() -> None:
    room = Room(datetime(2026, 3, 28, 12, 0, tzinfo=BERLIN))
    night = "FREQ=DAILY;BYHOUR=2;BYMINUTE=30"
    room.schedule.add("pills", Due(datetime(2026, 3, 29, 2, 30), night, datetime(2026, 3, 29, 2, 30)))
    assert room.next() == datetime(2026, 3, 29, 3, 0, tzinfo=BERLIN)
    room.clock.pass_time(room.schedule.next_due_in() or 0)
    assert room.ring() == ["pills"]
    assert room.next() == datetime(2026, 3, 30, 2, 30, tzinfo=BERLIN)


def test_what_was_missed_while_the_box_was_off_is_told_in_one_and_goes_on() -> None:
    room = Room()
    room.schedule.add("work", Due(AT_SEVEN, WEEKDAYS, AT_SEVEN))
    room.off_for(days=6)
    assert room.schedule.due() == []
    assert room.missed() == [("work", datetime(2026, 4, 2, 7, 0, tzinfo=BERLIN))]
    [told] = room.schedule.missed()
    assert told.missed_from == AT_SEVEN
    room.start()
    room.schedule.done(*room.schedule.missed())
    assert room.missed() == []
    assert room.next() == datetime(2026, 4, 3, 7, 0, tzinfo=BERLIN)


def test_a_short_cut_makes_it_late_and_not_missed() -> None:
    room = Room()
    room.schedule.add("", Due(datetime(2026, 3, 27, 12, 1)))
    room.off_for(seconds=100)
    assert room.ring() == [""]
    assert room.schedule.all() == []


def test_a_cut_while_it_rings_makes_it_ring_again() -> None:
    room = Room()
    room.schedule.add("", Due(datetime(2026, 3, 27, 12, 1)))
    room.clock.pass_time(60)
    assert len(room.schedule.due()) == 1
    room.off_for(seconds=30)
    assert room.ring() == [""]


def test_done_twice_leaves_out_no_occurrence() -> None:
    room = Room()
    room.schedule.add("work", Due(AT_SEVEN, WEEKDAYS, AT_SEVEN))
    room.clock.pass_time(room.schedule.next_due_in() or 0)
    due = room.schedule.due()
    room.schedule.done(*due)
    room.schedule.done(*due)
    assert room.next() == datetime(2026, 3, 31, 7, 0, tzinfo=BERLIN)


def test_one_that_rang_in_vain_twice_is_told_once_of_both() -> None:
    room = Room()
    room.schedule.add("work", Due(AT_SEVEN, WEEKDAYS, AT_SEVEN))
    for _ in range(2):
        room.clock.pass_time(room.schedule.next_due_in() or 0)
        room.schedule.miss(*room.schedule.due(), rang=True)
    [told] = room.schedule.missed()
    assert (told.missed_from, told.due.at, told.rang) == (AT_SEVEN, datetime(2026, 3, 31, 7, 0), True)


def test_what_was_missed_while_it_was_being_told_is_told_too() -> None:
    room = Room()
    room.schedule.add("work", Due(AT_SEVEN, WEEKDAYS, AT_SEVEN))
    room.clock.pass_time(room.schedule.next_due_in() or 0)
    room.schedule.miss(*room.schedule.due(), rang=True)
    told = room.schedule.missed()
    room.clock.pass_time(room.schedule.next_due_in() or 0)
    room.schedule.miss(*room.schedule.due(), rang=True)
    room.schedule.done(*told)
    assert len(room.schedule.missed()) == 1


class TestSnooze:
    def test_what_rings_is_silent_and_rings_again(self) -> None:
        room = Room()
        room.schedule.add("work", Due(AT_SEVEN, WEEKDAYS, AT_SEVEN))
        room.clock.pass_time(room.schedule.next_due_in() or 0)
        room.schedule.due()
        assert room.schedule.snooze(540) == 1
        assert room.schedule.ringing() == []
        assert [room.schedule.moment(each).time() for each in room.schedule.all()] == [time(7, 9), time(7, 0)]
        room.clock.pass_time(540)
        assert room.ring() == ["work"]
        assert len(room.schedule.all()) == 1

    def test_what_the_wake_word_silenced_can_be_snoozed_for_a_minute(self) -> None:
        room = Room()
        room.schedule.add("", Due(datetime(2026, 3, 27, 12, 1)))
        room.clock.pass_time(60)
        room.ring()
        assert room.schedule.can_snooze()
        room.clock.pass_time(61)
        assert not room.schedule.can_snooze()
        assert room.schedule.snooze(540) == 0

    def test_it_outlives_a_power_cut(self) -> None:
        room = Room()
        room.schedule.add("", Due(datetime(2026, 3, 27, 12, 1)))
        room.clock.pass_time(60)
        room.schedule.due()
        room.schedule.snooze(540)
        room.off_for(seconds=500)
        assert room.schedule.next_due_in() == 40


class TestUntrustedClock:
    def test_one_at_a_time_of_day_waits_and_one_after_a_length_does_not(self) -> None:
        room = Room()
        room.clock.trusted = False
        room.schedule.add("at one", Due(datetime(2026, 3, 27, 13, 0)))
        room.schedule.add("in two hours", Due(room.clock.now().astimezone(UTC) + timedelta(hours=2)))
        room.clock.pass_time(7_200)
        assert room.ring() == ["in two hours"]
        assert room.schedule.next_due_in() is None

    def test_its_words_are_read_again_from_when_they_were_said(self) -> None:
        room, asked = Room(), list[tuple[str, datetime]]()

        def read_again(said: str, then: datetime) -> Due:
            asked.append((said, then))
            return Due(datetime(2026, 11, 28, 7, 0))

        room.schedule = Schedule(room.disk, room.clock, 120, read_again)
        room.clock.trusted = False
        room.schedule.add("", Due(datetime(2026, 3, 28, 7, 0)), said="at seven")
        room.clock.pass_time(3_600)
        room.clock.trusted = True
        room.clock.set(datetime(2026, 11, 27, 18, 0, tzinfo=BERLIN))
        room.schedule.due()
        assert asked == [("at seven", datetime(2026, 11, 27, 17, 0, tzinfo=BERLIN))]
        assert room.next() == datetime(2026, 11, 28, 7, 0, tzinfo=BERLIN)

    def test_what_came_while_nobody_knew_the_time_is_told_once_it_is_known(self) -> None:
        room = Room()
        room.schedule.add("dentist", Due(datetime(2026, 3, 27, 13, 0)))
        room.clock.trusted = False
        room.off_for(hours=3)
        assert (room.schedule.due(), room.missed()) == ([], [])
        room.clock.trusted = True
        assert room.schedule.due() == []
        assert room.missed() == [("dentist", datetime(2026, 3, 27, 13, 0, tzinfo=BERLIN))]


class TestSetBack:
    def test_what_a_wrong_clock_passed_over_comes_at_the_right_time(self) -> None:
        room = Room()
        room.schedule.add("work", Due(AT_SEVEN, WEEKDAYS, AT_SEVEN))
        room.clock.set(datetime(2030, 1, 1, tzinfo=BERLIN))
        room.schedule.due()
        room.schedule.done(*room.schedule.missed())
        room.clock.set(FRIDAY)
        assert room.schedule.due() == []
        assert room.next() == datetime(2026, 3, 30, 7, 0, tzinfo=BERLIN)

    def test_a_minute_back_lets_nothing_ring_twice(self) -> None:
        room = Room()
        room.schedule.add("work", Due(AT_SEVEN, WEEKDAYS, AT_SEVEN))
        room.clock.pass_time(room.schedule.next_due_in() or 0)
        assert room.ring() == ["work"]
        room.clock.set(room.clock.now() - timedelta(minutes=1))
        room.clock.pass_time(120)
        assert room.ring() == []


class TestDisk:
    def test_what_it_refuses_is_not_set(self) -> None:
        room = Room()
        room.disk.full = True
        with pytest.raises(StoreUnusable):
            room.schedule.add("", Due(AT_SEVEN))
        assert room.schedule.all() == []

    def test_a_cancel_that_it_refuses_leaves_the_alarm(self) -> None:
        room = Room()
        entry = room.schedule.add("", Due(AT_SEVEN))
        room.disk.full = True
        with pytest.raises(StoreUnusable):
            room.schedule.cancel(entry)
        assert room.schedule.all() == [entry]

    def test_one_that_rang_is_silent_whatever_it_says(self) -> None:
        room = Room()
        room.schedule.add("", Due(datetime(2026, 3, 27, 12, 1)))
        room.clock.pass_time(60)
        due = room.schedule.due()
        room.disk.full = True
        with pytest.raises(StoreUnusable):
            room.schedule.done(*due)
        assert (room.schedule.ringing(), room.schedule.all()) == ([], [])

    def test_the_real_one_holds_all_of_it(self, tmp_path: Path) -> None:
        store, clock = Store(tmp_path / "box.db"), HandSetClock(FRIDAY)

        def opened() -> Schedule:
            return Schedule(SqliteItems(store, "alarms"), clock, 120, lambda said, then: None)

        kept = opened().add("work", Due(AT_SEVEN, WEEKDAYS, AT_SEVEN), said="every weekday at seven")
        assert opened().all() == [kept]
        clock.pass_time(86_400 * 5)
        schedule = opened()
        schedule.due()
        assert [entry.text for entry in opened().missed()] == ["work"]
        missed: list[Entry] = opened().missed()
        assert missed == schedule.missed()


def test_one_occurrence_can_be_left_out() -> None:
    room = Room()
    entry = room.schedule.add("work", Due(AT_SEVEN, WEEKDAYS, AT_SEVEN))
    assert room.schedule.skip(entry)
    room.start()
    assert room.next() == datetime(2026, 3, 31, 7, 0, tzinfo=BERLIN)
    once = room.schedule.add("", Due(AT_SEVEN))
    assert room.schedule.skip(once) is None


def test_what_comes_every_minute_is_caught_up_with_fast() -> None:
    room = Room()
    moment = room.clock.now().astimezone(UTC)
    room.schedule.add("", Due(moment, "FREQ=MINUTELY;INTERVAL=1", moment))
    room.off_for(days=300)
    room.schedule.due()
    [told] = room.schedule.missed()
    assert told.due.at == room.clock.now().astimezone(UTC) - timedelta(minutes=2)
