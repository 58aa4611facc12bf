from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.language import durations
from appliance.tts.spoken import spoken


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (59.2, "1 minute"),
        (60, "1 minute"),
        (90, "90 seconds"),
        (100, "1 minute 40 seconds"),
        (120, "2 minutes"),
        (3_600, "1 hour"),
        (4_500, "1 hour 15 minutes"),
        (86_400, "24 hours"),
    ],
)
def test_a_length_is_said_as_people_say_it(seconds: float, said: str) -> None:
    assert durations.spoken_duration(seconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(74, "74 seconds"), (599, "9 minutes 59 seconds"), (4_497, "1 hour 15 minutes"), (601, "11 minutes")],
)
def test_seconds_are_left_out_of_what_is_long(seconds: float, said: str) -> None:
    assert durations.remaining(seconds) == said


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("ten minutes", 600),
        ("the 10 minute one", 600),
        ("twenty five minutes", 1_500),
        ("1 hour 30 min", 5_400),
        ("an hour", 3_600),
        ("ninety seconds", 90),
        ("0.5 hours", 1_800),
        ("1/2 an hour", 1_800),
        ("a timer for ½ an hour", 1_800),
        (".5 hours", 1_800),
        ("half an hour", 1_800),
        ("quarter of an hour", 900),
        ("an hour and a half", 5_400),
        ("an hour and a quarter", 4_500),
        ("two and a quarter hours", 8_100),
        ("ninety minutes", 5_400),
        ("a minute thirty", 90),
        ("1h30", 5_400),
        ("an hour, ten minutes and five seconds", 4_205),
        ("half past six", None),
        ("six thirty", None),
        ("five minutes to three", None),
        ("ten minutes or an hour", None),
        ("pasta", None),
        ("ten", None),
        ("", None),
    ],
)
def test_a_length_is_read_from_words(text: str, seconds: float | None) -> None:
    assert durations.parse_duration(text) == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("eine halbe Stunde", 1_800),
        ("anderthalb Stunden", 5_400),
        ("eine Dreiviertelstunde", 2_700),
        ("1,5 Stunden", 5_400),
        ("zweieinhalb Minuten", 150),
        ("eine Stunde zwanzig", 4_800),
        ("halb sieben", None),
    ],
)
def test_a_length_is_read_from_german_words(text: str, seconds: float | None) -> None:
    assert durations.parse_duration(text, "de") == seconds


@given(st.integers(1, 86_400), st.sampled_from(["en", "de"]))
def test_what_is_said_can_be_read_back(seconds: int, language: str) -> None:
    assert durations.parse_duration(durations.spoken_duration(seconds, language), language) == seconds
    assert durations.parse_duration(durations.as_name(seconds, language), language) == seconds


@given(st.integers(1, 86_400))
def test_what_the_voice_says_can_be_read_back(seconds: int) -> None:
    assert durations.parse_duration(spoken(durations.spoken_duration(seconds))) == seconds


@given(st.text(max_size=40))
def test_any_text_is_a_length_or_none(text: str) -> None:
    durations.parse_duration(text)
    durations.exact_duration(text)
