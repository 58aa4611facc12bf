"""A length of which a small model keeps the first part: "2 minutes" of two and a half."""

from __future__ import annotations

import re
from fractions import Fraction

from appliance.thought.ellipsis import LENGTHS
from appliance.thought.plan import Call
from appliance.thought.quantities import plain

_PART = r"\d+(?:\.\d+)? (?:hour|minute|second)s?\b"
_LENGTH = re.compile(rf"{_PART}(?: (?:and )?{_PART})*")
"""As Length is written."""
_PARTS = re.compile(r"(\d+(?:\.\d+)?) (hour|minute|second)s?\b")


def with_whole_length(call: Call, digits: str) -> Call:
    """`call` with all of the only length in the line, where it holds a part of that; digits: the line, numbers so."""
    lengths = _LENGTH.findall(digits)
    if len(lengths) != 1:
        return call
    said = {f"{unit}s": Fraction(number) for number, unit in _PARTS.findall(lengths[0])}
    given = {unit: call.arguments[unit] for unit in LENGTHS if call.arguments.get(unit)}
    part = given and len(given) < len(said) and all(said.get(unit) == number for unit, number in given.items())
    return Call(call.tool, call.arguments | {unit: plain(number) for unit, number in said.items()}) if part else call
