"""A line with several requests is answered request by request; one that hangs together is left whole."""

from __future__ import annotations

import pytest
from rig import Rig

from appliance.audio import never
from appliance.reply.line import LineReader
from appliance.reply.split import requests
from appliance.reply.understanding.fastlane import FastLane
from appliance.skills.loader import sentences_on_board

LANE = FastLane("en", sentences=sentences_on_board())
READER = LineReader("en", LANE.in_digits)


def parts(text: str) -> list[str]:
    def known(part: str) -> bool:
        return any(not each.refers for each in LANE.matches(part)[:1])

    found = requests(READER.read(text), LANE.cuts, READER.read, known)
    return [line.text for line in found]


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("could you start nine minutes for the leeks and tell me how many ounces are in a pound", 2),
        ("set a timer for ten minutes", 1),
        ("set a timer for ten minutes and call it pasta", 1),
        ("remember that my bike is blue and my car is red", 1),
        ("I had soup and then I went to bed", 1),
        ("salt and pepper", 1),
        ("my rent is split between us three, remember that", 1),
    ],
)
def test_requests_are_told_from_what_belongs_together(line: str, count: int) -> None:
    assert len(parts(line)) == count


@pytest.mark.parametrize(
    ("line", "cut"),
    [
        ("twelve minutes for the rice and 25 for the dal", ["twelve minutes for the rice", "25 minutes for the dal"]),
        ("a ten minute timer for rice and five for beans", ["a ten minute timer for rice", "five minute for beans"]),
        (
            "nine minutes for the peas, four for the leeks and one hour for the stock",
            ["nine minutes for the peas", "four minutes for the leeks", "one hour for the stock"],
        ),
        (
            "ten minutes for the rice and two hours for the stew",
            ["ten minutes for the rice", "two hours for the stew"],
        ),
        ("set ten minutes for the rice and two eggs", ["set ten minutes for the rice and two eggs"]),
        ("I slept for ten hours and two for the dog", ["I slept for ten hours and two for the dog"]),
    ],
)
def test_a_request_takes_the_unit_from_the_one_before_it(line: str, cut: list[str]) -> None:
    assert parts(line) == cut


def test_each_request_is_read_by_itself() -> None:
    rig = Rig("Jane Austen.", without={"lookup"})
    record = rig.say("could you start nine minutes for the leeks and tell me who wrote Emma")
    assert [step.tool for step in record.steps] == ["set_timer", None]
    assert record.said.endswith("Jane Austen.")
    assert rig.read == ["tell me who wrote Emma"]


def test_a_question_behind_an_order_is_not_taken_for_one_more() -> None:
    rig = Rig('set_timer(minutes=12, label="Emma")', without={"lookup"})
    rig.say("set a timer for twelve minutes")
    rig.say("tell me who wrote Emma")
    assert "set_timer" not in rig.grammar().gbnf


def test_a_confidence_covers_every_request_of_its_line() -> None:
    rig = Rig("say I see.", "Jane Austen.", without={"lookup"})
    rig.say("off the record, set a timer for ten minutes and tell me who wrote Emma")
    rig.engine.after(never)
    assert rig.memory.search("Emma", 8) == []


def test_what_one_request_was_offered_is_not_open_to_the_next() -> None:
    rig = Rig('set_timer(minutes=9, label="leeks")', "Jane Austen.", without={"lookup"})
    rig.say("would you kindly count nine minutes down for my leeks and tell me who wrote Emma")
    assert "set_timer" in rig.grammar(0).gbnf
    assert "set_timer" not in rig.grammar(1).gbnf
