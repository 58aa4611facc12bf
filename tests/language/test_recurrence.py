"""What comes again: how people say it, when it comes, and that what is said of it is read back."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import BadArgument
from appliance.language.clock_times import on_the_clocks
from appliance.language.recurrence import parse_recurrence, spoken_recurrence
from appliance.language.recurrence_rules import DAYS, next_after, parts_of, rule_of

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 11, 10, 20, tzinfo=BERLIN)
"""A Wednesday."""
WORKDAYS = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"


def read(said: str, language: str = "en") -> tuple[str, str] | None:
    """The rule and its first moment; "ask" for a rule without a time of day."""
    found = parse_recurrence(said, NOW, language)
    return (found.rule, f"{found.first:%Y-%m-%d %H:%M}" if found.first else "ask") if found else None


@pytest.mark.parametrize(
    ("said", "rule", "first"),
    [
        ("every weekday at half past six", f"{WORKDAYS};BYHOUR=18;BYMINUTE=30", "2026-03-11 18:30"),
        ("weekdays at 7 am", f"{WORKDAYS};BYHOUR=7;BYMINUTE=0", "2026-03-12 07:00"),
        ("at seven in the morning on weekdays", f"{WORKDAYS};BYHOUR=7;BYMINUTE=0", "2026-03-12 07:00"),
        ("weekday mornings at 6:15", f"{WORKDAYS};BYHOUR=6;BYMINUTE=15", "2026-03-12 06:15"),
        ("monday to friday at seven thirty a.m.", f"{WORKDAYS};BYHOUR=7;BYMINUTE=30", "2026-03-12 07:30"),
        ("every day at noon", "FREQ=DAILY;BYHOUR=12;BYMINUTE=0", "2026-03-11 12:00"),
        ("every morning at 7", "FREQ=DAILY;BYHOUR=7;BYMINUTE=0", "2026-03-12 07:00"),
        ("every night at one", "FREQ=DAILY;BYHOUR=1;BYMINUTE=0", "2026-03-12 01:00"),
        ("every morning", "FREQ=DAILY", "ask"),
        ("every other day at 8 pm", "FREQ=DAILY;INTERVAL=2;BYHOUR=20;BYMINUTE=0", "2026-03-11 20:00"),
        ("every second Monday at 9", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYHOUR=9;BYMINUTE=0", "2026-03-16 09:00"),
        ("every other week on Tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "ask"),
        ("Mondays and Thursdays at ten to six", "FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=5;BYMINUTE=50", "2026-03-12 05:50"),
        ("every Friday at midnight", "FREQ=WEEKLY;BYDAY=SA;BYHOUR=0;BYMINUTE=0", "2026-03-14 00:00"),
        ("at weekends", "FREQ=WEEKLY;BYDAY=SA,SU", "ask"),
        ("the first of every month", "FREQ=MONTHLY;BYMONTHDAY=1", "ask"),
        ("the last day of every month at noon", "FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=12;BYMINUTE=0", "2026-03-31 12:00"),
        ("the last Friday of the month at 5", "FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=5;BYMINUTE=0", "2026-03-27 05:00"),
        (
            "every 3 months on the 15th at 9 am",
            "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=15;BYHOUR=9;BYMINUTE=0",
            "2026-03-15 09:00",
        ),
        ("every 20 December at 9", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=20;BYHOUR=9;BYMINUTE=0", "2026-12-20 09:00"),
        ("every three hours", "FREQ=HOURLY;INTERVAL=3", "2026-03-11 13:20"),
        ("every half hour", "FREQ=MINUTELY;INTERVAL=30", "2026-03-11 10:50"),
        (
            "every day except Sunday at seven in the morning",
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA;BYHOUR=7;BYMINUTE=0",
            "2026-03-12 07:00",
        ),
        ("every day but weekends", WORKDAYS, "ask"),
        ("every day apart from Mondays", "FREQ=WEEKLY;BYDAY=TU,WE,TH,FR,SA,SU", "ask"),
        ("during the week at 7 am", f"{WORKDAYS};BYHOUR=7;BYMINUTE=0", "2026-03-12 07:00"),
        ("every Friday at 12", "FREQ=WEEKLY;BYDAY=FR;BYHOUR=12;BYMINUTE=0", "2026-03-13 12:00"),
    ],
)
def test_how_people_say_what_comes_again(said: str, rule: str, first: str) -> None:
    assert read(said) == (rule, first)


@pytest.mark.parametrize(
    ("said", "rule", "first"),
    [
        ("jeden Werktag um halb sieben", f"{WORKDAYS};BYHOUR=18;BYMINUTE=30", "2026-03-11 18:30"),
        ("werktags um sieben Uhr morgens", f"{WORKDAYS};BYHOUR=7;BYMINUTE=0", "2026-03-12 07:00"),
        ("alle zwei Wochen montags", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "ask"),
        ("jeden zweiten Montag um neun", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYHOUR=9;BYMINUTE=0", "2026-03-16 09:00"),
        ("jeden Morgen um sieben", "FREQ=DAILY;BYHOUR=7;BYMINUTE=0", "2026-03-12 07:00"),
        ("täglich um 20 Uhr", "FREQ=DAILY;BYHOUR=20;BYMINUTE=0", "2026-03-11 20:00"),
        (
            "montags und donnerstags um zehn vor sechs",
            "FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=5;BYMINUTE=50",
            "2026-03-12 05:50",
        ),
        ("am ersten jedes Monats um neun Uhr", "FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=9;BYMINUTE=0", "2026-04-01 09:00"),
        ("am letzten Freitag im Monat um 17 Uhr", "FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0", "2026-03-27 17:00"),
        ("jeden 20. Dezember um neun", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=20;BYHOUR=9;BYMINUTE=0", "2026-12-20 09:00"),
        ("alle drei Stunden", "FREQ=HOURLY;INTERVAL=3", "2026-03-11 13:20"),
        ("unter der Woche um 7 Uhr morgens", f"{WORKDAYS};BYHOUR=7;BYMINUTE=0", "2026-03-12 07:00"),
        ("am Wochenende immer um 14 Uhr", "FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=14;BYMINUTE=0", "2026-03-14 14:00"),
        (
            "am letzten Tag im Monat um 17 Uhr immer",
            "FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=17;BYMINUTE=0",
            "2026-03-31 17:00",
        ),
        ("jeden Ersten des Monats um 18 Uhr", "FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=18;BYMINUTE=0", "2026-04-01 18:00"),
        (
            "jeden Tag außer Sonntag um 18 Uhr",
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA;BYHOUR=18;BYMINUTE=0",
            "2026-03-11 18:00",
        ),
        (
            "alle 14 Tage dienstags um 18 Uhr",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=18;BYMINUTE=0",
            "2026-03-17 18:00",
        ),
        ("jeden Freitag um 12 Uhr", "FREQ=WEEKLY;BYDAY=FR;BYHOUR=12;BYMINUTE=0", "2026-03-13 12:00"),
        ("sonntagabends um acht", "FREQ=WEEKLY;BYDAY=SU;BYHOUR=20;BYMINUTE=0", "2026-03-15 20:00"),
    ],
)
def test_german_recurrences(said: str, rule: str, first: str) -> None:
    assert read(said, "de") == (rule, first)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "monday at nine",
        "the first of the month at noon",  # a single day
        "every week at nine",  # on which day?
        "every third Monday at nine",  # of the month, or of three?
        "every first Monday",
        "every morning at 7 pm",
        "every three hours at noon",
        "every day except at seven",
        "every day except weekdays and weekends at seven",
        "every other blue moon",
        "the first of every month at midnight",  # its beginning, or its end?
        "every 0 days at 9",
        "the 32nd of every month",
        "every evening and morning at 7",
        "twice a day",
        "every so often",
    ],
)
def test_what_is_not_understood_is_asked_about(said: str) -> None:
    assert parse_recurrence(said, NOW) is None


def test_a_day_that_there_is_not_is_told() -> None:
    with pytest.raises(BadArgument, match="There is no"):
        parse_recurrence("every 31 June at six", NOW)


@pytest.mark.parametrize(("said", "is_open"), [("every day at six", True), ("every evening at six", False)])
def test_it_is_told_whether_the_half_of_the_day_was_open(said: str, is_open: bool) -> None:
    found = parse_recurrence(said, NOW)
    assert found is not None
    assert found.half_open is is_open
    assert found.clock is not None
    assert found.clock.minutes == 18 * 60


@pytest.mark.parametrize(
    ("rule", "english", "german"),
    [
        (f"{WORKDAYS};BYHOUR=7;BYMINUTE=0", "every weekday at 7 AM", "jeden Werktag um 7 Uhr"),
        (
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYHOUR=9;BYMINUTE=0",
            "every second Monday at 9 AM",
            "jeden zweiten Montag um 9 Uhr",
        ),
        (
            "FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,FR",
            "every 3 weeks on Monday and Friday",
            "alle 3 Wochen am Montag und Freitag",
        ),
        ("FREQ=MONTHLY;BYMONTHDAY=1", "on the first of every month", "am 1. jedes Monats"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "on the last Friday of every month", "am letzten Freitag jedes Monats"),
        (
            "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=20;BYHOUR=9;BYMINUTE=5",
            "every 20 December at 9:05 AM",
            "jeden 20. Dezember um 9:05 Uhr",
        ),
        ("FREQ=HOURLY;INTERVAL=3", "every 3 hours", "alle 3 Stunden"),
        ("FREQ=HOURLY;INTERVAL=1", "every hour", "jede Stunde"),
    ],
)
def test_a_rule_is_said_as_people_say_it(rule: str, english: str, german: str) -> None:
    assert spoken_recurrence(rule) == english
    assert spoken_recurrence(rule, "de") == german


def rules() -> st.SearchStrategy[str]:
    weekdays = st.sets(st.sampled_from(DAYS), min_size=1).map(lambda days: ",".join(sorted(days, key=DAYS.index)))
    places = st.builds("{}{}".format, st.sampled_from([-1, 1, 2, 3, 4, 5]), st.sampled_from(DAYS))
    days = st.sampled_from([-1, *range(1, 32)]).map(str)
    dates = st.dates().map(lambda day: {"BYMONTH": str(day.month), "BYMONTHDAY": str(day.day)})
    interval = st.integers(1, 40).map(lambda count: {"INTERVAL": str(count)} if count > 1 else {})
    clock: st.SearchStrategy[dict[str, str]] = st.just({}) | st.times().map(
        lambda time: {"BYHOUR": str(time.hour), "BYMINUTE": str(time.minute)}
    )
    repeated = st.one_of(
        interval.map(lambda count: {"FREQ": "DAILY"} | count),
        st.builds(lambda count, by: {"FREQ": "WEEKLY"} | count | {"BYDAY": by}, interval, weekdays),
        st.builds(lambda count, by: {"FREQ": "MONTHLY"} | count | {"BYMONTHDAY": by}, interval, days),
        st.builds(lambda count, by: {"FREQ": "MONTHLY"} | count | {"BYDAY": by}, interval, places),
        dates.map(lambda day: {"FREQ": "YEARLY"} | day),
    )
    hours = st.integers(1, 99).map(lambda count: f"FREQ=HOURLY;INTERVAL={count}")
    minutes = st.integers(1, 59).map(lambda count: f"FREQ=MINUTELY;INTERVAL={count}")
    return st.one_of(st.builds(lambda rule, at: rule_of(rule | at), repeated, clock), hours, minutes)


@given(rules())
def test_a_spoken_rule_is_read_back(rule: str) -> None:
    said = spoken_recurrence(rule)
    found = parse_recurrence(said, NOW)
    assert found is not None, said
    assert found.rule == rule, said
    assert parse_recurrence(spoken_recurrence(found.rule), NOW) == found


@given(rules())
def test_a_spoken_german_rule_is_read_back(rule: str) -> None:
    """Up to the half of the day: from a person, "7 Uhr" may be in either."""
    said = spoken_recurrence(rule, "de")
    found = parse_recurrence(said, NOW, "de")
    assert found is not None, said
    read, meant = parts_of(found.rule), parts_of(rule)
    if found.half_open:
        read["BYHOUR"], meant["BYHOUR"] = (str(int(each["BYHOUR"]) % 12) for each in (read, meant))
    assert read == meant, said


@given(rules())
def test_the_first_moment_is_of_the_rule_and_coming(rule: str) -> None:
    found = parse_recurrence(spoken_recurrence(rule), NOW)
    assert found is not None
    if found.first is None:
        return
    assert found.first > NOW
    if "BYHOUR" in rule:
        walls = rrulestr(rule, dtstart=found.first.replace(tzinfo=None, hour=0, minute=0, second=0))
        assert on_the_clocks(walls[0], BERLIN) == found.first


@given(st.text(max_size=60), st.sampled_from(["en", "de"]))
def test_any_text_is_a_recurrence_or_none(text: str, language: str) -> None:
    with suppress(BadArgument):
        parse_recurrence(text, NOW, language)


def coming(rule: str, anchor: datetime, moment: datetime, count: int) -> list[str]:
    moments = []
    for _ in range(count):
        following = next_after(rule, anchor, moment, BERLIN)
        assert following is not None
        moments.append(f"{following:%d %H:%M %z}")
        moment = following
    return moments


def test_seven_stays_seven_when_the_clocks_change() -> None:
    anchor = datetime(2026, 3, 1, 7, tzinfo=BERLIN)
    begin = datetime(2026, 3, 27, 12, tzinfo=BERLIN)
    assert coming("FREQ=DAILY;BYHOUR=7;BYMINUTE=0", anchor, begin, 2) == ["28 07:00 +0100", "29 07:00 +0200"]


def test_a_time_that_the_clocks_skip_comes_after_the_gap() -> None:
    anchor = datetime(2026, 3, 1, 2, 30, tzinfo=BERLIN)
    begin = datetime(2026, 3, 28, 12, tzinfo=BERLIN)
    rule = "FREQ=DAILY;BYHOUR=2;BYMINUTE=30"
    assert coming(rule, anchor, begin, 2) == ["29 03:00 +0200", "30 02:30 +0200"]
    assert coming(rule, datetime(2026, 3, 29, 3, tzinfo=BERLIN), begin, 2) == ["29 03:00 +0200", "30 02:30 +0200"]


def test_a_time_that_the_clocks_show_twice_comes_once() -> None:
    anchor = datetime(2026, 3, 1, 2, 30, tzinfo=BERLIN)
    begin = datetime(2026, 10, 24, 12, tzinfo=BERLIN)
    assert coming("FREQ=DAILY;BYHOUR=2;BYMINUTE=30", anchor, begin, 2) == ["25 02:30 +0200", "26 02:30 +0100"]


def test_hours_are_counted_in_real_time() -> None:
    anchor = datetime(2026, 3, 29, 0, 30, tzinfo=BERLIN)
    assert coming("FREQ=HOURLY;INTERVAL=2", anchor, anchor, 2) == ["29 03:30 +0200", "29 05:30 +0200"]


def test_intervals_count_from_the_first() -> None:
    anchor = datetime(2026, 3, 16, 9, tzinfo=BERLIN)
    rule = "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYHOUR=9;BYMINUTE=0"
    assert coming(rule, anchor, anchor, 2) == ["30 09:00 +0200", "13 09:00 +0200"]
    assert coming(rule, anchor, anchor - timedelta(days=30), 1) == ["16 09:00 +0100"]


def test_in_another_zone_it_is_the_same_time_by_the_clocks_there() -> None:
    anchor = datetime(2026, 3, 16, 9, tzinfo=BERLIN)
    found = next_after("FREQ=DAILY;BYHOUR=9;BYMINUTE=0", anchor, anchor, ZoneInfo("America/New_York"))
    assert found is not None
    assert found.isoformat() == "2026-03-16T09:00:00-04:00"
