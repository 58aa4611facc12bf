"""Which timer somebody means: by name, room, length, order, or all of them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from appliance.errors import BadArgument
from appliance.simulated import HandSetClock, MemoryTimers
from appliance.skills.timers.countdowns import Timers
from appliance.skills.timers.tools import TimerTools

SET: tuple[tuple[str, float], ...] = (
    *(("kitchen", 300), ("kitchen stock", 1_200), ("", 600), ("laundry", 2_400), ("", 5_400)),
)


class Board:
    def __init__(self) -> None:
        self.clock = HandSetClock(datetime(2026, 2, 3, 9, 0, tzinfo=UTC))
        self.timers = Timers(MemoryTimers(), self.clock, ring_s=60)
        self.tools = TimerTools(self.timers, self.clock)
        for label, seconds in SET:
            self.timers.add(label, seconds)


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        *[("kitchen", 300), ("the kitchen timer", 300), ("kitchen stock", 1_200), ("stock", 1_200)],
        *[("10 minutes", 600), ("the ten minute one", 600), ("1 hours 30 minutes", 5_400), ("90 minute", 5_400)],
        *[("the first one", 300), ("second timer", 600), ("the third one", 1_200), ("the last one", 5_400)],
        *[("the second kitchen timer", 1_200), ("last kitchen", 1_200), ("landry", 2_400)],
    ],
)
def test_one_is_meant(board: Board, said: str, seconds: float) -> None:
    assert [timer.seconds for timer in board.tools.meant(said)] == [seconds]


@pytest.mark.parametrize("said", ["garage", "7 minutes", "the sixth one", "fifth laundry"])
def test_none_is_meant_and_those_there_are_are_named(board: Board, said: str) -> None:
    with pytest.raises(BadArgument, match=r"There is no .* timer, only the kitchen timer"):
        board.tools.meant(said)


def test_a_length_that_none_has_is_told_as_a_name(board: Board) -> None:
    with pytest.raises(BadArgument, match="There is no 1 hour timer"):
        board.tools.meant("1 hours")


def test_all_of_a_room_are_cancelled_and_no_others(board: Board) -> None:
    board.timers.add("kitchen", 900)
    assert board.tools.cancel_timer("all kitchen") == "2 timers are cancelled."
    assert [timer.label for timer in board.timers.all()] == ["", "kitchen stock", "laundry", ""]


def test_all_are_cancelled(board: Board) -> None:
    assert board.tools.cancel_timer("all") == "All 5 timers are cancelled."


def test_two_of_one_name_are_told_apart_by_what_is_left(board: Board) -> None:
    board.timers.add("laundry", 60)
    with pytest.raises(BadArgument) as asked:
        board.tools.cancel_timer("laundry")
    told = "the laundry timer, which has 1 minute left and the laundry timer, which has 40 minutes left"
    assert asked.value.what == f"You have 2 of them: {told}. Which one?"


def test_the_status_of_several_of_one_name_tells_them_all(board: Board) -> None:
    board.timers.add("laundry", 60)
    told = "You have 2 timers: the laundry timer has 1 minute left and the laundry timer has 40 minutes left."
    assert board.tools.list_timers("laundry") == told


def test_a_timer_of_one_second_more_is_found_by_its_length(board: Board) -> None:
    board.timers.add("", 1_805)
    assert [timer.seconds for timer in board.tools.meant("30 minutes 5 seconds")] == [1_805]


@pytest.mark.parametrize(("label", "said"), [("vardagsrum", "vardagsrummets"), ("bad", "badets"), ("kök", "köket")])
def test_a_name_may_stand_in_the_genitive(board: Board, label: str, said: str) -> None:
    board.timers.add(label, 60)
    assert [timer.label for timer in board.tools.meant(said)] == [label]


def test_a_longer_word_is_no_ending(board: Board) -> None:
    board.timers.add("bad", 60)
    with pytest.raises(BadArgument):
        board.tools.meant("badminton")
