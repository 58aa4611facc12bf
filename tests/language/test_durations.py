from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.language import durations


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
    assert durations.spoken(seconds) == said


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
        ("pasta", None),
        ("ten", None),
        ("", None),
    ],
)
def test_a_length_is_read_from_words(text: str, seconds: float | None) -> None:
    assert durations.read(text) == seconds


@given(st.integers(1, 86_400))
def test_what_is_said_can_be_read_back(seconds: int) -> None:
    assert durations.read(durations.spoken(seconds)) == seconds
    assert durations.read(durations.as_name(seconds)) == seconds
