"""Times of day are read as people say them, and what is spoken is read back."""

from __future__ import annotations

from datetime import datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.language.clock_times import find_moment, parse_clock_time, spoken_time
from appliance.tts.spoken import spoken

MORNING = datetime(2026, 3, 11, 10, 20)


@pytest.mark.parametrize(
    ("said", "clock"),
    [
        ("half past six", "18:30"),
        ("half six", "18:30"),
        ("half three", "15:30"),
        ("a quarter to nine", "20:45"),
        ("ten to six", "17:50"),
        ("twenty-five to four", "15:35"),
        ("five minutes to three", "14:55"),
        ("six thirty", "18:30"),
        ("fifteen thirty", "15:30"),
        ("nine oh five", "21:05"),
        ("eleven oh five", "11:05"),
        ("at six", "18:00"),
        ("6:30 p.m.", "18:30"),
        ("7am", "07:00"),
        ("07:30", "07:30"),
        ("0:20", "00:20"),
        ("twelve thirty", "12:30"),
        ("12:30 am", "00:30"),
        ("12 pm", "12:00"),
        ("noon", "12:00"),
        ("quarter past midnight", "00:15"),
        ("five to midnight", "23:55"),
        ("seven in the morning", "07:00"),
        ("in the evening at nine", "21:00"),
        ("two at night", "02:00"),
        ("ten at night", "22:00"),
        ("7 tonight", "19:00"),
        ("eighteen hundred hours", "18:00"),
    ],
)
def test_the_next_such_time_is_meant(said: str, clock: str) -> None:
    found = find_moment(said, MORNING)
    assert found is not None
    assert f"{found:%H:%M}" == clock
    assert found > MORNING


@pytest.mark.parametrize(
    ("said", "clock"),
    [
        ("halb sieben", "18:30"),
        ("dreiviertel sieben", "18:45"),
        ("fünf vor halb sieben", "18:25"),
        ("Viertel nach sechs", "18:15"),
        ("achtzehn Uhr dreißig", "18:30"),
        ("um ein Uhr", "13:00"),
        ("acht Uhr abends", "20:00"),
        ("Mitternacht", "00:00"),
    ],
)
def test_german_times(said: str, clock: str) -> None:
    found = find_moment(said, MORNING, "de")
    assert found is not None
    assert f"{found:%H:%M}" == clock


@pytest.mark.parametrize(
    "said", ["", "half", "ten minutes", "friday", "25 o'clock", "half an hour", "15 in the morning"]
)
def test_what_is_no_time_of_day(said: str) -> None:
    assert parse_clock_time(said) is None


@pytest.mark.parametrize(("said", "is_open"), [("six", True), ("6 pm", False), ("18:00", False), ("noon", False)])
def test_it_is_told_whether_the_half_of_the_day_was_left_open(said: str, is_open: bool) -> None:
    found = parse_clock_time(said)
    assert found is not None
    assert found.open is is_open


def every_minute() -> list[time]:
    return [time(hour, minute) for hour in range(24) for minute in range(60)]


def read_back(said: str, language: str = "en") -> list[int]:
    """The minutes of the day it may be."""
    found = parse_clock_time(said, language)
    return [minutes % 1440 for minutes in found.choices()] if found else []


def test_every_spoken_minute_is_read_back() -> None:
    for clock in every_minute():
        minutes = 60 * clock.hour + clock.minute
        for said in (spoken_time(clock), spoken_time(clock, with_day=True), spoken(spoken_time(clock))):
            assert read_back(said) == [minutes], said
        assert minutes in read_back(spoken(f"{clock:%H:%M}")), clock
        assert minutes in read_back(spoken_time(clock, "de"), "de"), clock


@given(st.text(max_size=40), st.sampled_from(["en", "de"]))
def test_any_text_is_a_time_or_none(text: str, language: str) -> None:
    find_moment(text, MORNING, language)
