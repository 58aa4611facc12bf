"""What the arguments of a call come to, however they are spelt."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

from appliance.errors import ToolError
from appliance.language.numbers import decimal
from appliance.skills.arithmetic.calculate import Calculator
from appliance.skills.arithmetic.units import Converter

Arguments = dict[str, Any]

_TOLERANCE = 0.01
_UNITS_S = {"hours": 3_600, "minutes": 60, "seconds": 1}
_CONVERTER = Converter()
_NUMBER = re.compile(r"-?\d(?:[\d.,]*\d)?")


def near(found: float, wanted: float | str) -> bool:
    """Within 1 %, of one of several: "55.9|56"."""
    return any(abs(found - float(each)) <= abs(float(each)) * _TOLERANCE for each in str(wanted).split("|"))


def lasts(arguments: Arguments, wanted_s: float | str) -> bool:
    """Whether its hours, minutes and seconds are so long together, or as long as one of several: "1200|1500"."""
    found_s = sum(float(arguments.get(unit) or 0) * seconds for unit, seconds in _UNITS_S.items())
    return any(near(found_s, float(each)) for each in str(wanted_s).split("|"))


def comes_to(arguments: Arguments, wanted: float | str, language: str = "en") -> bool:
    """Whether its expression does: the last number of the tool's own sentence."""
    try:
        sentence = Calculator(language).calculate(str(arguments.get("expression", "")))
    except ToolError:
        return False
    numbers = _NUMBER.findall(sentence)
    return bool(numbers) and near(float(decimal(numbers[-1])), wanted)


def converts(arguments: Arguments, value: float | str, from_unit: str, to_unit: str) -> bool:
    """Same number, same units under whatever names: the tool gives the same answer as for one of "mile|miles"."""
    return any(
        _alike(arguments, float(each), one, other)
        for each, one, other in product(*map(_either, (value, from_unit, to_unit)))
    )


def measures(arguments: Arguments, value: float, from_unit: str, to_unit: str, language: str) -> bool:
    """Whether it gives as much in the same unit, whatever it was given in: 11.29 stone for 158 pounds."""
    converter = Converter(language=language)
    try:
        given, wanted = converter.convert_units(**arguments), converter.convert_units(value, from_unit, to_unit)
    except (ToolError, TypeError):
        return False
    (*_, found), (*_, right) = (_NUMBER.finditer(sentence) for sentence in (given, wanted))
    same_unit = given[found.end() :] == wanted[right.end() :]
    return same_unit and near(float(decimal(found[0])), float(decimal(right[0])))


def _either(wanted: float | str) -> list[str]:
    return str(wanted).split("|")


def _alike(arguments: Arguments, value: float, from_unit: str, to_unit: str) -> bool:
    try:
        return _CONVERTER.convert_units(**arguments) == _CONVERTER.convert_units(value, from_unit, to_unit)
    except (ToolError, TypeError):
        return False
