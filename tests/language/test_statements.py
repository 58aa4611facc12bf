"""What a sentence states is told from what it asks, wonders about, or says of the box."""

from __future__ import annotations

import pytest

from appliance.language import statements

STATED = [
    ("en", "my sister lives in York"),
    ("en", "I don't eat meat."),
    ("en", "The spare key is under the blue flowerpot"),
    ("de", "Meine Schwester wohnt in Bremen"),
    ("de", "Wir haben zwei Katzen."),
]
NOT_STATED = [
    ("en", "is my dentist Dr Wren?"),
    ("en", "what is my dentist called"),
    ("en", "my dentist is Dr Wren, isn't it?"),
    ("en", "maybe my sister lives in York"),
    ("en", "I wonder whether my sister lives in York"),
    ("en", "if I had a dog I would call it Rex"),
    ("en", "I am tired today"),
    ("en", ""),
    ("de", "wohnt meine Schwester in Bremen?"),
    ("de", "weißt du wo meine Schwester wohnt"),
    ("de", "vielleicht wohnt meine Schwester in Bremen"),
    ("de", "heute bin ich müde"),
    ("fr", "ma soeur habite à Lyon"),
]


@pytest.mark.parametrize(("language", "sentence"), STATED)
def test_what_is_stated(language: str, sentence: str) -> None:
    assert statements.states(sentence, language)


@pytest.mark.parametrize(("language", "sentence"), NOT_STATED)
def test_what_is_asked_wondered_or_over_soon_is_not(language: str, sentence: str) -> None:
    assert not statements.states(sentence, language)


@pytest.mark.parametrize(
    ("language", "text", "denied"),
    [
        ("en", "I don't eat meat", True),
        ("en", "I don’t eat meat", True),
        ("en", "we have no garden", True),
        ("en", "I eat meat", False),
        ("en", "the knot is tight", False),
        ("de", "ich esse kein Fleisch", True),
        ("de", "ich esse Fleisch", False),
    ],
)
def test_what_is_denied(language: str, text: str, denied: bool) -> None:
    assert statements.denies(text, language) is denied


@pytest.mark.parametrize(
    ("language", "sentence", "of_you"),
    [
        ("en", "you are very funny", True),
        ("en", "your voice is nice", True),
        ("en", "I told you that my sister lives in York", False),
        ("de", "deine Stimme ist schön", True),
        ("de", "ich wohne in Bremen", False),
    ],
)
def test_what_is_of_whom_it_is_said_to(language: str, sentence: str, of_you: bool) -> None:
    assert statements.of_you(sentence, language) is of_you


def test_whose_it_is() -> None:
    assert [*statements.owned("my neighbour's dog bites our postman", "en")] == ["neighbour", "postman"]
    assert [*statements.owned("Meine Schwester wohnt in Bremen", "de")] == ["schwester"]
    assert [*statements.owned("the dog bites", "en")] == []


def test_what_is_wanted_from_now_on() -> None:
    assert statements.stands("always tell me temperatures in Celsius", "en")
    assert statements.stands("sag mir die Temperatur immer in Celsius", "de")
    assert not statements.stands("tell me the temperature", "en")


@pytest.mark.parametrize(
    ("language", "one", "other", "same"),
    [
        ("en", "The user's sister lives in Leeds.", "my sister lives in York", True),
        ("en", "The user lives in Leeds.", "I live in York", True),
        ("en", "The bins are collected on Monday.", "the bins are collected on Thursday", True),
        ("en", "The user's dentist is Dr Pell.", "The user's dentist is Dr Moss.", True),
        ("en", "The user's brother Tom is a carpenter.", "The user's brother Tom likes jazz.", False),
        ("en", "The user's brother Tom is a carpenter.", "The user's brother Tom is a singer.", False),
        ("en", "The user has a dog.", "The user has a cat.", False),
        ("en", "The user's dog is called Rex.", "The user's dog is afraid of thunder.", False),
        ("en", "Lena plays the oboe.", "Lena plays the flute.", False),
        ("de", "Meine Schwester wohnt in Bremen.", "meine Schwester wohnt in Kiel", True),
        ("de", "Ich habe einen Hund.", "Ich habe einen Kater.", False),
    ],
)
def test_whether_two_cannot_both_be_true(language: str, one: str, other: str, same: bool) -> None:
    assert statements.same_but_for_the_end(one, other, language) is same
    assert statements.same_but_for_the_end(other, one, language) is same
