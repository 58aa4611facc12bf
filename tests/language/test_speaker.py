from __future__ import annotations

import pytest

from appliance.language.speaker import speaker


@pytest.mark.parametrize(
    ("line", "language", "tells"),
    [
        ("My name is Ana and I have two cats.", "en", True),
        ("well we moved to Leeds", "en", True),
        ("Is my dentist Dr Wren?", "en", False),
        ("what do I like", "en", False),
        ("what's my name", "en", False),
        ("I want you to sing", "en", False),
        ("the moon is far away", "en", False),
        ("play some jazz", "en", False),
        ("", "en", False),
        ("Ich habe zwei Katzen.", "de", True),
        ("Habe ich heute frei?", "de", False),
    ],
)
def test_what_tells_of_the_speaker(line: str, language: str, tells: bool) -> None:
    assert speaker(language).tells(line) is tells


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        ("The user likes plums.", "Ben likes plums."),
        ("The user's boat is red, and the user sails it.", "Ben's boat is red, and Ben sails it."),
        ("The spare key hangs in the shed.", "The spare key hangs in the shed."),
    ],
)
def test_a_fact_is_told_of_somebody_by_name(fact: str, told: str) -> None:
    assert speaker("en").of_person(fact, "Ben") == told


def test_it_is_kept_as_the_users() -> None:
    assert speaker("en").as_fact("my dentist is Dr Wren") == "The user's dentist is Dr Wren."
    assert speaker("en").as_fact("the key hangs in the shed.") == "The key hangs in the shed."


def test_own_words_are_told_from_those_of_the_box() -> None:
    assert speaker("en").in_own_words("my locker is 118")
    assert not speaker("en").in_own_words("The user said that my locker is 118.")
    assert not speaker("en").in_own_words("The bins go out on Tuesday.")
