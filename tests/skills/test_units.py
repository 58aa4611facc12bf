from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import BadArgument, CannotBeDone, ToolError
from appliance.skills.arithmetic.units import Converter, _rows
from appliance.stt.soundclass import SoundClasses

CONVERTER = Converter()


@pytest.mark.parametrize(
    ("value", "source", "target", "said"),
    [
        (3, "miles", "kilometers", "3 miles is 4.83 kilometres."),
        (1, "mile", "km", "1 mile is 1.61 kilometres."),
        (1, "inches", "cm", "1 inch is 2.54 centimetres."),
        (20, "C", "Fahrenheit", "20 degrees Celsius is 68 degrees Fahrenheit."),
        (350, "deg F", "degrees celsius", "350 degrees Fahrenheit is 176.67 degrees Celsius."),
        (-40, "°F", "°C", "Minus 40 degrees Fahrenheit is minus 40 degrees Celsius."),
        (0, "kelvin", "deg C", "0 kelvins is minus 273.15 degrees Celsius."),
        (100, "km/h", "mph", "100 kilometres per hour is 62.14 miles per hour."),
        (70, "mph", "kilometers per hour", "70 miles per hour is 112.65 kilometres per hour."),
        (2, "mile", "kilometer's", "2 miles is 3.22 kilometres."),
        (2, "cups", "ml", "2 US cups is 473.18 millilitres."),
        (3, "tablespoons", "tsp", "3 tablespoons is 9 teaspoons."),
        (8, "ounces", "grams", "8 ounces is 226.8 grams."),
        (8, "ounces", "cups", "8 US fluid ounces is 1 US cup."),
        (150, "lbs", "kg", "150 pounds is 68.04 kilograms."),
        (9, "stone", "kilogram", "9 stone is 57.15 kilograms."),
        (5, "litres", "gallons", "5 litres is 1.32 US gallons."),
        (1, "imperial gallon", "L", "1 imperial gallon is 4.55 litres."),
        (180, "cm", "feet", "180 centimetres is 5.91 feet."),
        (1, "acre", "m²", "1 acre is 4046.87 square metres."),
        (500, "kcal", "kJ", "500 kilocalories is 2092 kilojoules."),
        (5, "furlongs", "miles", "5 furlongs is 0.625 miles."),
        (1, "light year", "km", "1 light year is 9460730472580.8 kilometres."),
    ],
)
def test_units_are_found_by_the_names_people_use(value: float, source: str, target: str, said: str) -> None:
    assert CONVERTER.convert_units(value, source, target) == said


def test_every_listed_unit_is_one_that_pint_knows() -> None:
    for unit, (one, many, *_) in _rows().items():
        assert CONVERTER.convert_units(1, one, many) == f"1 {one} is 1 {one}.", unit


@pytest.mark.parametrize(("source", "target"), [("cups", "grams"), ("km", "hours"), ("°C", "metres")])
def test_units_of_different_kinds_are_refused_by_name(source: str, target: str) -> None:
    with pytest.raises(CannotBeDone, match=r"I cannot turn .* into .*"):
        CONVERTER.convert_units(3, source, target)


@pytest.mark.parametrize("unit", ["apples", "fly", "", "m**9", "__class__", "1/0", "x" * 40])
def test_an_unknown_unit_is_never_evaluated(unit: str) -> None:
    with pytest.raises(BadArgument):
        CONVERTER.convert_units(1, unit, "m")


def test_a_unit_that_was_misheard_is_the_one_that_sounds_like_it() -> None:
    by_ear = Converter(SoundClasses("en"))
    assert by_ear.convert_units(2, "galleons", "quarts") == "2 US gallons is 8 US quarts."
    for unlike in ("dollars", "paints", "euros"):  # paints: pints or pounds
        with pytest.raises(BadArgument):
            by_ear.convert_units(2, unlike, "quarts")
    with pytest.raises(BadArgument):
        CONVERTER.convert_units(2, "galleons", "quarts")


@pytest.mark.parametrize(("value", "source", "target"), [(1e308, "km", "mm"), (1e-12, "mm", "km")])
def test_numbers_nobody_can_say_are_not_said(value: float, source: str, target: str) -> None:
    with pytest.raises(CannotBeDone):
        CONVERTER.convert_units(value, source, target)


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(sorted(_rows())), st.text(max_size=20))
def test_no_value_and_no_name_escapes(value: float, source: str, target: str) -> None:
    for pair in ((_rows()[source][0], target), (_rows()[source][0], "km")):
        with suppress(ToolError):
            assert "e+" not in CONVERTER.convert_units(value, *pair)
