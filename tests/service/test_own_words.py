"""What the box said itself is told from what somebody answers, by the text."""

from __future__ import annotations

import pytest

from appliance.audio import never
from appliance.service.own_words import OwnWords
from appliance.simulated import SlowVoice

TIMER = "Your tea timer has 4 minutes left. The pasta is due at half past seven."
CHOICE = "Do you mean the kitchen light or the bedroom light?"


def after(said: str, rung: str = "") -> OwnWords:
    own = OwnWords(SlowVoice(0))
    mouth = own.begin(never, lambda at_s: None)
    for word in said.split(" "):
        mouth.say(f"{word} ")
    mouth.finish()
    own.ring([rung] if rung else [])
    return own


@pytest.mark.parametrize(
    "heard", ["Is due at half past seven.", "half past seven", "your tea time has four minutes left"]
)
def test_the_end_of_a_reply_or_most_of_its_words_are_its_own(heard: str) -> None:
    assert after(TIMER).are(heard)


@pytest.mark.parametrize("heard", ["thanks", "seven", "make it half past eight instead", "and the rice", "", "?"])
def test_what_somebody_says_to_it_is_not(heard: str) -> None:
    assert not after(TIMER).are(heard)


def test_a_question_holds_its_answers_and_is_told_by_its_length() -> None:
    own = after(CHOICE)
    assert not own.are("the bedroom light")
    assert own.are("the kitchen light or the bedroom light")


def test_the_next_reply_takes_its_place_and_a_ring_is_beside_it() -> None:
    own = after(TIMER, rung="The alarm for the bins.")
    own.begin(never, lambda at_s: None)
    assert not own.are("half past seven")
    assert own.are("alarm for the bins")


def test_words_with_the_same_beginning_are_held() -> None:
    own = after("It is stopped.")
    assert own.hold("stop")
    assert not after(TIMER).hold("stop")
