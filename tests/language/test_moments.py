"""A day and a time together, and what was said of each."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import BadArgument
from appliance.language.moments import moment_name, parse_moment, spoken_moment

NOW = datetime(2026, 3, 11, 10, 20, tzinfo=ZoneInfo("Europe/Berlin"))
"""A Wednesday."""


THAT = datetime(2026, 3, 13, 15, 0, tzinfo=NOW.tzinfo)
"""The moment spoken of last."""
TIMES = [line.split("\t") for line in Path(__file__).with_name("times.tsv").read_text().splitlines()[1:]]
"""Written from how people say times, before the reader was changed for them."""


def at(said: str, now: datetime = NOW, language: str = "en") -> str | None:
    found = parse_moment(said, now, language, THAT)
    return f"{found.at:%Y-%m-%d %H:%M}" if found and found.at else None


@pytest.mark.parametrize(
    ("said", "when"),
    [
        ("half past six", "2026-03-11 18:30"),
        ("quarter to nine tomorrow evening", "2026-03-12 20:45"),
        ("tomorrow evening at quarter to nine", "2026-03-12 20:45"),
        ("7 tonight", "2026-03-11 19:00"),
        ("two tonight", "2026-03-12 02:00"),
        ("tomorrow night at 1", "2026-03-13 01:00"),
        ("at 6:30 pm on Friday", "2026-03-13 18:30"),
        ("Friday morning at 8", "2026-03-13 08:00"),
        ("on 20 December at 7 AM", "2026-12-20 07:00"),
        ("December 20th, 2027, 7:30 pm", "2027-12-20 19:30"),
        ("the first of the month at noon", "2026-04-01 12:00"),
        ("in two days at 18:00", "2026-03-13 18:00"),
        ("midnight tomorrow", "2026-03-13 00:00"),
        ("today at six", "2026-03-11 18:00"),
        ("today at 9 am", "2026-03-11 09:00"),
        ("in half an hour", "2026-03-11 10:50"),
        ("an hour and a half from now", "2026-03-11 11:50"),
    ],
)
def test_a_moment_is_found(said: str, when: str) -> None:
    assert at(said) == when


@pytest.mark.parametrize(
    ("said", "when"),
    [
        ("morgen früh um sieben", "2026-03-12 07:00"),
        ("heute Abend um acht", "2026-03-11 20:00"),
        ("am Freitag um halb acht abends", "2026-03-13 19:30"),
        ("in anderthalb Stunden", "2026-03-11 11:50"),
        ("am 20. Dezember um 19 Uhr 30", "2026-12-20 19:30"),
    ],
)
def test_german_moments(said: str, when: str) -> None:
    assert at(said, language="de") == when


@pytest.mark.parametrize(("language", "said", "when"), TIMES, ids=lambda each: each)
def test_how_people_say_times(language: str, said: str, when: str) -> None:
    """when: the moment; "ask" and the day where no time of day was said; "none" for what is asked about as a whole."""
    found = parse_moment(said, NOW, language, THAT)
    if found is None:
        read = "none"
    else:
        read = f"{found.at:%Y-%m-%d %H:%M}" if found.at else f"ask {found.day or ''}".strip()
    assert read in when.split("|")


@pytest.mark.parametrize("said", ["an hour before that", "two hours later", "the day before at noon"])
def test_nothing_is_reckoned_from_a_moment_that_nobody_spoke_of(said: str) -> None:
    assert parse_moment(said, NOW) is None


@pytest.mark.parametrize(
    "said",
    [
        "",
        "call mum",
        "the second one",
        "9 20 December",
        "pasta at six",
        "tomorrow evening at 7 am",
        "ten minutes",
        "x " * 40,
    ],
)
def test_what_is_no_moment(said: str) -> None:
    assert parse_moment(said, NOW) is None


def test_a_day_that_there_is_not_is_asked_about() -> None:
    with pytest.raises(BadArgument, match="There is no"):
        parse_moment("31 June at six", NOW)


def test_it_is_told_what_was_said() -> None:
    monday = parse_moment("on Monday", NOW)
    assert monday is not None
    assert (monday.at, monday.day, monday.clock) == (None, date(2026, 3, 16), None)
    evening = parse_moment("tomorrow evening", NOW)
    assert evening is not None
    assert evening.at is None
    assert evening.part is not None
    length = parse_moment("in ten minutes", NOW)
    assert length is not None
    assert (length.after_s, length.day) == (600, None)


@pytest.mark.parametrize(
    ("said", "is_open"),
    [
        ("at six", True),
        ("Friday at six", True),
        ("today at six", False),
        ("six in the evening", False),
        ("18:00", False),
    ],
)
def test_it_is_told_whether_the_half_of_the_day_was_open(said: str, is_open: bool) -> None:
    found = parse_moment(said, NOW)
    assert found is not None
    assert found.half_open is is_open


def test_after_midnight_tonight_is_still_the_same_night() -> None:
    late = NOW.replace(hour=0, minute=30)
    assert at("two tonight", late) == "2026-03-11 02:00"
    assert at("7 tonight", late) == "2026-03-11 19:00"


def test_a_length_from_now_runs_over_the_change_of_the_clocks() -> None:
    assert at("in two hours", datetime(2026, 3, 29, 1, 30, tzinfo=NOW.tzinfo)) == "2026-03-29 04:30"


def test_a_time_that_the_clocks_skip_is_the_moment_after_the_gap() -> None:
    before = datetime(2026, 3, 28, 12, tzinfo=NOW.tzinfo)
    assert at("tomorrow at 2:30 am", before) == "2026-03-29 03:00"
    assert at("half past two at night", before) == "2026-03-29 03:00"


@pytest.mark.parametrize(
    ("moment", "said", "name"),
    [
        (datetime(2026, 3, 11, 19), "at 7 PM", "7 PM today"),
        (datetime(2026, 3, 12, 7), "tomorrow at 7 AM", "7 AM tomorrow"),
        (datetime(2026, 3, 13, 12), "on Friday at noon", "noon on Friday"),
        (datetime(2026, 3, 13), "on Friday at 12 AM", "12 AM on Friday"),
        (datetime(2026, 12, 20, 7, 5), "on 20 December at 7:05 AM", "7:05 AM on 20 December"),
    ],
)
def test_a_moment_is_said_as_people_say_it(moment: datetime, said: str, name: str) -> None:
    moment = moment.replace(tzinfo=NOW.tzinfo)
    assert spoken_moment(moment, NOW) == said
    assert moment_name(moment, NOW) == name


@given(st.integers(1, 2 * 366 * 1440))
def test_a_spoken_moment_is_read_back(minutes: int) -> None:
    now = NOW.replace(tzinfo=None)  # without the hours that there are twice, or not at all
    moment = now + timedelta(minutes=minutes)
    for said in (spoken_moment(moment, now), moment_name(moment, now)):
        found = parse_moment(said, now)
        assert found is not None
        assert found.at == moment, said


@given(st.text(max_size=60), st.sampled_from(["en", "de"]))
def test_any_text_is_a_moment_or_none(text: str, language: str) -> None:
    with suppress(BadArgument):
        parse_moment(text, NOW, language)
