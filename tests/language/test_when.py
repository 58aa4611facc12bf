"""A sentence is taken apart into when and what; what only looks like a time is left alone."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import BadArgument
from appliance.language.moments import Moment
from appliance.language.recurrence import Recurrence
from appliance.language.when import may_tell_when, split_when

NOW = datetime(2026, 3, 11, 10, 20, tzinfo=ZoneInfo("Europe/Berlin"))
"""A Wednesday."""
THAT = NOW.replace(hour=15, minute=0)


def splits(text: str, language: str = "en") -> list[tuple[str, str]]:
    """When, as a moment, "ask" and a day, or a rule; and the rest."""
    found = []
    for split in split_when(text, NOW, language, THAT):
        when = split.when
        if isinstance(when, Recurrence):
            told = when.rule
        else:
            told = f"{when.at:%m-%d %H:%M}" if when.at else f"ask {when.day:%m-%d}" if when.day else "ask"
        found.append((told, split.rest))
    return found


@pytest.mark.parametrize(
    ("text", "when", "rest"),
    [
        ("remind me at quarter past two to call Bob", "03-11 14:15", "call Bob"),
        ("remind me to call Bob at quarter past two", "03-11 14:15", "call Bob"),
        ("at quarter past two remind me to call Bob", "03-11 14:15", "call Bob"),
        ("remind me in half an hour to call mum", "03-11 10:50", "call mum"),
        ("remind me an hour before that to leave", "03-11 14:00", "leave"),
        ("set the volume to twenty in half an hour", "03-11 10:50", "set the volume to twenty"),
        ("set the volume to twenty at nine", "03-11 21:00", "set the volume to twenty"),
        ("wake me up at seven", "03-11 19:00", ""),
        ("set an alarm for 7", "03-11 19:00", ""),
        ("set an alarm for half past six tomorrow", "03-12 06:30", ""),
        ("Set me an alarm for 6:30 a.m. on Friday, please.", "03-13 06:30", ""),
        ("please set a reminder for tomorrow at 8 to bring the keys", "03-12 08:00", "bring the keys"),
        ("remind me tomorrow to buy milk", "ask 03-12", "buy milk"),
        ("remind me Sunday to call Bob", "ask 03-15", "call Bob"),
        ("remind me on 20 December at 9 that the boiler needs service", "12-20 09:00", "the boiler needs service"),
        ("at 6 call Bob", "03-11 18:00", "call Bob"),
        ("remind me at 6 to call 5 people", "03-11 18:00", "call 5 people"),
        ("on Monday remind me at nine to call Bob", "03-16 09:00", "call Bob"),
        ("wake me up at seven in the morning on weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=7;BYMINUTE=0", ""),
        ("every day at noon remind me to eat", "FREQ=DAILY;BYHOUR=12;BYMINUTE=0", "eat"),
        (
            "remind me every Monday to take out the bins at 7 am",
            "FREQ=WEEKLY;BYDAY=MO;BYHOUR=7;BYMINUTE=0",
            "take out the bins",
        ),
        ("remind me to take my medicine every eight hours", "FREQ=HOURLY;INTERVAL=8", "take my medicine"),
        ("7 30", "03-11 19:30", ""),
    ],
)
def test_a_sentence_is_taken_apart(text: str, when: str, rest: str) -> None:
    assert splits(text)[0] == (when, rest)


@pytest.mark.parametrize(
    ("text", "when", "rest"),
    [
        ("erinnere mich morgen um sieben daran, Bob anzurufen", "03-12 07:00", "Bob anzurufen"),
        ("erinnere mich daran, morgen um neun Brot zu kaufen", "03-12 09:00", "Brot zu kaufen"),
        ("erinnere mich in zehn Minuten an die Nudeln", "03-11 10:30", "die Nudeln"),
        ("weck mich um halb sieben", "03-11 18:30", ""),
        ("so um sieben weck mich", "03-11 19:00", ""),
        ("stell einen Wecker für 7 Uhr", "03-11 19:00", ""),
        ("weck mich jeden Werktag um 6 Uhr 30", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=18;BYMINUTE=30", ""),
        ("erinnere mich alle zwei Wochen montags an den Müll", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "den Müll"),
    ],
)
def test_german_sentences(text: str, when: str, rest: str) -> None:
    assert splits(text, "de")[0] == (when, rest)


@pytest.mark.parametrize(
    "text",
    [
        "call Bob",
        "remind me to buy 6 eggs",
        "remind me to buy cake for 6",
        "remind me to buy a gift for Christmas",
        "remind me to look at 3 houses",
        "remind me to read the 20th chapter",
        "remind me to buy the Sunday paper",
        "remind me to watch the 9 o'clock news",
        "remind me to sit in the sun",
        "remind me to buy a midnight snack",
        "remind me to work from 9 to 5",
        "remind me to stay until 6 pm",
        "remind me to meet Ann at 5 Main Street",
        "remind me to fast for two weeks",
        "remind me to ask about Monday",
        "remind me that two of us come",
        "thirty second timer for charades",
        "divide that by twelve",
        "which was built around fourteen fifty",
        "I've to fit one Monday",
        "what happened yesterday",
        "I'm on nights",
    ],
)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert splits(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "remind me at six or seven to eat",
        "remind me at 6 pm the third Thursday of next month to call",
        "remind me every blue moon at six to dance",
        "remind me every day except holidays at 7 am to run",
        "remind me to take two pills at 8 am and 8 pm",
        "remind me between 2 pm and 3 pm to call",
        "remind me every third Monday to pay at 6 pm",
        "wake me up every weekday at 7 starting Monday",
        "wake me up every day at 7 until Friday",
        "wake me at 7 on Saturdays and 9 on Sundays",
    ],
)
def test_where_more_was_said_than_is_understood_it_is_asked_about(text: str) -> None:
    assert splits(text) == []
    assert splits("erinnere mich jeden Tag außer im Urlaub um sieben", "de") == []


def test_two_times_are_two_ways() -> None:
    assert splits("remind me at two to meet Ann at six") == [
        ("03-11 14:00", "meet Ann at six"),
        ("03-11 18:00", "at two to meet Ann"),
    ]


def test_a_day_that_there_is_not_is_told() -> None:
    with pytest.raises(BadArgument, match="There is no"):
        split_when("remind me on 31 June at six to call", NOW)


WORDS = (
    "remind me to call Bob at six on Monday every second third the of in half past quarter 7 30 pm tomorrow evening "
    "week or and from until for sunday june 31 minutes an hour before noon o'clock"
)


@given(st.lists(st.sampled_from(WORDS.split()), max_size=25).map(" ".join) | st.text(max_size=60))
def test_any_text_is_split_or_not(text: str) -> None:
    with suppress(BadArgument):
        for split in split_when(text, NOW):
            assert len(split.rest) < len(text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *[
            ("en", text)
            for text in ("stop it at nine or ten", "put it at nine to twenty", "we eat at eight, turn it down")
        ],
        ("en", "quieter from ten o'clock tonight"),
        ("de", "bring den Ton um neun auf zwanzig"),
    ],
)
def test_a_time_may_be_told_where_no_way_takes_it_apart(language: str, text: str) -> None:
    assert split_when(text, NOW, language) == []
    assert may_tell_when(text, NOW, language)


@pytest.mark.parametrize(
    "text",
    ["turn the volume down at ten percent", "set the volume to ten", "play nine inch nails", "half the volume", ""],
)
def test_a_number_alone_tells_no_time(text: str) -> None:
    assert not may_tell_when(text, NOW)


def test_a_day_that_there_is_not_can_count_as_a_time() -> None:
    line = "remind me on the 31st of September at nine am to buy jars"
    with pytest.raises(BadArgument):
        split_when(line, NOW)
    [split] = split_when(line, NOW, no_such=Moment(NOW))
    assert (split.said, split.rest) == ("on the 31st of September at nine am", "buy jars")


@pytest.mark.parametrize(
    ("text", "when", "rest"),
    [
        ("remind me tomorrow at nine to sign the form", "03-12 09:00", "sign the form"),
        ("remind me at nine, dinner is ready then", "03-11 21:00", "dinner is ready then"),
    ],
)
def test_what_the_box_says_of_a_time_is_no_word_of_it(text: str, when: str, rest: str) -> None:
    """Such as "is" in "there is no such day", or the name of a part of the data."""
    assert (when, rest) in splits(text)


def test_a_word_that_changes_the_day_is_not_left_out() -> None:
    assert splits("erinnere mich vorletzten Freitag um zehn an das Auto", "de") == []
