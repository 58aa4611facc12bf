"""Two requests in one breath, told from lists and from one long request."""

from __future__ import annotations

import pytest

from appliance.reply.understanding.compound import requests, split
from appliance.reply.understanding.signs import SignReader


@pytest.mark.parametrize(
    ("language", "text", "clauses"),
    [
        ("en", "turn off the lights and set a timer", ("turn off the lights", "set a timer")),
        ("es", "apaga las luces y pon una alarma", ("apaga las luces", "pon una alarma")),
        ("es", "enciende la luz e inicia la cuenta", ("enciende la luz", "inicia la cuenta")),
        ("fr", "éteins la lumière et mets un minuteur", ("éteins la lumière", "mets un minuteur")),
        ("de", "mach das Licht aus und stell den Wecker", ("mach das Licht aus", "stell den Wecker")),
        ("pt", "apaga a luz e põe um alarme", ("apaga a luz", "põe um alarme")),
        ("it", "spegni la luce e imposta un timer", ("spegni la luce", "imposta un timer")),
        ("nl", "doe het licht uit en zet een wekker", ("doe het licht uit", "zet een wekker")),
        ("tr", "ışıkları kapat ve alarm kur", ("ışıkları kapat", "alarm kur")),
    ],
)
def test_each_of_the_eight_languages_splits_at_its_own_and(language: str, text: str, clauses: tuple[str, str]) -> None:
    assert split(text, language) == clauses


@pytest.mark.parametrize("language", [None, "", "sv", "zh"])
def test_other_languages_are_left_whole(language: str | None) -> None:
    assert split("turn off the lights and set a timer", language) is None


@pytest.mark.parametrize("language", ["en-GB", "en_US", "EN"])
def test_region_and_case_of_the_language_do_not_matter(language: str) -> None:
    assert split("turn off the lights and set a timer", language) is not None


@pytest.mark.parametrize(
    "text",
    [
        "salt and pepper",
        "add salt and pepper",
        "what goes with fish and chips",
        "turn off the lights",
        "and what about the weather",
        "turn off the lights and",
        "play the rock-and-roll station",
        "tell me about Andorra la Vella",
        "is the band in the sandbox",
    ],
)
def test_lists_and_single_requests_are_left_whole(text: str) -> None:
    assert split(text, "en") is None


@pytest.mark.parametrize(("left", "splits"), [("12345 789", True), ("12345 78", False)])
def test_a_clause_has_nine_characters_at_least(left: str, splits: bool) -> None:
    assert (split(f"{left} and set a timer", "en") is not None) == splits
    assert (split(f"set a timer and {left}", "en") is not None) == splits


def test_of_several_the_cut_that_leaves_two_whole_requests_is_taken() -> None:
    text = "buy tomatoes and potatoes and set a timer for ten minutes"
    assert split(text, "en") == ("buy tomatoes and potatoes", "set a timer for ten minutes")


def test_and_then_outweighs_a_better_balance() -> None:
    text = "tell me about Romeo and Juliet's sad ending and then set an alarm"
    assert split(text, "en") == ("tell me about Romeo and Juliet's sad ending", "set an alarm")


@pytest.mark.parametrize(
    "text",
    [
        "Set a timer, and then turn it up",
        "set a timer and, turn it up",
        "set a timer AND turn it up",
        "set a timer; and also turn it up",
        "set a timer\nand after that, turn it up",
    ],
)
def test_marks_and_blanks_around_the_cut_go_with_it(text: str) -> None:
    found = split(text, "en")
    assert found is not None
    assert [clause.casefold() for clause in found] == ["set a timer", "turn it up"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("dim the lamp and then play some jazz", ["dim the lamp", "play some jazz"]),
        ("dim the lamp also play some jazz and tell Piet", ["dim the lamp", "play some jazz", "tell Piet"]),
        ("put salt and pepper on the list", ["put salt and pepper on the list"]),
    ],
)
def test_requests_begin_as_requests_do(text: str, parts: list[str]) -> None:
    assert requests(text, "en", lambda part: part.startswith(("dim", "play", "tell"))) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("dim the lamp in the attic play some jazz", ["dim the lamp in the attic", "play some jazz"]),
        (
            "add forty candles cancel the egg timer and tell Piet",
            ["add forty candles", "cancel the egg timer", "tell Piet"],
        ),
        ("would you kindly and please play some jazz", ["would you kindly and please play some jazz"]),
        ("somebody should open the attic window", ["somebody should open the attic window"]),
    ],
)
def test_request_may_follow_without_a_conjunction(text: str, parts: list[str]) -> None:
    signs = SignReader("en").read(text)
    assert requests(text, "en", lambda part: part.startswith(("dim", "play", "tell")), signs.words.sudden) == parts


def test_language_without_conjunctions_has_one_request() -> None:
    assert requests("prosím ztlum lampu a zahraj něco", "cs", lambda part: True) == ["prosím ztlum lampu a zahraj něco"]
