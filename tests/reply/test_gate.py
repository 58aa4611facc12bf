"""Memory is searched unless what was asked is in front of the model already."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.reply.gate import skip_recall

HALF = 0.5
WEATHER = "Weather in Paris tomorrow: rain, 12 degrees."


@pytest.mark.parametrize(
    ("query", "results"),
    [
        ("rain in Paris", [WEATHER]),
        ("rain umbrella", [WEATHER]),
        ("rain umbrella", ["nothing", WEATHER]),
        ("RAIN", [WEATHER]),
        ("дождь завтра", ["Завтра: дождь"]),
    ],
)
def test_half_of_the_words_in_a_result_are_enough(query: str, results: list[str]) -> None:
    assert skip_recall(query, results, HALF)


@pytest.mark.parametrize(
    ("query", "results"),
    [
        ("rain in Paris", []),
        ("rain in Paris", [""]),
        ("what did my sister say about rain", [WEATHER]),
        ("rainy", [WEATHER]),
        ("is it", [WEATHER]),
        ("", [WEATHER]),
    ],
)
def test_otherwise_memory_is_searched(query: str, results: list[str]) -> None:
    assert not skip_recall(query, results, HALF)


def test_a_word_said_twice_counts_once() -> None:
    assert not skip_recall("rain rain rain sister brother", [WEATHER], HALF)


@given(st.text(), st.lists(st.text()))
def test_no_text_is_too_odd(query: str, results: list[str]) -> None:
    assert not (skip_recall(query, results, HALF) and not any(results))
