"""Which day is meant, seen from a Saturday in March and from a few days that are harder."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import BadArgument
from appliance.language.dates import find_day, spoken_date, spoken_day
from appliance.reply.understanding.fastlane import FastLane
from appliance.simulated import HandSetClock
from appliance.skills.clock.tools import Timekeeper
from appliance.skills.loader import sentences_on_board
from appliance.tts.spoken import spoken

SATURDAY = date(2026, 3, 14)


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("today", "2026-03-14"),
        ("the day after tomorrow", "2026-03-16"),
        ("Friday", "2026-03-20"),
        ("next saturday", "2026-03-21"),
        ("the weekend", "2026-03-14"),
        ("next weekend", "2026-03-21"),
        ("the end of the week", "2026-03-15"),
        ("end of this month", "2026-03-31"),
        ("the end of the year", "2026-12-31"),
        ("next month", "2026-04-01"),
        ("14 March", "2026-03-14"),
        ("the 13th of March", "2027-03-13"),
        ("Dec. 3rd", "2026-12-03"),
        ("May 1, 2031", "2031-05-01"),
        ("2026-02-01", "2026-02-01"),
        ("Christmas Day", "2026-12-25"),
        ("New Year’s Eve", "2026-12-31"),
        ("29 February", "2028-02-29"),
        ("the third of april", "2026-04-03"),
        ("August twenty-second", "2026-08-22"),
        ("the thirty first of january 2028", "2028-01-31"),
        ("the first of next month", "2026-04-01"),
        ("the thirtieth of the month", "2026-03-30"),
        ("the 20th", "2026-03-20"),
        ("the 2nd", "2026-04-02"),
        ("Easter", "2026-04-05"),
        ("good friday", "2026-04-03"),
    ],
)
def test_day_is_found(said: str, day: str) -> None:
    assert find_day(said, SATURDAY) == date.fromisoformat(day)


@pytest.mark.parametrize(
    "said",
    ["", "someday", "31 June", "30 February", "m 3", "40 May", "1 2 3", "May", "7", "the thirty first of next month"],
)
def test_what_is_no_day_is_asked_about(said: str) -> None:
    with pytest.raises(BadArgument):
        find_day(said, SATURDAY)


@given(st.text(max_size=40), st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_any_text_gives_a_day_or_a_question(said: str, today: date) -> None:
    with suppress(BadArgument):
        find_day(said, today)


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ("the 2nd of april", "That is Thursday, 2 April 2026."),
        ("today", "It is 6:30 PM."),
        ("morning", "It is 6:30 PM."),
    ],
)
def test_a_day_is_not_answered_with_the_time(day: str, said: str) -> None:
    assert Timekeeper(HandSetClock(datetime(2026, 3, 14, 18, 30, tzinfo=UTC))).get_time(day=day) == said


@pytest.mark.parametrize(
    ("heard", "said"),
    [
        ("how many days is it to boxing day", "It is 287 days to Saturday, 26 December 2026."),
        ("how long is it till sunday", "It is 1 day to Sunday, 15 March 2026."),
        ("what weekday is the second of april", "That is Thursday, 2 April 2026."),
        ("when is new year's eve", "That is Thursday, 31 December 2026."),
        ("how many days until march 14th", "That is today, Saturday, 14 March 2026."),
        ("is it already sunday", "It is Saturday, 14 March 2026."),
    ],
)
def test_calendar_needs_no_model(heard: str, said: str) -> None:
    keeper = Timekeeper(HandSetClock(datetime(2026, 3, 14, 18, 30, tzinfo=UTC)))
    match = FastLane("en", sentences=sentences_on_board()).match(heard)
    assert match is not None
    assert match.intent == "get_time"
    assert keeper.get_time(**match.arguments) == said


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("3 days from now", date(2026, 3, 17)),
        ("in two weeks", date(2026, 3, 28)),
        ("a week on Tuesday", date(2026, 3, 24)),
        ("a fortnight ago", date(2026, 2, 28)),
        ("two weeks from friday", date(2026, 4, 3)),
        ("in ten days' time", date(2026, 3, 24)),
        ("2 days from tomorrow", date(2026, 3, 17)),
    ],
)
def test_days_are_counted_off(said: str, day: date) -> None:
    assert find_day(said, date(2026, 3, 14)) == day


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("in a month", date(2026, 4, 14)),
        ("in 1 day", date(2026, 3, 15)),
        ("last friday", date(2026, 3, 13)),
        ("last saturday", date(2026, 3, 7)),
        ("friday week", date(2026, 3, 27)),
        ("Friday the 13th", date(2026, 11, 13)),
        ("friday the 20th of march", date(2026, 3, 20)),
        ("the first of the month", date(2026, 4, 1)),
    ],
)
def test_days_as_people_name_them(said: str, day: date) -> None:
    assert find_day(said, SATURDAY) == day


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("übermorgen", date(2026, 3, 16)),
        ("am nächsten Freitag", date(2026, 3, 20)),
        ("20. Dezember", date(2026, 12, 20)),
        ("am dritten Oktober", date(2026, 10, 3)),
        ("in drei Wochen", date(2026, 4, 4)),
        ("vor zwei Tagen", date(2026, 3, 12)),
        ("Ende des Monats", date(2026, 3, 31)),
        ("Ostermontag", date(2026, 4, 6)),
        ("Heiligabend", date(2026, 12, 24)),
    ],
)
def test_german_days(said: str, day: date) -> None:
    assert find_day(said, SATURDAY, "de") == day


def test_a_date_with_the_wrong_weekday_is_asked_about() -> None:
    with pytest.raises(BadArgument, match="no such weekday"):
        find_day("Friday 21 March 2026", SATURDAY)


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_spoken_day_of_five_years_is_read_back(language: str) -> None:
    for away in range(5 * 366):
        day = SATURDAY + timedelta(days=away)
        assert find_day(spoken_date(day, language), SATURDAY, language) == day
        assert find_day(spoken_day(day, SATURDAY, language), SATURDAY, language) == day


def test_what_the_voice_says_of_every_day_is_read_back() -> None:
    for away in range(5 * 366):
        day = SATURDAY + timedelta(days=away)
        assert find_day(spoken(spoken_date(day)), SATURDAY) == day


def test_a_day_before_the_calendar_begins_is_told() -> None:
    with pytest.raises(BadArgument, match="There is no"):
        find_day("999 years before 1 January 0900", SATURDAY)
