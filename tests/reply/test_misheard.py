"""Lines in which one word was heard as another of the same sound."""

from __future__ import annotations

import pytest
from rig import Rig

from appliance.reply.understanding.fastlane import FastLane, Match
from appliance.reply.understanding.misheard import READINGS, Misheard
from appliance.skills.clock.places import is_known
from appliance.skills.loader import sentences_on_board
from appliance.stt.soundclass import SoundClasses

LANE = FastLane("en", is_known, SoundClasses("en"), sentences=sentences_on_board())


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        (
            "How many galleons are nine pints?",
            Match("convert_units", {"value": 9, "from_unit": "pint", "to_unit": "gallon"}),
        ),
        (
            "Convert nine pints to litters.",
            Match("convert_units", {"value": 9, "from_unit": "pint", "to_unit": "liter"}),
        ),
        ("Start a tymer for ten minutes.", Match("set_timer", {"minutes": 10})),
    ],
)
def test_a_word_that_no_sentence_has_is_the_one_that_sounds_like_it(heard: str, meant: Match) -> None:
    assert LANE.matches(heard) == []
    assert LANE.misheard(heard) == [meant]


@pytest.mark.parametrize(
    "heard",
    [
        "How many galleons sank near the coast?",
        "My doctor gave me valium.",
        "How many dollars is nine euros?",
        "Convert nine paints to litres.",
        "",
        "galleons " * 60,
    ],
)
def test_what_makes_no_request_either_way_is_left_to_the_model(heard: str) -> None:
    assert LANE.misheard(heard) == []


def test_without_a_pronunciation_nothing_sounds_alike() -> None:
    assert FastLane("en", is_known, sentences=sentences_on_board()).misheard("How many galleons are nine pints?") == []


def test_a_known_word_and_a_short_sound_are_taken_as_they_are() -> None:
    misheard = Misheard({"aabb", "abab", "ab"}, lambda word: "".join(sorted(word)))
    assert list(misheard.readings(["aabb", "ba"])) == []
    assert list(misheard.readings(["go", "baab"])) == ["go aabb", "go abab"]


def test_a_line_costs_no_more_than_so_many_readings() -> None:
    misheard = Misheard({"aabb", "abab"}, lambda word: "".join(sorted(word)))
    assert len(list(misheard.readings(["baab"] * 30))) == READINGS


def test_only_what_was_spoken_can_have_been_misheard() -> None:
    line = "Start a tymer for ten minutes."
    rig = Rig("say Hello.", sound_of=SoundClasses("en"))
    aloud = rig.say(line, channel="voice")
    assert (aloud.lane, aloud.model.calls, [step.tool for step in aloud.steps]) == ("fast", 0, ["set_timer"])
    assert rig.say(line, channel="chat").lane == "plan"
