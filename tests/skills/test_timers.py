from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import BadArgument, CannotBeDone, StoreUnusable
from appliance.simulated import HandSetClock, MemoryTimers
from appliance.skills.timers.countdowns import Timers
from appliance.skills.timers.tools import MOST, TimerTools
from appliance.stt.soundclass import SoundClasses

START = datetime(2025, 11, 21, 15, 0, tzinfo=ZoneInfo("Europe/Berlin"))
RING_S = 120


class Kitchen:
    """A box with a disk that outlives it."""

    def __init__(self) -> None:
        self.clock = HandSetClock(START)
        self.disk = MemoryTimers()
        self.start()

    def start(self) -> None:
        self.timers = Timers(self.disk, self.clock, RING_S)
        self.tools = TimerTools(self.timers, self.clock)

    def off_for(self, seconds: float) -> None:
        self.clock.pass_time(seconds)
        self.start()

    def told(self) -> str:
        return self.tools.missed(self.timers.missed())

    def labels(self) -> list[str]:
        return [timer.label for timer in self.timers.all()]


def _disk_full(*_: object) -> None:
    raise StoreUnusable("the disk is full", remedy="free some space")


@pytest.fixture
def kitchen() -> Kitchen:
    return Kitchen()


@pytest.fixture
def three(kitchen: Kitchen) -> Kitchen:
    kitchen.tools.set_timer(minutes=5, label="pasta")
    kitchen.tools.set_timer(minutes=10)
    kitchen.tools.set_timer(hours=1, label="bread dough")
    return kitchen


class TestCountdown:
    def test_it_rings_on_time_and_is_given_once(self, kitchen: Kitchen) -> None:
        timer = kitchen.timers.add("egg", 300)
        kitchen.clock.pass_time(299.9)
        assert kitchen.timers.due() == []
        assert kitchen.timers.next_due_in() == pytest.approx(0.1)
        kitchen.clock.pass_time(0.1)
        assert kitchen.timers.due() == [timer]
        assert kitchen.timers.due() == []
        assert kitchen.timers.ringing() == [timer]

    def test_a_ringing_timer_does_not_keep_the_loop_awake(self, kitchen: Kitchen) -> None:
        kitchen.timers.add("", 1)
        kitchen.clock.pass_time(1)
        kitchen.timers.due()
        assert kitchen.timers.next_due_in() is None

    def test_two_that_are_due_come_soonest_first(self, kitchen: Kitchen) -> None:
        late, early = kitchen.timers.add("late", 20), kitchen.timers.add("early", 10)
        kitchen.clock.pass_time(30)
        assert kitchen.timers.due() == [early, late]

    @pytest.mark.parametrize(
        "jump", [timedelta(days=365), timedelta(days=-365), timedelta(hours=1), timedelta(hours=-1)]
    )
    def test_a_jump_of_the_wall_clock_moves_no_countdown(self, kitchen: Kitchen, jump: timedelta) -> None:
        kitchen.timers.add("egg", 300)
        kitchen.clock.pass_time(100)
        kitchen.clock.set(kitchen.clock.now() + jump)
        assert kitchen.timers.due() == []
        kitchen.clock.pass_time(199)
        assert kitchen.timers.due() == []
        kitchen.clock.pass_time(1)
        assert [timer.label for timer in kitchen.timers.due()] == ["egg"]

    @pytest.mark.parametrize("jump", [timedelta(days=365), timedelta(days=-365)])
    def test_a_restart_after_the_wall_clock_was_set_changes_nothing(self, kitchen: Kitchen, jump: timedelta) -> None:
        kitchen.timers.add("egg", 300)
        kitchen.clock.set(kitchen.clock.now() + jump)
        kitchen.timers.due()
        kitchen.off_for(100)
        assert kitchen.timers.missed() == []
        assert kitchen.timers.next_due_in() == pytest.approx(200)

    @pytest.mark.parametrize("night", [datetime(2026, 3, 29, 1, 50), datetime(2026, 10, 25, 2, 50)])
    def test_the_nights_when_the_clocks_change_move_no_countdown(self, kitchen: Kitchen, night: datetime) -> None:
        kitchen.clock.set(night.replace(tzinfo=START.tzinfo))
        kitchen.timers.add("egg", 1_800)
        kitchen.off_for(900)
        assert kitchen.timers.missed() == []
        assert kitchen.timers.next_due_in() == pytest.approx(900)
        kitchen.off_for(900)
        assert [timer.label for timer in kitchen.timers.due()] == ["egg"]

    def test_a_disk_that_fails_while_the_clock_moves_stops_no_ringing(
        self, kitchen: Kitchen, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kitchen.timers.add("egg", 300)
        monkeypatch.setattr(kitchen.disk, "move", _disk_full)
        kitchen.clock.set(kitchen.clock.now() + timedelta(days=1))
        kitchen.clock.pass_time(300)
        assert len(kitchen.timers.due()) == 1

    def test_what_the_disk_refused_is_written_later(self, kitchen: Kitchen) -> None:
        kitchen.timers.add("egg", 300)
        kitchen.clock.set(kitchen.clock.now() + timedelta(days=1))
        with pytest.MonkeyPatch.context() as full:
            full.setattr(kitchen.disk, "move", _disk_full)
            kitchen.timers.due()
        kitchen.clock.pass_time(100)
        kitchen.timers.due()
        kitchen.off_for(100)
        assert kitchen.timers.next_due_in() == pytest.approx(100)


class TestRestart:
    def test_what_is_running_goes_on(self, kitchen: Kitchen) -> None:
        kitchen.timers.add("egg", 300)
        kitchen.off_for(100)
        assert kitchen.timers.next_due_in() == pytest.approx(200)

    def test_a_crash_while_it_rings_rings_again(self, kitchen: Kitchen) -> None:
        kitchen.timers.add("egg", 300)
        kitchen.clock.pass_time(300)
        assert len(kitchen.timers.due()) == 1
        kitchen.off_for(5)
        assert len(kitchen.timers.due()) == 1

    def test_what_rang_out_does_not_come_back(self, kitchen: Kitchen) -> None:
        timer = kitchen.timers.add("egg", 300)
        kitchen.clock.pass_time(300)
        kitchen.timers.due()
        kitchen.timers.done(timer)
        kitchen.off_for(5)
        assert (kitchen.timers.due(), kitchen.timers.missed(), kitchen.disk.all()) == ([], [], [])

    def test_what_ended_while_off_is_told_once_and_does_not_ring(self, kitchen: Kitchen) -> None:
        kitchen.tools.set_timer(minutes=5, label="pasta")
        kitchen.off_for(300 + RING_S + 1)
        assert kitchen.timers.due() == []
        assert kitchen.told() == "While nobody could hear me, your pasta timer ended at 3:05 PM."
        kitchen.timers.done(*kitchen.timers.missed())
        assert kitchen.told() == ""
        kitchen.off_for(1)
        assert kitchen.told() == ""

    def test_what_rang_without_a_sound_is_told_and_rings_no_more(self, kitchen: Kitchen) -> None:
        kitchen.tools.set_timer(minutes=5, label="pasta")
        kitchen.clock.pass_time(300)
        kitchen.timers.miss(*kitchen.timers.due(), rang=False)
        for _ in range(2):
            assert (kitchen.timers.ringing(), kitchen.timers.due()) == ([], [])
            assert kitchen.told() == "While nobody could hear me, your pasta timer ended at 3:05 PM."
            kitchen.off_for(RING_S + 1)

    def test_what_rang_with_nobody_there_is_told_and_rings_no_more(self, kitchen: Kitchen) -> None:
        kitchen.tools.set_timer(minutes=5, label="pasta")
        kitchen.tools.set_timer(minutes=5)
        kitchen.clock.pass_time(300)
        kitchen.timers.miss(*kitchen.timers.due(), rang=True)
        for _ in range(2):
            assert (kitchen.timers.ringing(), kitchen.timers.due()) == ([], [])
            assert kitchen.told() == "Your pasta timer rang at 3:05 PM and your 5 minute timer rang at 3:05 PM."
            kitchen.off_for(1)
        kitchen.timers.done(*kitchen.timers.missed())
        assert (kitchen.told(), kitchen.disk.all()) == ("", [])

    def test_a_disk_that_refuses_makes_nothing_ring_on(self, kitchen: Kitchen, monkeypatch: pytest.MonkeyPatch) -> None:
        kitchen.tools.set_timer(minutes=5, label="pasta")
        kitchen.clock.pass_time(300)
        monkeypatch.setattr(kitchen.disk, "rang", _disk_full)
        with pytest.raises(StoreUnusable):
            kitchen.timers.miss(*kitchen.timers.due(), rang=True)
        assert (kitchen.timers.ringing(), kitchen.told()) == ([], "Your pasta timer rang at 3:05 PM.")

    def test_the_time_of_a_wrong_clock_is_not_told(self, kitchen: Kitchen) -> None:
        kitchen.clock.trusted = False
        kitchen.tools.set_timer(minutes=5, label="pasta")
        kitchen.clock.pass_time(300)
        kitchen.timers.miss(*kitchen.timers.due(), rang=True)
        assert kitchen.told() == "Your pasta timer rang."

    def test_a_crash_before_it_was_told_tells_it_again(self, kitchen: Kitchen) -> None:
        kitchen.tools.set_timer(minutes=5)
        kitchen.off_for(86_400)
        kitchen.off_for(1)
        assert kitchen.told() == "While nobody could hear me, your 5 minute timer ended yesterday at 3:05 PM."

    def test_a_clock_set_back_while_off_stretches_no_timer(self, kitchen: Kitchen) -> None:
        kitchen.timers.add("egg", 300)
        kitchen.clock.set(START - timedelta(days=20_000))
        kitchen.start()
        assert kitchen.timers.next_due_in() == pytest.approx(300)


class TestSet:
    @pytest.mark.parametrize(
        ("said", "heard"),
        [
            ({"minutes": 5}, "5 minutes, starting now."),
            ({"hours": 1, "minutes": 15, "label": "bread"}, "Bread timer set for 1 hour 15 minutes, until 4:15 PM."),
            ({"seconds": 90, "label": "the egg timer"}, "Egg timer set for 90 seconds."),
            ({"minutes": 2.5}, "2 minutes 30 seconds, starting now."),
            ({"minutes": 1, "label": "Timer"}, "1 minute, starting now."),
            ({"minutes": 1, "label": "Grandma's tea."}, "Grandma's tea timer set for 1 minute."),
            ({"minutes": 59}, "59 minutes, starting now."),
            ({"hours": 1}, "1 hour, starting now, until 4 PM."),
            ({"hours": 10}, "10 hours, starting now, until 1 AM tomorrow."),
            ({"hours": 24}, "24 hours, starting now, until 3 PM tomorrow."),
        ],
    )
    def test_the_answer_repeats_what_was_set(self, kitchen: Kitchen, said: dict[str, object], heard: str) -> None:
        assert kitchen.tools.set_timer(**said) == heard  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("said", "heard"),
        [
            ({"minutes": 5}, "5 Minuten ab jetzt."),
            (
                {"hours": 1, "minutes": 30, "label": "Tee"},
                "Timer für Tee auf 1 Stunde 30 Minuten gestellt, bis 16:30 Uhr.",
            ),
            ({"hours": 10}, "10 Stunden ab jetzt, bis morgen um 1 Uhr."),
        ],
    )
    def test_the_answer_is_in_german_where_that_is_spoken(
        self, kitchen: Kitchen, said: dict[str, Any], heard: str
    ) -> None:
        assert TimerTools(kitchen.timers, kitchen.clock, language="de").set_timer(**said) == heard

    def test_it_is_in_one_language_where_there_is_no_wording(self, kitchen: Kitchen) -> None:
        french = TimerTools(kitchen.timers, kitchen.clock, language="fr")
        assert french.set_timer(hours=1) == "1 hour, starting now, until 4 PM."

    def test_a_clock_that_may_be_wrong_tells_no_time(self, kitchen: Kitchen) -> None:
        kitchen.clock.trusted = False
        assert kitchen.tools.set_timer(hours=1) == "1 hour, starting now."

    def test_the_time_counts_the_night_when_the_clocks_change(self, kitchen: Kitchen) -> None:
        kitchen.clock.set(datetime(2026, 10, 25, 1, 30, tzinfo=START.tzinfo))
        assert kitchen.tools.set_timer(hours=2) == "2 hours, starting now, until 2:30 AM."

    @pytest.mark.parametrize(
        "said", [{}, {"minutes": 0}, {"seconds": 0.5}, {"hours": 24, "seconds": 1}, {"minutes": 1441}]
    )
    def test_a_length_out_of_range_sets_nothing(self, kitchen: Kitchen, said: dict[str, float]) -> None:
        with pytest.raises(BadArgument):
            kitchen.tools.set_timer(**said)  # type: ignore[arg-type]
        assert kitchen.disk.all() == []

    def test_it_is_on_disk_before_it_is_said(self, kitchen: Kitchen, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(kitchen.disk, "add", _disk_full)
        with pytest.raises(StoreUnusable):
            kitchen.tools.set_timer(minutes=5)
        assert kitchen.timers.next_due_in() is None

    def test_a_model_in_a_loop_is_stopped(self, kitchen: Kitchen) -> None:
        for _ in range(MOST):
            kitchen.tools.set_timer(minutes=5)
        with pytest.raises(CannotBeDone, match="cancel one first"):
            kitchen.tools.set_timer(minutes=5)


class TestList:
    def test_none_one_and_several(self, kitchen: Kitchen) -> None:
        assert kitchen.tools.list_timers() == "You have no timers."
        kitchen.tools.set_timer(minutes=5, label="pasta")
        kitchen.clock.pass_time(120)
        assert kitchen.tools.list_timers() == "The pasta timer has 3 minutes left."
        kitchen.tools.set_timer(minutes=10)
        assert kitchen.tools.list_timers() == (
            "You have 2 timers: the pasta timer has 3 minutes left and the 10 minute timer has 10 minutes left."
        )

    def test_one_that_rings_has_ended(self, kitchen: Kitchen) -> None:
        kitchen.tools.set_timer(minutes=5, label="pasta")
        kitchen.clock.pass_time(301)
        kitchen.timers.due()
        assert kitchen.tools.list_timers() == "The pasta timer has ended."


class TestCancel:
    @pytest.mark.parametrize(
        ("label", "left"),
        [
            ("pasta", ["", "bread dough"]),
            ("the pasta timer", ["", "bread dough"]),
            ("Posta", ["", "bread dough"]),
            ("bread", ["pasta", ""]),
            ("ten minutes", ["pasta", "bread dough"]),
            ("the 10 minute one", ["pasta", "bread dough"]),
            ("1 hour", ["pasta", ""]),
            ("all", []),
            ("both of them", []),
            ("all timers", []),
        ],
    )
    def test_the_one_that_was_meant_goes(self, three: Kitchen, label: str, left: list[str]) -> None:
        three.tools.cancel_timer(label)
        assert three.labels() == left
        assert [timer.label for timer in three.disk.all()] == left

    def test_the_answer_names_what_is_gone(self, three: Kitchen) -> None:
        assert three.tools.cancel_timer("pasta") == "The pasta timer is cancelled."
        assert three.tools.cancel_timer("all") == "All 2 timers are cancelled."

    @pytest.mark.parametrize("label", ["", "timer", "the timer", "my one"])
    def test_the_only_one_needs_no_name(self, kitchen: Kitchen, label: str) -> None:
        kitchen.tools.set_timer(minutes=5, label="pasta")
        assert kitchen.tools.cancel_timer(label) == "The pasta timer is cancelled."

    def test_a_label_that_was_misheard_is_the_one_that_sounds_like_it(self, three: Kitchen) -> None:
        by_ear = TimerTools(three.timers, three.clock, SoundClasses("en"))
        by_ear.set_timer(minutes=20, label="tea")
        assert by_ear.cancel_timer("broad dough") == "The bread dough timer is cancelled."
        for unlike in ("toast", "toe"):  # toe: as short as tea, so it may as well be another
            with pytest.raises(BadArgument, match=f"There is no {unlike} timer"):
                by_ear.cancel_timer(unlike)

    def test_several_ask_which_one(self, three: Kitchen) -> None:
        with pytest.raises(BadArgument) as caught:
            three.tools.cancel_timer()
        assert caught.value.what == (
            "You have 3 of them: the pasta timer, the 10 minute timer and the bread dough timer. Which one?"
        )
        assert len(three.labels()) == 3

    @pytest.mark.parametrize("label", ["egg", "20 minutes"])
    def test_one_that_is_not_there_cancels_no_other(self, three: Kitchen, label: str) -> None:
        with pytest.raises(BadArgument, match="There is no"):
            three.tools.cancel_timer(label)
        assert len(three.labels()) == 3

    def test_none_at_all(self, kitchen: Kitchen) -> None:
        with pytest.raises(CannotBeDone, match="You have no timers"):
            kitchen.tools.cancel_timer()

    def test_one_that_rings_can_be_cancelled(self, kitchen: Kitchen) -> None:
        kitchen.tools.set_timer(minutes=5)
        kitchen.clock.pass_time(300)
        kitchen.timers.due()
        kitchen.tools.cancel_timer()
        assert kitchen.timers.ringing() == []


class TestAdjust:
    @pytest.mark.parametrize(
        ("said", "heard", "left_s"),
        [
            ({"minutes": 5}, "The pasta timer now has 8 minutes left.", 480),
            ({"minutes": 5, "direction": "add"}, "The pasta timer now has 8 minutes left.", 480),
            ({"minutes": 1, "seconds": 30, "direction": "subtract"}, "The pasta timer now has 90 seconds left.", 90),
            ({"minutes": 12, "direction": "set"}, "The pasta timer now has 12 minutes left.", 720),
            ({"hours": 1, "label": "posta"}, "The pasta timer now has 1 hour 3 minutes left.", 3_780),
        ],
    )
    def test_the_answer_tells_what_is_left(
        self, kitchen: Kitchen, said: dict[str, Any], heard: str, left_s: float
    ) -> None:
        kitchen.tools.set_timer(minutes=5, label="pasta")
        kitchen.clock.pass_time(120)
        assert kitchen.tools.adjust_timer(**said) == heard
        assert kitchen.timers.next_due_in() == pytest.approx(left_s)
        assert kitchen.labels() == ["pasta"]

    def test_one_without_a_label_is_called_by_its_new_length(self, kitchen: Kitchen) -> None:
        kitchen.tools.set_timer(minutes=10)
        assert kitchen.tools.adjust_timer(minutes=5) == "The 10 minute timer now has 15 minutes left."
        assert kitchen.tools.cancel_timer("15 minutes") == "The 15 minute timer is cancelled."

    def test_only_the_one_that_was_meant_changes(self, three: Kitchen) -> None:
        three.tools.adjust_timer(minutes=5, label="bread", direction="subtract")
        assert [round(three.timers.left(timer)) for timer in three.timers.all()] == [300, 600, 3_300]

    def test_all_of_them_can_be_meant(self, three: Kitchen) -> None:
        assert three.tools.adjust_timer(minutes=1, label="all") == (
            "The pasta timer now has 6 minutes left, the 10 minute timer now has 11 minutes left"
            " and the bread dough timer now has 1 hour 1 minute left."
        )

    def test_several_ask_which_one_and_none_changes(self, three: Kitchen) -> None:
        with pytest.raises(BadArgument, match="Which one"):
            three.tools.adjust_timer(minutes=5)
        assert [timer.seconds for timer in three.disk.all()] == [300, 600, 3_600]

    def test_one_that_rings_runs_again(self, kitchen: Kitchen) -> None:
        kitchen.tools.set_timer(minutes=5, label="pasta")
        kitchen.clock.pass_time(300)
        assert len(kitchen.timers.due()) == 1
        kitchen.tools.adjust_timer(minutes=2)
        assert kitchen.timers.ringing() == []
        kitchen.clock.pass_time(120)
        assert [timer.label for timer in kitchen.timers.due()] == ["pasta"]

    @pytest.mark.parametrize(
        ("said", "left_s"), [({"minutes": 30}, 2_290), ({"minutes": 30, "direction": "set"}, 1_790)]
    )
    def test_a_restart_keeps_the_new_time(self, kitchen: Kitchen, said: dict[str, Any], left_s: float) -> None:
        """Also one longer than the timer was at first: the clock guard at the start must not cut it."""
        kitchen.tools.set_timer(minutes=10, label="pasta")
        kitchen.clock.pass_time(100)
        kitchen.tools.adjust_timer(**said)
        kitchen.off_for(10)
        assert kitchen.timers.next_due_in() == pytest.approx(left_s)
        assert kitchen.labels() == ["pasta"]

    def test_it_is_on_disk_before_it_is_said(self, kitchen: Kitchen, monkeypatch: pytest.MonkeyPatch) -> None:
        kitchen.tools.set_timer(minutes=5)
        monkeypatch.setattr(kitchen.disk, "add", _disk_full)
        with pytest.raises(StoreUnusable):
            kitchen.tools.adjust_timer(minutes=5)
        assert kitchen.timers.next_due_in() == pytest.approx(300)

    def test_a_crash_while_it_changes_loses_no_timer(self, kitchen: Kitchen, monkeypatch: pytest.MonkeyPatch) -> None:
        kitchen.tools.set_timer(minutes=5, label="pasta")
        monkeypatch.setattr(kitchen.disk, "remove", _disk_full)
        with pytest.raises(StoreUnusable):
            kitchen.tools.adjust_timer(minutes=5)
        kitchen.start()
        assert set(kitchen.labels()) == {"pasta"}

    @pytest.mark.parametrize(
        ("said", "asked"),
        [
            ({}, "How many minutes"),
            ({"minutes": 5, "direction": "subtract"}, "The pasta timer has 5 minutes left"),
            ({"hours": 24}, "from 1 second to 24 hours"),
            ({"minutes": 5, "label": "rice"}, "There is no rice timer"),
        ],
    )
    def test_what_cannot_be_changes_nothing(self, kitchen: Kitchen, said: dict[str, Any], asked: str) -> None:
        kitchen.tools.set_timer(minutes=5, label="pasta")
        with pytest.raises(BadArgument, match=asked):
            kitchen.tools.adjust_timer(**said)
        assert [timer.seconds for timer in kitchen.disk.all()] == [300]

    def test_none_at_all(self, kitchen: Kitchen) -> None:
        with pytest.raises(CannotBeDone, match="You have no timers"):
            kitchen.tools.adjust_timer(minutes=5)


@given(st.lists(st.integers(1, 86_400), min_size=1, max_size=6, unique=True), st.data())
def test_whatever_was_set_can_be_cancelled_by_its_length(lengths_s: list[int], data: st.DataObject) -> None:
    kitchen = Kitchen()
    for seconds in lengths_s:
        kitchen.tools.set_timer(seconds=seconds)
    gone = data.draw(st.sampled_from(lengths_s))
    kitchen.tools.cancel_timer(f"{gone} seconds")
    kept = sorted(seconds for seconds in lengths_s if seconds != gone)
    assert [timer.seconds for timer in kitchen.timers.all()] == kept
    kitchen.start()
    assert [timer.seconds for timer in kitchen.timers.all()] == kept
