"""What is usual in the country that a place is in."""

from __future__ import annotations

import pytest
from phonenumbers import shortnumberinfo

from appliance.skills.country.countries import FOR_ALL, country_in, customs


@pytest.mark.parametrize(
    ("place", "part", "told"),
    [
        ("Krosno, Poland", "money", "Polish Zloty"),  # too small to be known itself
        ("Basel, Switzerland", "languages", "German, French, Italian"),
        ("Bergen", "languages", "Norwegian"),
        ("Bergen", "country", "Norway"),
        ("Aberdeen, Scotland", "country", "United Kingdom"),
        ("Aberdeen, Scotland", "emergency", "999"),
        ("Chicago, USA", "emergency", "911"),
        ("Perth, Australia", "emergency", "000"),
        ("Wellington, New Zealand", "emergency", "111"),
        ("Graz, Austria", "emergency", "112"),
        ("Porto", "prefix", "+351"),
    ],
)
def test_it_is_told(place: str, part: str, told: str) -> None:
    assert customs(place)[part] == told


def test_a_country_may_be_named_in_german() -> None:
    assert customs("Bludenz, Österreich")["emergency"] == "112"


@pytest.mark.parametrize(
    ("place", "zone", "number"),
    [
        ("Boston", "America/New_York", "911"),
        ("Boston", "Europe/London", None),  # that in Lincolnshire is too small to be known
        ("Boston, Lincolnshire", "Europe/London", None),
        ("Chicago", "", None),
    ],
)
def test_whom_to_ring_is_only_told_where_the_country_is_certain(place: str, zone: str, number: str | None) -> None:
    assert customs(place, zone).get("emergency") == number


@pytest.mark.parametrize("place", ["Atlanta, Georgia", "Norwich, Norfolk", "Salem, MA"])
def test_a_state_or_a_county_is_no_country(place: str) -> None:
    assert customs(place) == {}


@pytest.mark.parametrize("place", ["Osaka, Japan", "Seoul, South Korea", "Arima, Trinidad & Tobago"])
def test_no_number_is_told_where_none_is_certain_to_be_for_any_need(place: str) -> None:
    assert "emergency" not in customs(place)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("what do they speak in Austria", "Austria"),
        ("the code for guinea-bissau", "guinea-bissau"),
        ("welche Währung hat Schweden", "Schweden"),
        ("can you tell us what they pay with", ""),
    ],
)
def test_a_country_is_found_in_a_line(text: str, name: str) -> None:
    assert country_in(text) == name


@pytest.mark.parametrize("place", ["", "Brobdingnag", "the shed"])
def test_nothing_is_told_of_a_place_that_nobody_knows(place: str) -> None:
    assert customs(place) == {}


@pytest.mark.parametrize(("code", "number"), FOR_ALL.items())
def test_numbers_for_any_need_are_known_to_the_library_as_well(code: str, number: str) -> None:
    assert shortnumberinfo.is_emergency_number(number, code)
