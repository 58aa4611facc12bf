"""What was done is told, and taken back where it can be: whole turns by sentences, on the skills of the board."""

from __future__ import annotations

import pytest
from rig import Board, outcomes
from timers_of import timers_of

from appliance.skills.timers.countdowns import Timers


@pytest.fixture
def box() -> Board:
    return Board("say I made this up.")


def running(box: Board) -> list[tuple[str, int]]:
    timers: Timers = timers_of(box.skills)
    return [(timer.label, round(timers.left(timer))) for timer in timers.all()]


def test_a_timer_is_gone_again_and_the_words_say_which(box: Board) -> None:
    box.say("set a pasta timer for nine minutes")
    assert running(box) == [("pasta", 540)]
    record = box.say("undo that")
    assert record.said.startswith("I took this back: Pasta timer")
    assert (outcomes(record), running(box)) == ([("undo", "ok")], [])


def test_deeds_are_taken_back_from_the_newest_on(box: Board) -> None:
    box.say("set a pasta timer for nine minutes")
    box.say("set the volume to 30 percent")
    box.say("what time is it")
    assert box.volume.level == 30
    assert "Volume 30" in box.say("take that back").said
    assert (box.volume.level, running(box)) == (50, [("pasta", 540)])
    assert "Pasta timer" in box.say("undo").said
    assert running(box) == []
    assert box.say("undo").said == "There is nothing that I could take back."


@pytest.mark.parametrize(
    "line", ["cancel the pasta timer", "add two minutes to the pasta timer", "pause the pasta timer"]
)
def test_what_was_done_to_a_timer_is_taken_back(box: Board, line: str) -> None:
    box.say("set a pasta timer for nine minutes")
    box.clock.pass_time(60)
    before = running(box)
    box.say(line)
    box.say("undo that")
    assert running(box) == before == [("pasta", 480)]
    assert timers_of(box.skills).all()[0].paused_s is None


def test_what_cannot_be_taken_back_is_said_to_be_so(box: Board) -> None:
    box.memory.save("The user likes leeks.", "user", box.clock.now())
    box.say("forget everything you know about me")
    box.say("yes")
    assert box.memory.facts() == []
    record = box.say("undo that")
    assert record.said.startswith("I cannot take this back: Forgotten")


def test_it_is_told_in_the_next_conversation_too(box: Board) -> None:
    box.say("set the volume to 30 percent")
    box.conversation.begin()
    record = box.say("what did you just do")
    assert record.said == "The last thing I did: Volume 30 percent."


def test_a_guest_takes_nothing_back(box: Board) -> None:
    box.say("set the volume to 30 percent")
    box.say("undo that", channel="guest")
    assert box.volume.level == 30


def test_in_german_the_words_are_german() -> None:
    box = Board("say Nein.", language="de")
    box.say("stelle einen timer auf neun minuten")
    assert box.say("mach das rückgängig").said.startswith("Das habe ich zurückgenommen")
    assert running(box) == []
