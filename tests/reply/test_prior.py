"""A tool that no classifier was taught is known by the lines that its skill offers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.reply.prior import prior

OFFERS = {
    "find_recipe": [
        "how do I cook leek soup",
        "give me a recipe for pancakes",
        "have you got a recipe with eggs",
        "what can I bake with two bananas",
        "I fancy cooking a stew tonight",
    ],
    "water_plants": ["water the tomatoes", "give the herbs some water", "the beds need watering"],
}


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("is there a recipe for plum cake", "find_recipe"),
        ("I would like to cook a soup", "find_recipe"),
        ("anything I could bake today", "find_recipe"),
        ("the tomatoes want water", "water_plants"),
        ("Would you mind watering the herbs?", "water_plants"),
    ],
)
def test_the_tool_whose_lines_are_like_it_comes_first(line: str, tool: str) -> None:
    scores = prior(line, OFFERS)
    assert max(scores, key=scores.__getitem__) == tool
    assert scores[tool] >= 0.3


@pytest.mark.parametrize(
    "line", ["who won the cup final", "set a timer for ten minutes", "thanks", "", "how do I do it"]
)
def test_a_line_about_something_else_is_like_none(line: str) -> None:
    assert max(prior(line, OFFERS).values()) < 0.2


def test_an_offered_line_is_wholly_alike() -> None:
    assert prior("How do I cook leek soup?", OFFERS)["find_recipe"] == pytest.approx(1)


def test_a_word_of_every_tool_says_little() -> None:
    one = {"a": ["lamp tonight"], "b": ["kettle tonight"]}
    assert prior("tonight", one)["a"] < prior("lamp", one)["a"]


def test_a_tool_without_lines_is_like_nothing() -> None:
    assert prior("water the roses", {"mow": []}) == {"mow": 0.0}


@given(st.text(max_size=80), st.lists(st.text(max_size=40), max_size=5))
def test_a_score_is_a_share(line: str, lines: list[str]) -> None:
    assert 0 <= prior(line, {"tool": lines})["tool"] <= 1 + 1e-9
