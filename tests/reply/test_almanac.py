"""What stands in a fact or a result of days, hours and years is put in relation to now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from appliance.language.clock_times import find_moment
from appliance.reply.results.almanac import Span, almanac_of
from appliance.reply.understanding.templates import templates

NOW = datetime(2026, 3, 18, 21, 40, tzinfo=UTC)
"""A Wednesday."""
TEMPLATES = templates("en")
assert TEMPLATES
ALMANAC = almanac_of("en", find_moment, TEMPLATES.in_digits)


@pytest.mark.parametrize(
    ("line", "text", "beside"),
    [
        ("do the boxes go out tonight", "The boxes are fetched on Thursdays.", "[Thursday 19 March is tomorrow]"),
        (
            "is it choir tonight",
            "Choir is on Wednesday, chess on Sunday.",
            "[Wednesday is today; Sunday 22 March is in 4 days]",
        ),
        (
            "may i still ring aunt jo",
            "Aunt Jo sleeps from nine in the evening on.",
            "[9 in the evening was 40 minutes ago]",
        ),
        ("how long is the chemist open", "The chemist closes at 22:15.", "[22:15 is in 35 minutes]"),
        ("how old will finn be", "Finn was born in 2019.", "[2019 was 7 years ago]"),
        ("how old was she when she died", "Ida Rook (15 May 1890 - 12 May 1976).", "[from 1890 to 1976 are 85 years]"),
        ("how many years did the mill run", "It ran from 1850 to 1921.", "[from 1850 to 1921 are 71 years]"),
        ("when is the form due", "The form is due on 30 March.", "[30 March is in 12 days]"),
        ("is the visa still good", "The visa ends on 20 March 2026.", "[20 March 2026 is in 2 days]"),
        ("is the visa still good", "The visa was made on 2 May 2020.", ""),
        ("when was the party", "The party was on 1 March.", "[1 March was 17 days ago]"),
        ("is the pub still open", "It closes at 1 am.", "[1 am is in 3 hours 20 minutes]"),
        ("can i still go", "It opens at 07:30.", "[07:30 is in 9 hours 50 minutes]"),
        ("what do i pay for the milk now", "Milk is 13.50 a week.", ""),
        ("how long ago was it", "The user walks 2000 steps and eats 1800 calories.", ""),
        ("can i still go", "The user sees the dentist on Monday at 3 pm.", "[Monday 23 March is in 5 days]"),
        ("when did the sofa come", "It came last Friday.", ""),
        ("how long until anas birthday", "Ana's birthday is on 4 March.", "[4 March is in 351 days]"),
        ("how old is sam", "Sam was born on 3 December 2015.", "[3 December 2015 was 10 full years ago]"),
        ("how old was he when he died", "(April 26, 1564 - April 23, 1616)", "[from 1564 to 1616 are 51 years]"),
        ("how old was he when he died", "He lived from May 1564 to 23 April 1616.", ""),
        ("where is the mill", "It ran from 1850 to 1921.", ""),
        ("is the shop open", "Ask at 8, or at 9:30.", ""),
        ("what do i like", "Plums, most of all.", ""),
        ("how old is the house", "1810, 1820, 1830, 1840: nobody knows.", ""),
    ],
)
def test_how_it_stands_to_now(line: str, text: str, beside: str) -> None:
    assert ALMANAC
    assert ALMANAC.beside(line, [text], NOW) == beside


def test_a_day_that_does_not_exist_is_passed_over() -> None:
    assert ALMANAC
    assert ALMANAC.beside("when is it", ["It is on 31 June, or on 30 Smarch."], NOW) == ""


def test_there_is_one_in_german() -> None:
    german = templates("de")
    assert german
    pages = almanac_of("de", find_moment, german.in_digits)
    assert pages
    assert pages.beside("muss die tonne heute raus", ["Die Tonne wird donnerstags geleert."], NOW)


def test_a_language_without_a_file_has_none() -> None:
    assert almanac_of("fi", find_moment, str) is None


def test_a_span_is_all_that_is_asked() -> None:
    assert ALMANAC
    found = ALMANAC.span("how old was she when she died", "Ida Rook (15 May 1890 - 12 May 1976) was a potter.")
    assert found
    assert (found.first, found.last, found.years) == (1890, 1976, 85)
    told = "Ida Rook (born 15 May 1890 in Lund) was a potter. She opened her workshop in 1921. She died in 1976."
    assert ALMANAC.span("how old was ida rook when she opened the workshop", told) == Span(1890, 1921, 31)
    assert ALMANAC.span("how old was ida rook when she married", told) is None
    assert ALMANAC.span("where did she live", "Ida Rook (15 May 1890 - 12 May 1976) was a potter.") is None


@pytest.mark.parametrize(
    ("language", "line"), [("en", "and what age did she reach?"), ("de", "und wie alt wurde sie?")]
)
def test_an_age_of_somebody_who_was_spoken_of(language: str, line: str) -> None:
    words = templates(language)
    pages = almanac_of(language, find_moment, words.in_digits) if words else None
    assert pages
    found = pages.lived(line, "Ida Rook (1890 - 1976) was a potter.")
    assert found
    assert found.years == 86
    assert pages.lived(line.replace("she", "Ida Rook").replace("sie", "Ida Rook"), "Bo Rook (1890 - 1976)") is None


@pytest.mark.parametrize(
    ("line", "fact", "minutes"),
    [
        ("let me know 20 minutes before choir", "Choir is at 20:00.", 70),
        ("ring an hour before that", "Choir is on Saturdays at 8 pm.", 30),
        ("ring 1 hour 30 minutes beforehand", "Choir is at 20:00.", None),
        ("ring 20 minutes before choir", "Choir is on Tuesdays at 20:00.", None),
        ("ring 20 minutes before choir", "Choir is at 20:00, the bus goes at 19:10.", None),
        ("ring in 20 minutes", "Choir is at 20:00.", None),
        ("choir starts 20 minutes earlier today so set a timer for 10 minutes", "Choir is at 20:00.", None),
        ("choir is long so set a timer for 20 minutes before i forget", "Choir is at 20:00.", None),
        ("set a timer for 20 minutes before choir tomorrow", "Choir is at 20:00.", None),
        ("5 to 10 minutes before choir", "Choir is at 20:00.", None),
        ("ring a few minutes before choir", "Choir is at 20:00.", None),
        ("ring 20 minutes before choir", "Choir is on 2 April at 20:00.", None),
        ("ring 20 minutes before choir", "Choir ends at 21:30.", None),
        ("ring 20 minutes before choir", "The user takes warfarin at 20:00.", None),
        ("ring 20 minutes before breakfast", "Breakfast is at 7:30 am.", None),
    ],
)
def test_so_long_before_a_time_that_is_known(line: str, fact: str, minutes: int | None) -> None:
    assert ALMANAC
    assert TEMPLATES
    saturday = datetime(2026, 3, 14, 18, 30, tzinfo=UTC)
    ahead = ALMANAC.in_time_for(TEMPLATES.in_digits(line), [fact], saturday)
    assert ahead == (None if minutes is None else timedelta(minutes=minutes))
