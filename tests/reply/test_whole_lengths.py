"""A length is set whole, as it was said."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.reply.calls.whole_lengths import at_clock, with_found_length, with_whole_length
from appliance.reply.plan import Call
from appliance.reply.understanding.signs import SignReader
from appliance.reply.understanding.templates import templates

TEMPLATES = templates("en")
assert TEMPLATES


@pytest.mark.parametrize(
    ("line", "given", "whole"),
    [
        ("two and a half minutes for the tea", {"minutes": 2}, {"minutes": 2, "seconds": 30}),
        ("an hour and a half for the roast", {"hours": 1}, {"hours": 1, "minutes": 30}),
        ("two and a half minutes for the tea", {"minutes": 3}, {"minutes": 3}),
        ("ten minutes for the tea", {"minutes": 10}, {"minutes": 10}),
        ("an hour and a half, or two hours", {"hours": 1}, {"hours": 1}),
        ("for the tea", {"minutes": 2}, {"minutes": 2}),
        ("a timer for the tea, it went in ten minutes ago", {}, {}),
        ("ninety seconds for the tea", {"minutes": 90}, {"seconds": 90}),
        ("change the 20 second timer for the tea to 20 minutes", {"minutes": 20}, {"minutes": 20}),
        ("ninety seconds for the tea", {"minutes": 1, "seconds": 30}, {"minutes": 1, "seconds": 30}),
    ],
)
def test_all_of_the_length(line: str, given: dict[str, Any], whole: dict[str, Any]) -> None:
    assert TEMPLATES
    call = with_whole_length(Call("set_timer", {"label": "tea"} | given), TEMPLATES.in_digits(line))
    assert call.arguments == {"label": "tea"} | whole


@pytest.mark.parametrize(
    ("given", "texts", "found"),
    [
        ({}, ["full in 1 hour 50 minutes"], {"hours": 1, "minutes": 50}),
        ({}, ["basic 3 h 20 min, rapid 1 h 45 min"], {}),  # which?
        ({"minutes": 320}, ["basic 3 hours 20 minutes, rapid 1 hour 45 minutes"], {"hours": 3, "minutes": 20}),
        ({"minutes": 105}, ["basic 3 hours 20 minutes, rapid 1 hour 45 minutes"], {"minutes": 105}),
        ({"minutes": 8}, ["steep it for 4 minutes"], {"minutes": 8}),  # doubled
        ({"minutes": 9}, ["a rope of 4 metres, 12 hooks"], {"minutes": 9}),
    ],
)
def test_a_length_that_was_found(given: dict[str, Any], texts: list[str], found: dict[str, Any]) -> None:
    assert with_found_length(Call("set_timer", given), texts).arguments == found


@pytest.mark.parametrize(
    ("line", "given", "clock"),
    [
        ("netball ends at quarter past seven, set a timer that goes off then", {"minutes": 7}, "quarter past 7"),
        ("set a timer for half past six", {"minutes": 6}, "half past 6"),
        ("at quarter past seven set a timer for seven minutes", {"minutes": 7}, ""),
        ("dinner is at half past six, give it ten minutes", {"minutes": 10}, ""),
        ("an hour and a half", {"hours": 1, "minutes": 30}, ""),
    ],
)
def test_hour_of_a_clock_is_no_length(line: str, given: dict[str, Any], clock: str) -> None:
    signs = SignReader("en").read(line)
    assert at_clock(Call("set_timer", given), signs.digits, signs.words.spoken_clock) == clock
