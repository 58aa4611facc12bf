from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from appliance.errors import BadArgument
from appliance.language.clock_times import find_moment, spoken_time
from appliance.language.moments import spoken_moment
from appliance.settings import Settings, Words
from appliance.simulated import HandSetClock, skill_context
from appliance.skills.clock import make
from appliance.skills.clock.places import SEVERAL, _known, find
from appliance.skills.clock.tools import Timekeeper

NIGHT = datetime(2025, 11, 21, 23, 5, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("", "It is 11:05 PM."),
        ("here", "It is 11:05 PM."),
        ("Tokyo", "It is 7:05 AM on Saturday in Tokyo."),
        ("new york", "It is 5:05 PM in New York."),
        ("New York City", "It is 5:05 PM in New York City."),
        ("Mumbai", "It is 3:35 AM on Saturday in Mumbai."),
        ("sao paulo", "It is 7:05 PM in São Paulo."),
        ("St. Louis", "It is 4:05 PM in St. Louis."),
        ("the UK", "It is 10:05 PM in UK."),
        ("China", "It is 6:05 AM on Saturday in China."),
        ("Spain", "It is 11:05 PM in Spain."),
        ("California", "It is 2:05 PM in California."),
        ("Paris, Texas", "It is 4:05 PM in Paris, Texas."),
        ("Sydney, Australia", "It is 9:05 AM on Saturday in Sydney."),
        ("Europe/London", "It is 10:05 PM in London."),
        ("america/port_of_spain", "It is 6:05 PM in Port of Spain."),
        ("Nairobie", "It is 1:05 AM on Saturday in Nairobi."),
    ],
)
def test_the_time_is_told_anywhere(place: str, said: str) -> None:
    assert Timekeeper(HandSetClock(NIGHT)).get_time(place) == said


def test_the_time_where_the_box_stands_is_its_own() -> None:
    assert Timekeeper(HandSetClock(NIGHT), "Stirling, Scotland").get_time("Stirling") == "It is 11:05 PM."


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ("midnight", "It is 55 minutes to midnight."),
        ("10 past 11", "It is 5 minutes to 11:10 PM."),
        ("quarter to 12", "It is 40 minutes to 11:45 PM."),
        ("7:30 am", "It is 8 hours 25 minutes to 7:30 AM."),
        ("8 o'clock", "It is 8 hours 55 minutes to 8 AM."),
        ("23:06", "It is 1 minute to 11:06 PM."),
        ("6 in the evening", "It is 18 hours 55 minutes to 6 PM."),
    ],
)
def test_minutes_to_a_time_of_day(day: str, said: str) -> None:
    assert Timekeeper(HandSetClock(NIGHT)).get_time(day=day) == said


@pytest.mark.parametrize(
    ("now", "day", "said"),
    [
        (datetime(2026, 3, 28, 23, 0), "8 am", "It is 8 hours to 8 AM."),
        (datetime(2026, 10, 24, 23, 0), "8 am", "It is 10 hours to 8 AM."),
        (datetime(2026, 10, 25, 2, 30), "quarter to 3", "It is 15 minutes to 2:45 AM."),
        (datetime(2026, 10, 25, 2, 50), "quarter to 3", "It is 55 minutes to 2:45 AM."),
        (datetime(2026, 10, 25, 2, 30, fold=1), "quarter to 3", "It is 15 minutes to 2:45 AM."),
    ],
)
def test_minutes_in_the_nights_when_the_clocks_change(now: datetime, day: str, said: str) -> None:
    assert Timekeeper(HandSetClock(now.replace(tzinfo=NIGHT.tzinfo))).get_time(day=day) == said


@pytest.mark.parametrize("said", ["", "friday", "the 3rd", "25 o'clock", "99", "half", "christmas"])
def test_what_is_no_time_of_day(said: str) -> None:
    assert find_moment(said, NIGHT) is None


def test_the_date_is_the_one_at_that_place() -> None:
    keeper = Timekeeper(HandSetClock(NIGHT))
    assert keeper.get_time(what="date") == "It is Friday, 21 November 2025."
    assert keeper.get_time("Tokyo", "date") == "It is Saturday, 22 November 2025 in Tokyo."


def test_a_number_that_no_clock_has_is_a_day_of_the_month() -> None:
    keeper = Timekeeper(HandSetClock(NIGHT))
    assert keeper.get_time(what="days", day="23") == "It is 2 days to Sunday, 23 November 2025."


@pytest.mark.parametrize("place", ["Narnia", "the moon", "Middle-earth", "../../etc/passwd", "/", ",", "x" * 80])
def test_a_place_nobody_knows_is_not_guessed(place: str) -> None:
    with pytest.raises(BadArgument, match="I do not know what the time is in"):
        Timekeeper(HandSetClock(NIGHT)).get_time(place)


@pytest.mark.parametrize("place", ["United States", "Australia", "Russia", "Georgia"])
def test_a_place_with_several_times_asks_for_a_city(place: str) -> None:
    with pytest.raises(BadArgument, match=r"There is more than one time in .* Which city\?"):
        Timekeeper(HandSetClock(NIGHT)).get_time(place)


@pytest.mark.parametrize(
    ("place", "zone"),
    [
        ("los angeles", "America/Los_Angeles"),
        ("Los Ángeles", "America/Los_Angeles"),
        ("San Jose", "America/Los_Angeles"),
        ("Concepción", "America/Santiago"),
        ("bali", "Asia/Makassar"),
    ],
)
def test_of_two_places_that_sound_alike_the_larger_is_meant(place: str, zone: str) -> None:
    assert find(place)[1] == ZoneInfo(zone)


def test_every_zone_in_the_list_exists() -> None:
    zones = {zone for _, zone in _known().values()} - {SEVERAL}
    assert len(_known()) > 5_000
    for zone in zones:
        ZoneInfo(zone)


@pytest.mark.parametrize(
    ("hour", "minute", "said"),
    [
        (0, 0, "midnight"),
        (0, 1, "12:01 AM"),
        (9, 0, "9 AM"),
        (12, 0, "noon"),
        (12, 30, "12:30 PM"),
        (23, 59, "11:59 PM"),
    ],
)
def test_a_time_is_written_to_be_heard(hour: int, minute: int, said: str) -> None:
    assert spoken_time(NIGHT.replace(hour=hour, minute=minute)) == said


@pytest.mark.parametrize(
    ("ago_h", "said"),
    [(2, "at 9:05 PM"), (24, "yesterday at 11:05 PM"), (72, "on 18 November at 11:05 PM")],
)
def test_a_past_moment_says_its_day_when_that_was_another(ago_h: int, said: str) -> None:
    moment = (NIGHT - timedelta(hours=ago_h)).astimezone(ZoneInfo("UTC"))
    assert spoken_moment(moment, NIGHT) == said


@pytest.mark.parametrize(("language", "doubt"), [("en", "But my clock may be wrong."), ("de", "Meine Uhr geht aber")])
@pytest.mark.parametrize("trusted", [True, False])
def test_a_clock_that_nothing_has_set_is_told_with_a_doubt(language: str, doubt: str, trusted: bool) -> None:
    context = skill_context(clock=HandSetClock(NIGHT, trusted), settings=Settings(words=Words(language=language)))
    (get_time,) = (tool for tool in make(context).tools if tool.name == "get_time")
    for asked in ({}, {"place": "Tokyo"}, {"what": "date"}, {"what": "days", "day": "Christmas"}):
        assert (doubt in get_time.call(asked)) != trusted
