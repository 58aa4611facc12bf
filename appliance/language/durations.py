"""Lengths of time, in words a person says and hears."""

from __future__ import annotations

import math
import re

_UNITS = {"hour": 3_600, "minute": 60, "second": 1}
_SHORT = {"h": "hour", "hr": "hour", "m": "minute", "min": "minute", "s": "second", "sec": "second"}
ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_TEENS = ["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NUMBERS = {
    **{word: number for number, word in enumerate(ONES + _TEENS, 1)},
    **{word: number * 10 for number, word in enumerate(_TENS, 2)},
}
_SECONDS_ALONE = 100
"""Below this a length that is no whole minute is said in seconds: "90 seconds" is how people set it."""


def counted(number: float, unit: str) -> str:
    """1 minute, 2 minutes."""
    return f"{number:g} {unit}" if number == 1 else f"{number:g} {unit}s"


def spoken(seconds: float) -> str:
    """5 minutes, 1 hour 15 minutes, 90 seconds. Part of a second counts as a whole one."""
    return " ".join(counted(number, unit) for number, unit in _parts(seconds))


def as_name(seconds: float) -> str:
    """What a timer of that length is called: 5 minute, 1 hour 15 minute."""
    return spoken(seconds).removesuffix("s").replace("s ", " ")


def remaining(seconds: float) -> str:
    """As `spoken`, without the seconds from ten minutes up, where they only delay the answer."""
    return spoken(math.ceil(seconds / 60) * 60 if seconds >= 600 else seconds)


def read(text: str) -> float | None:
    """Seconds of "ten minutes", "1 hour 30 min" or "a minute"; None when `text` names no length."""
    total, number, found = 0.0, 0.0, False
    for word in re.findall(r"\d+(?:\.\d+)?|[a-z]+", text.lower()):
        singular = word if word in _SHORT else word.removesuffix("s")
        unit = _SHORT.get(singular, singular)
        if unit in _UNITS:
            total, number, found = total + (number or 1) * _UNITS[unit], 0.0, True
        elif word[0].isdigit():
            number = float(word)
        else:
            number += _NUMBERS.get(word, 0)
    return total if found else None


def _parts(seconds: float) -> list[tuple[int, str]]:
    left = max(0, math.ceil(seconds))
    if left < _SECONDS_ALONE and left != 60:
        return [(left, "second")]
    hours, left = divmod(left, 3_600)
    minutes, left = divmod(left, 60)
    return [(number, unit) for number, unit in zip((hours, minutes, left), _UNITS, strict=True) if number]
