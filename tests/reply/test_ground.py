"""What the model wrote, held against what was said: numbers, lengths, and the words of a text."""

from __future__ import annotations

from typing import Any

import pytest
from rig import SENDER, Household

from appliance.language.durations import Length
from appliance.ports import Tool
from appliance.reply.ground import Sources, grounded
from appliance.reply.plan import Call
from appliance.reply.understanding.fastlane import FastLane
from appliance.simulated import ListedTool
from appliance.skills.arithmetic.calculate import Calculator
from appliance.skills.loader import sentences_on_board
from appliance.skills.schema import tool

LANE = FastLane("en", sentences=sentences_on_board())
SAID = {"type": "number", "said": True}
TIMER = ListedTool(
    "set_timer",
    properties={"hours": SAID, "minutes": SAID, "seconds": SAID, "label": {"type": "string"}},
    effect="act",
)
SUM = tool(Calculator().calculate, "read")


def left(of: Tool, arguments: dict[str, Any], said: str, **sources: Any) -> dict[str, Any]:
    found = grounded(Call(of.name, arguments), of, Sources(LANE.in_digits(said), **sources), LANE.lengths_in)
    return found.arguments


@pytest.mark.parametrize(
    ("wrote", "said", "meant"),
    [
        ({"minutes": 25}, "start a timer", {}),
        ({"minutes": 5, "label": "coffee"}, "five minutes", {"minutes": 5}),
        ({"minutes": 90}, "an hour and a half", {"minutes": 90}),
        ({"hours": 90}, "ninety minutes please", {"minutes": 90}),
        ({"minutes": 10, "label": "eggs"}, "eggs need ten minutes", {"minutes": 10, "label": "eggs"}),
        ({"minutes": 10}, "make it ten", {"minutes": 10}),
        ({"minutes": 15}, "make it ten", {}),
        ({"minutes": 10, "label": "timer"}, "ten minutes on the clock", {"minutes": 10}),
    ],
)
def test_a_length_is_one_that_was_said(wrote: dict[str, Any], said: str, meant: dict[str, Any]) -> None:
    assert left(TIMER, wrote, said) == meant


ALARM = ListedTool("set_alarm", properties={"when": {"type": "string", "when": True}}, effect="act")


@pytest.mark.parametrize(
    ("wrote", "said", "meant"),
    [
        ("7 am", "wake me at seven", "at seven"),
        ("3:30", "set an alarm for half past three", "for half past three"),
        ("seven", "wake me at seven", "at seven"),
        ("tomorrow at seven", "wake me at seven", "at seven"),
        ("6 am", "wake me early", None),
        ("early", "wake me early", "early"),
        ("the usual time", "set an alarm", None),
    ],
)
def test_a_time_is_in_the_words_that_were_said(wrote: str, said: str, meant: str | None) -> None:
    sources = Sources(f"{LANE.in_digits(said)} {said}", said)
    found = grounded(Call("set_alarm", {"when": wrote}), ALARM, sources, LANE.lengths_in, LANE.times_in)
    assert found.arguments.get("when") == meant


@pytest.mark.parametrize("said", ["a timer for half past six", "a timer for 6:30", "timer at six thirty tonight"])
def test_a_time_of_day_is_no_length(said: str) -> None:
    sources = Sources(f"{LANE.in_digits(said)} {said}", said)
    call = Call("set_timer", {"hours": 6, "minutes": 30})
    assert grounded(call, TIMER, sources, LANE.lengths_in, LANE.times_in).arguments == {}


def test_a_day_that_was_said_before_stays_with_its_time() -> None:
    sources = Sources(
        "8 in the morning eight in the morning", "eight in the morning", earlier=["an alarm for Thursday"]
    )
    call = Call("set_alarm", {"when": "for Thursday eight in the morning"})
    assert grounded(call, ALARM, sources, LANE.lengths_in, LANE.times_in) == call


def test_a_length_may_be_known_or_found_but_not_remembered_from_earlier_lines() -> None:
    assert left(TIMER, {"minutes": 7}, "time the eggs", known=["The user's eggs take 7 minutes."]) == {"minutes": 7}
    assert left(TIMER, {"minutes": 12}, "make that twelve", known=["Ten minutes, starting now."]) == {"minutes": 12}
    assert not left(TIMER, {"minutes": 15}, "make that twelve", known=["Ten minutes, starting now."])
    assert left(TIMER, {"minutes": 7}, "time that", results=["It bakes for 7 minutes."]) == {"minutes": 7}
    assert left(TIMER, {"minutes": 7}, "start a timer", earlier=["a timer for 7 minutes"]) == {}


def test_a_sum_needs_a_number_from_somewhere() -> None:
    assert left(SUM, {"expression": "17 * 23"}, "seventeen times twenty three") == {"expression": "17 * 23"}
    assert left(SUM, {"expression": "391 / 2"}, "and half of that", known=["17 times 23 is 391."])
    assert left(SUM, {"expression": "2 + 2"}, "work it out for me") == {}


def test_what_is_sent_was_said() -> None:
    text = {"to": "Ann", "text": "The bus is late."}
    assert left(SENDER, text, "tell ann the bus is late") == text
    assert left(SENDER, text, "message ann") == {"to": "Ann"}
    assert left(SENDER, text, "tell her so", earlier=["ann waits for me, the bus is late"]) == text


def test_a_question_may_be_looked_up_in_other_words() -> None:
    lookup = next(each for each in Household().tools() if each.name == "lookup")
    assert left(lookup, {"query": "boiling point"}, "how hot is it when it bubbles") == {"query": "boiling point"}


def test_what_is_empty_was_not_given() -> None:
    assert left(TIMER, {"minutes": 5, "label": ""}, "five minutes") == {"minutes": 5}


def test_the_lengths_of_a_line_are_found_one_by_one() -> None:
    assert LANE.lengths_in("rice 12 minutes and the dal 1 hour 5 minutes") == [
        Length(minutes=12),
        Length(hours=1, minutes=5),
    ]
