"""What the calendar says of now is told without the model; what asks for more is left to it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from rig import Rig

from appliance.reply.results.todays import todays
from appliance.reply.understanding.signs import SignReader

ENGLISH = SignReader("en")
NOW = datetime(2026, 8, 19, 9, 0, tzinfo=UTC)
"""A Wednesday."""


def told(line: str) -> str:
    found = todays("en")
    assert found
    return found.answer(ENGLISH.read(line), NOW)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("oh good it's wednesday today isn't it", "Yes, it is Wednesday."),
        ("is it thursday already", "No, it is Wednesday."),
        ("is it still July", "No, it is August."),
        ("which quarter of the year is it", "The third quarter, from July to September."),
        ("what week of the year is it", "Week 34 of the year."),
        ("oh what year is it now", "It is 2026."),
        ("which month is it", "It is August."),
        ("is 2032 a leap year", "Yes, 2032 is a leap year, and February has 29 days."),
        ("has february got 29 days this year", "No, 2026 is not a leap year, but 2028 is."),
    ],
)
def test_it_is_told(line: str, answer: str) -> None:
    assert told(line) == answer


@pytest.mark.parametrize(
    "line",
    [
        "is it wednesday that the window cleaner comes",
        "is it on a thursday",
        "is today wednesday or thursday",
        "it is friday tomorrow isn't it",
        "which quarter of the pie is mine",
        "tell dad it is friday isn't it",
        "if it is friday put the bins out",
    ],
)
def test_what_asks_for_more_is_left_to_the_model(line: str) -> None:
    assert not told(line)


def test_no_model_is_asked() -> None:
    record = Rig().say("it's monday today isn't it")
    assert (record.said, record.lane, record.model.calls) == ("No, it is Saturday.", "fast", 0)
