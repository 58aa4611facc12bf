"""Texts about the same lie near each other, and the router finds a tool that shares no word with the line."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.language.meanings import Meanings, meanings
from appliance.ports import Tool
from appliance.reply.router import Picks, Router
from appliance.simulated import ListedTool


@pytest.fixture(scope="module")
def english() -> Meanings:
    made = meanings("en")
    assert made
    return made


TOOLS: list[Tool] = [
    ListedTool("media__search_movies", "Search the media server for movies by title or actor"),
    ListedTool("media__set_subtitles", "Turn subtitles on or off"),
    ListedTool("bank__get_balance", "Get the balance of an account"),
    ListedTool("bank__freeze_card", "Freeze a bank card"),
    ListedTool("car__get_tyre_pressure", "Get the pressure of all tyres"),
    ListedTool("fitness__get_heart_rate", "Get resting and current heart rate"),
]


def found(english: Meanings | None, line: str, by_words: bool = False) -> list[str]:
    return Router("hybrid", 3, meanings=english).matches(line, TOOLS, Picks(), by_words)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("do we have any films with Tom Hanks", "media__search_movies"),
        ("how much money have I got", "bank__get_balance"),
        ("what is my pulse", "fitness__get_heart_rate"),
        ("do my wheels need air", "car__get_tyre_pressure"),
    ],
)
def test_a_tool_is_found_that_shares_no_word_with_the_line(english: Meanings, line: str, name: str) -> None:
    assert name in found(english, line)
    assert name not in found(None, line)
    assert name not in found(english, line, by_words=True)


def test_what_is_about_none_of_them_finds_none(english: Meanings) -> None:
    assert found(english, "why do geese fly in a wedge") == []
    assert found(english, "the and of") == []


def test_a_language_without_a_table_has_none() -> None:
    assert meanings("de") is None


@given(st.text(max_size=200))
def test_any_text_has_a_vector_of_length_one_or_none(text: str) -> None:
    made = meanings("en")
    assert made
    length = float(np.linalg.norm(made.of(text)))
    assert length == pytest.approx(1, abs=1e-4) or length == 0
