"""What is usual in the country that a place is in."""

from __future__ import annotations

import pytest
from phonenumbers import shortnumberinfo

from appliance.tools.countries import FOR_ALL, country_in, customs


@pytest.mark.parametrize(
    ("place", "part", "told"),
    [
        ("Krosno, Poland", "money", "Polish Zloty"),  # too small to be known itself
        ("Basel, Switzerland", "languages", "German, French, Italian"),
        ("Bergen", "languages", "Norwegian"),
        ("Bergen", "country", "Norway"),
        ("Aberdeen, Scotland", "country", "United Kingdom"),
        ("Aberdeen, Scotland", "emergency", "999"),
        ("Chicago", "emergency", "911"),
        ("Perth, Australia", "emergency", "000"),
        ("Wellington", "emergency", "111"),
        ("Graz, Austria", "emergency", "112"),
        ("Porto", "prefix", "+351"),
    ],
)
def test_it_is_told(place: str, part: str, told: str) -> None:
    assert customs(place, "en")[part] == told


def test_it_is_told_in_the_language_of_the_house() -> None:
    assert customs("Krosno, Poland", "de")["money"] == "Polnischer Złoty"


@pytest.mark.parametrize("place", ["Osaka", "Seoul", "Port of Spain, Trinidad & Tobago"])
def test_no_number_is_told_where_none_is_certain_to_be_for_any_need(place: str) -> None:
    assert "emergency" not in customs(place, "en")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("what do they speak in Austria", "Austria"),
        ("the code for guinea-bissau", "guinea-bissau"),
        ("chad has fallen, what number do i ring", ""),
        ("can you tell us what they pay with", ""),
    ],
)
def test_a_country_is_named_behind_a_word_of_place(text: str, name: str) -> None:
    assert country_in(text) == name


@pytest.mark.parametrize("place", ["", "Brobdingnag", "the shed"])
def test_nothing_is_told_of_a_place_that_nobody_knows(place: str) -> None:
    assert customs(place, "en") == {}


@pytest.mark.parametrize(("code", "number"), FOR_ALL.items())
def test_numbers_for_any_need_are_known_to_the_library_as_well(code: str, number: str) -> None:
    assert shortnumberinfo.is_emergency_number(number, code)
