"""A line that wants one measurement in another unit, whatever its form."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.reply.understanding.conversions import Conversions
from appliance.reply.understanding.templates import templates
from appliance.skills.arithmetic.units import Converter

ENGLISH, GERMAN = templates("en"), templates("de")
assert ENGLISH
assert GERMAN
CONVERTER = Converter()
READERS = {each: Conversions(each.units, CONVERTER.convertible) for each in (ENGLISH, GERMAN)}


def read(line: str, language: Any = ENGLISH) -> tuple[float, str, str] | None:
    found = READERS[language].read(language.in_digits(line))
    return (found["value"], found["from_unit"], found["to_unit"]) if found else None


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("The sign says forty miles, but I drive in kilometers.", (40, "mile", "kilometer")),
        ("How many liters and seven gallons?", (7, "gallon", "liter")),  # "in", misheard
        ("It's a 12-foot board, give me that in metres", (12, "foot", "meter")),
        ("He weighs eleven and a half stone, and I only know kilos", (11.5, "stone", "kilogram")),
        ("My oven is in Celsius and the book says 425 degrees Fahrenheit", (425, "fahrenheit", "celsius")),
        ("minus 40 fahrenheit, what's that in celsius then", (-40, "fahrenheit", "celsius")),
        ("the field is three hectares, how many square metres", (3, "hectare", "square meter")),
        ("70 miles per hour, what's on a German's clock in kph", (70, "mile per hour", "kilometer per hour")),
        ("1,500 metres in kilometres", (1500, "meter", "kilometer")),
        ("she is five foot seven, and in centimetres?", (67, "inch", "centimeter")),
        ("eleven stone six in kilos", (160, "pound", "kilogram")),
        ("how many grams are two pounds and three ounces", (35, "ounce", "gram")),
    ],
)  # fmt: skip
def test_a_measurement_and_another_unit_of_its_kind(line: str, wanted: tuple[float, str, str]) -> None:
    assert read(line) == wanted


@pytest.mark.parametrize(
    "line",
    [
        "How many miles can I drive on five gallons?",  # of another kind
        "Two pounds of apples and three ounces of nuts",  # two numbers
        "Set a timer for ten minutes",  # one unit
        "How many kilos is that?",  # no number
        "The track is 400 metres, is it shorter in miles or in yards?",  # two that it may be
        "What is 5 foot 11 pounds in centimetres?",
        "Meet me at 7:30 minutes to the hour",
        "I see 4 cups",  # no c, no m
    ],
)
def test_any_other_line_is_left_to_the_model(line: str) -> None:
    assert read(line) is None


def test_german() -> None:
    assert read("Das Rezept sagt drei Unzen, ich wiege in Gramm", GERMAN) == (3, "ounce", "gram")
    assert read("2,5 Meilen in Kilometer", GERMAN) == (2.5, "mile", "kilometer")
    assert read("0,125 Meilen in Kilometer", GERMAN) == (0.125, "mile", "kilometer")
