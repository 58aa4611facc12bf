"""Numbers are read as people say them, and what is spoken is read back."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.language.numbers import cardinal, ordinal, parse_number, parse_ordinal, spoken_number
from appliance.language.quantities import quantities

LANGUAGES = st.sampled_from(["en", "de"])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("twenty five", 25),
        ("a hundred and five", 105),
        ("twelve hundred", 1200),
        ("1,500", 1500),
        ("minus forty", -40),
        ("-40", -40),
        ("one and a half", Fraction(3, 2)),
        ("2 3/4", Fraction(11, 4)),
        ("1½", Fraction(3, 2)),
        ("1/2", Fraction(1, 2)),
        (".5", Fraction(1, 2)),
        ("two thirds", Fraction(2, 3)),
        ("three fifths", Fraction(3, 5)),
        ("zero point two five", Fraction(1, 4)),
        ("two point five million", 2_500_000),
        ("one and a half million", 1_500_000),
        ("a couple of", 2),
        ("a dozen", 12),
        ("half a dozen", 6),
        ("pasta", None),
        ("five six", None),
        ("", None),
    ],
)
def test_a_number_is_read_from_words(text: str, value: Fraction | int | None) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("fünfundzwanzig", 25),
        ("zweieinhalb", Fraction(5, 2)),
        ("anderthalb", Fraction(3, 2)),
        ("drei Viertel", Fraction(3, 4)),
        ("minus vierzig", -40),
        ("drei Komma eins vier", Fraction(157, 50)),
        ("1,5", Fraction(3, 2)),
        ("ein Dutzend", 12),
        ("zwei Millionen dreihunderttausend", 2_300_000),
    ],
)
def test_a_number_is_read_from_german_words(text: str, value: Fraction | int) -> None:
    assert parse_number(text, "de") == value


def test_a_language_without_words_has_no_numbers() -> None:
    assert parse_number("kaksi", "fi") is None


@pytest.mark.parametrize(("text", "place"), [("21st", 21), ("twenty-first", 21), ("third", 3), ("three", None)])
def test_an_ordinal_is_read_from_words(text: str, place: int | None) -> None:
    assert parse_ordinal(text) == place


@given(st.decimals(-1_000_000, 1_000_000, places=4) | st.integers(-1_000_000, 1_000_000), LANGUAGES)
def test_a_spoken_number_is_read_back(value: Decimal | int, language: str) -> None:
    assert parse_number(spoken_number(value, language), language) == Fraction(value)


@given(st.integers(1, 100), LANGUAGES)
def test_a_spoken_ordinal_is_read_back(place: int, language: str) -> None:
    assert parse_ordinal(ordinal(str(place), language), language) == place


@given(st.text(max_size=40), LANGUAGES)
def test_any_text_is_a_number_or_none(text: str, language: str) -> None:
    parse_number(text, language)
    reader = quantities(language)
    assert reader is not None
    reader.in_digits(text)


@given(st.integers(2, 999_999))
def test_a_number_in_a_line_is_put_in_digits(value: int) -> None:
    reader = quantities("en")
    assert reader is not None
    assert reader.in_digits(f"add {cardinal(str(value), 'en')} plums") == f"add {value} plums"


@pytest.mark.parametrize(
    ("line", "digits"),
    [
        ("a timer for 1/2 an hour", "a timer for 30 minutes"),
        ("it is due on 1/2/2026", "it is due on 1/2/2026"),
        ("half a dozen plums", "half a dozen plums"),
        ("two dozen plums", "2 dozen plums"),
        ("wait .5 hours", "wait 30 minutes"),
    ],
)
def test_fractions_in_a_line(line: str, digits: str) -> None:
    reader = quantities("en")
    assert reader is not None
    assert reader.in_digits(line) == digits
