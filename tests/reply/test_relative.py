"""A setting so much more or less than what was found, and the day behind the one that was asked about."""

from __future__ import annotations

import pytest

from appliance.reply.calls.ellipsis import next_day
from appliance.reply.calls.relative import beyond
from appliance.reply.plan import Call
from appliance.reply.understanding.signs import SignReader

WORDS = SignReader("en").read("").words


@pytest.mark.parametrize(
    ("line", "found", "written", "meant"),
    [
        ("put it 3 degrees up from that", "attic: set to 17 degrees, now 15.5 degrees", "16 degrees", "20 degrees"),
        ("make it 2 degrees lower than it is", "Bathroom heating: 22 degrees", "21", "20"),
        ("put it 3 degrees up from that", "17 degrees, or 18 degrees", "19 degrees", "19 degrees"),
        ("put it on 19", "set to 17 degrees", "19 degrees", "19 degrees"),
    ],
)
def test_so_much_more_or_less(line: str, found: str, written: str, meant: str) -> None:
    call = Call("home_set", {"device": "attic heating", "state": written})
    assert beyond(call, line, found, WORDS, str).arguments["state"] == meant


@pytest.mark.parametrize(
    ("line", "before", "written", "meant"),
    [
        ("and the day after", "tomorrow", "tomorrow", "the day after tomorrow"),
        ("what about the next day", "Friday", "friday", "saturday"),
        ("and the day after", "tomorrow", "Monday", "Monday"),
        ("and in Rome", "tomorrow", "tomorrow", "tomorrow"),
    ],
)
def test_the_day_behind(line: str, before: str, written: str, meant: str) -> None:
    earlier, call = [Call("get_weather", {"day": before})], Call("get_weather", {"day": written})
    assert next_day(call, earlier, line, WORDS).arguments["day"] == meant
