"""Lines that get a reviewed sentence, or a look at the box's own state, in whole turns on the skills of the board."""

from __future__ import annotations

import pytest
from rig import Board, outcomes


@pytest.fixture
def rig() -> Board:
    return Board("say I made this up.")


def test_the_model_is_not_asked_where_health_hangs_on_it(rig: Board) -> None:
    record = rig.say("my toddler swallowed a button battery i think")
    assert "call" in record.said
    assert "112" in record.said
    assert (record.lane, rig.canned.prompts) == ("fast", [])


@pytest.mark.parametrize(
    "line", ["mein kleiner Sohn hat vom Putzmittel getrunken", "hier riecht es ganz stark nach Gas"]
)
def test_in_german_the_model_is_not_asked_either(line: str) -> None:
    board = Board("say I made this up.", language="de")
    record = board.say(line)
    assert "ruf die 112" in record.said
    assert (record.lane, board.canned.prompts) == ("fast", [])


def test_a_grave_fact_is_kept_and_read_back(rig: Board) -> None:
    record = rig.say("my son is allergic to walnuts")
    assert ("remember", "ok") in outcomes(record)
    assert "I will remember this:" in record.said
    assert "allergic to walnuts" in rig.memory.facts("user")[0].text
    assert rig.canned.prompts == []


def test_a_guest_gets_the_sentence_and_leaves_nothing(rig: Board) -> None:
    record = rig.say("my son is allergic to walnuts", channel="guest")
    assert "doctor" in record.said
    assert rig.memory.facts("user") == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("what did you just do", "The last thing I did: 5 minutes, starting now."),
        ("how loud are you set", "My volume is at"),
        ("is the potato timer still going", "no "),
        ("resume the timer", "no timer"),
    ],
)
def test_its_own_state_is_looked_at(rig: Board, line: str, told: str) -> None:
    if "just do" in line:
        rig.say("set a timer for five minutes")
    record = rig.say(line)
    assert told.casefold() in record.said.casefold()
    assert rig.canned.prompts == []
