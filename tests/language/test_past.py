"""Which days are meant by a time that is over; it is 2:45 PM on Saturday, 28 November 2026."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from appliance.errors import BadArgument
from appliance.language.past import past_time, split_past

NOW = datetime(2026, 11, 28, 14, 45, tzinfo=ZoneInfo("Europe/Berlin"))


def read(text: str, language: str = "en") -> tuple[str, str] | None:
    found = past_time(text, NOW, language)
    return (f"{found.begin:%Y-%m-%d %H}", f"{found.end:%Y-%m-%d %H}") if found else None


@pytest.mark.parametrize(
    ("text", "begin", "end"),
    [
        ("today", "2026-11-28 00", "2026-11-29 00"),
        ("the day before yesterday", "2026-11-26 00", "2026-11-27 00"),
        ("on Tuesday", "2026-11-24 00", "2026-11-25 00"),
        ("Saturday", "2026-11-21 00", "2026-11-22 00"),
        ("last Monday", "2026-11-23 00", "2026-11-24 00"),
        ("three days ago", "2026-11-25 00", "2026-11-26 00"),
        ("on the third", "2026-11-03 00", "2026-11-04 00"),
        ("on the 29th", "2026-10-29 00", "2026-10-30 00"),
        ("3 March", "2026-03-03 00", "2026-03-04 00"),
        ("this week", "2026-11-23 00", "2026-11-30 00"),
        ("last week", "2026-11-16 00", "2026-11-23 00"),
        ("two weeks ago", "2026-11-09 00", "2026-11-16 00"),
        ("last month", "2026-10-01 00", "2026-11-01 00"),
        ("in March", "2026-03-01 00", "2026-04-01 00"),
        ("in December", "2025-12-01 00", "2026-01-01 00"),
        ("March 2025", "2025-03-01 00", "2025-04-01 00"),
        ("in 2024", "2024-01-01 00", "2025-01-01 00"),
        ("over the weekend", "2026-11-28 00", "2026-11-30 00"),
        ("this morning", "2026-11-28 00", "2026-11-28 12"),
        ("yesterday evening", "2026-11-27 16", "2026-11-28 01"),
        ("on Tuesday evening", "2026-11-24 16", "2026-11-25 01"),
        ("last night", "2026-11-27 18", "2026-11-28 06"),
    ],
)
def test_what_is_over_has_a_beginning_and_an_end(text: str, begin: str, end: str) -> None:
    assert read(text) == (begin, end)


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        ("heute", "2026-11-28 00"),
        ("gestern Abend", "2026-11-27 16"),
        ("am Dienstag", "2026-11-24 00"),
        ("letzte Woche", "2026-11-16 00"),
        ("im März", "2026-03-01 00"),
        ("vor zwei Wochen", "2026-11-09 00"),
        ("vor drei Tagen", "2026-11-25 00"),
    ],
)
def test_it_is_read_in_german(text: str, begin: str) -> None:
    found = read(text, "de")
    assert found
    assert found[0] == begin


@pytest.mark.parametrize("text", ["tomorrow", "next week", "in two days", "the dentist", "", "how are you"])
def test_what_is_ahead_or_no_time_is_none(text: str) -> None:
    assert read(text) is None


def test_a_day_that_there_is_not_is_said() -> None:
    with pytest.raises(BadArgument, match="no 31 june"):
        past_time("31 June", NOW)


@pytest.mark.parametrize(
    ("text", "about", "timed"),
    [("the hedge in April", "the hedge", True), ("the dentist", "the dentist", False), ("on Tuesday", "", True)],
)
def test_the_time_at_the_end_is_taken_off(text: str, about: str, timed: bool) -> None:
    rest, found = split_past(text, NOW)
    assert (rest, found is not None) == (about, timed)


def test_a_day_of_the_change_of_the_clocks_has_25_hours() -> None:
    found = past_time("25 October", NOW)
    assert found
    assert (found.end.timestamp() - found.begin.timestamp()) == 25 * 3_600
