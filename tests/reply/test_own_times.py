"""How the days and hours that a line itself names stand to now is told without the model."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from rig import Rig

from appliance.language.clock_times import find_moment
from appliance.language.days import day_or_none
from appliance.reply.results.own_times import OwnTimes, own_times
from appliance.reply.understanding.signs import SignReader

NOW = datetime(2026, 3, 18, 14, 40, tzinfo=UTC)
"""A Wednesday."""
ENGLISH = SignReader("en")


def pages() -> OwnTimes:
    found = own_times("en", find_moment, day_or_none)
    assert found
    return found


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("the library closes at three so can i still return this", "Yes, 15:00 is in 20 minutes."),
        ("the market packs up at half past two, can we still make it", "No, half past 2 was 10 minutes ago."),
        ("the sale started at quarter past two, am i too late", "Yes, quarter past 2 was 25 minutes ago."),
        (
            "she had her drops at noon and it's six hours between them, may she have more now",
            "Not yet, 6 hours after noon is 18:00, in 3 hours 20 minutes.",
        ),
        (
            "the ferry leaves at 16:10 and the drive is 45 minutes, how long have we got",
            "45 minutes before 16:10 is 15:25, in 45 minutes.",
        ),
        ("the surgery is open Mondays and Thursdays. Can I go tomorrow?", "Yes, tomorrow is Thursday 19 March."),
        ("the surgery is open Mondays and Fridays. Can I go tomorrow?", "No, tomorrow is Thursday 19 March."),
        ("this cream says the tenth of march, is it out of date", "Yes, the tenth of March was 8 days ago."),
        (
            "bruno was born on the fourth of january, how many months is he",
            "The fourth of January was 2 full months ago.",
        ),
        ("mum was born in may nineteen forty one, how old is she", "May 1941 was 84 full years ago, 85 in May."),
        ("is it easter sunday yet", "Not yet, easter sunday is in 18 days."),
        ("has the day gone past noon already or is it still morning", "Noon was 2 hours 40 minutes ago."),
    ],
)
def test_it_is_told(line: str, told: str) -> None:
    assert pages().answer(ENGLISH.read(line), NOW) == told


@pytest.mark.parametrize(
    "line",
    [
        "do i need boots tomorrow or will it be dry",
        "the shop closes at three so turn the oven off",
        "if it's past three turn the oven off",
        "the surgery is open from eight till one on fridays, can i still go",
        "how many days is it till christmas",
        "the bus was late again at eight",
        "can i still go",
        "the pool is closed on Thursdays, can i go tomorrow and is it warm",
    ],
)
def test_anything_else_is_for_the_model(line: str) -> None:
    assert "es, " not in (told := pages().answer(ENGLISH.read(line), NOW))
    assert not told.startswith("No")


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("the parcel comes the day after tomorrow, which day is that", "the day after tomorrow"),
        ("what day of the week is the second of may", "the second of may"),
        ("rent is due on the first of next month, what weekday is that", "the first of next month"),
        ("what day is it today and is there school tomorrow", ""),
        ("which day did she say", ""),
    ],
)
def test_the_day_of_which_the_weekday_is_asked(line: str, day: str) -> None:
    assert pages().which_day(ENGLISH.read(line)) == day


def test_there_is_none_in_other_languages() -> None:
    assert own_times("de", find_moment, day_or_none) is None
    assert own_times("fi", find_moment, day_or_none) is None


def test_no_model_is_asked() -> None:
    rig = Rig(parts={"moment_of": find_moment, "day_of": day_or_none})
    rig.clock.set(NOW)
    record = rig.say("the library closes at midnight so can i still return this")
    assert record.lane == "fast"
    assert record.said.startswith("Yes, midnight is in ")
    assert rig.read == []
