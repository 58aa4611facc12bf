"""What is told to the user of the user."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.language.second_person import said_back, to_you


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        ("The user is called Edda.", "You are called Edda."),
        ("The user's cat was ill, and the user nursed it.", "Your cat was ill, and you nursed it."),
        ("The user watches birds.", "You watch birds."),
        ("The user still studies law and goes to Graz.", "You still study law and goes to Graz."),
        ("The user doesn't eat fish.", "You don't eat fish."),
        ("The user goes to the gym.", "You go to the gym."),
        ("The spare key hangs in the shed.", "The spare key hangs in the shed."),
        ("Edda likes the user's soup.", "Edda likes your soup."),
        ("Die Nutzerin mag Pflaumen.", "Die Nutzerin mag Pflaumen."),
    ],
)
def test_facts_about_the_user_are_told_to_the_user(fact: str, told: str) -> None:
    assert to_you(fact) == told


@given(st.text())
def test_any_fact_can_be_told(fact: str) -> None:
    assert isinstance(to_you(fact), str)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("my dentist", "your dentist"),
        ("that I'm afraid of mice", "that you're afraid of mice"),
        ("the user's dentist", "your dentist"),
        ("mice", "mice"),
    ],
)
def test_words_of_the_user_are_said_back(words: str, told: str) -> None:
    assert said_back(words) == told
