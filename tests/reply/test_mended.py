"""A line that corrects itself is read as it was meant, where that is plain, and as it is where it is not."""

from __future__ import annotations

import pytest

from appliance.reply.understanding.fastlane import FastLane


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("put the desk lamp on, no, the floor lamp", "put the floor lamp on"),
        ("add two leeks, um no, make it three leeks, to the list", "add three leeks to the list"),
        ("a timer for nine minutes for the rolls, no wait, eight minutes", "a timer for 8 minutes for the rolls"),
        ("message Ada, no sorry, message Nils that I am late", "message Nils that I am late"),
        ("turn the oven off and text Ada, no, text Nils hello", "turn the oven off and text Nils hello"),
        ("play some folk, actually no, turn it down", "turn it down"),
        ("there's no jam, put jam on the list", "there's no jam, put jam on the list"),
        ("what is 12 times 7 no I mean 12 times 9", "what is 12 times 7 no I mean 12 times 9"),
        ("five minutes, no wait, six", "five minutes, no wait, six"),
        ("tell Sam no, put it in the oven at 6", "tell Sam no, put it in the oven at 6"),
        ("text Gwen: sorry, take the bus today", "text Gwen: sorry, take the bus today"),
        ("text Gwen I'd rather take the bus", "text Gwen I'd rather take the bus"),
        ("tell Jo dinner is sorted, don't worry about it", "tell Jo dinner is sorted, don't worry about it"),
        ("could you text Gwen I found the keys, never mind", "could you text Gwen I found the keys, never mind"),
        ("text Gwen I am late, never mind, don't send it", "never mind, don't send it"),
        ("text Gwen I am late, no, text Bo", "text Bo"),
        ("tell me how warm it is, never mind", "never mind"),
        ("what time is it in Oslo, no sorry, in Rome", "what time is it in Oslo, no sorry, in Rome"),
    ],
)
def test_a_correction_takes_the_place_of_what_it_corrects(said: str, meant: str) -> None:
    lane = FastLane()
    assert lane.in_digits(lane.as_meant(said, "")) == lane.in_digits(meant)


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ("Bake them for 35 minutes at 200 degrees.", "then put a timer on for 35 minutes."),
        ("10 minutes, then 5 minutes without the lid.", "then put a timer on for that."),  # which of them
        ("It is raining.", "then put a timer on for that."),
    ],
)
def test_that_is_the_length_that_was_just_told(before: str, line: str) -> None:
    assert FastLane().as_meant("then put a timer on for that.", before) == line
