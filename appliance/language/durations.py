"""Lengths of time, read from words and put into words: "an hour and a half", "90 seconds", "two and a half hours"."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from babel.units import format_unit

from appliance.language.clock_times import parse_clock_time
from appliance.language.numbers import Numbers, joined, numbers, plain
from appliance.language.words import WORD, language_data, tidy

HOUR_S, MINUTE_S, SECOND_S = 3_600, 60, 1
_BELOW = {HOUR_S: MINUTE_S, MINUTE_S: SECOND_S}
"""The unit that a bare number after another one is in: "an hour twenty", "two minutes thirty"."""
_UNIT_NAMES = {"duration-hour": HOUR_S, "duration-minute": MINUTE_S, "duration-second": SECOND_S}
_SECONDS_ALONE = 100
"""Below this a length that is no whole minute is said in seconds: "90 seconds" is how people set it."""
_SECONDS_UNTIL = 600
"""From ten minutes up, seconds only delay the answer."""
_LONGEST_WORDS = 15
"""As many as "one hour and twenty five and a half minutes and thirty five seconds" has, give or take."""
_RUN_TOGETHER = re.compile(r"(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)")


@dataclass(frozen=True)
class Length:
    """In the units it was said in, except that a part of a unit is in the next one: 1.5 hours are 1 hour 30 minutes."""

    hours: float = 0
    minutes: float = 0
    seconds: float = 0

    @property
    def parts(self) -> dict[str, float]:
        """Unit -> number, where there is any."""
        return {unit: number for unit, number in vars(self).items() if number}

    @property
    def total_s(self) -> float:
        return self.hours * HOUR_S + self.minutes * MINUTE_S + self.seconds

    def __str__(self) -> str:
        """10 minutes, 1 hour 30 minutes: what the timer tools read, whatever language it was said in."""
        return " ".join(f"{number:g} {unit if number != 1 else unit[:-1]}" for unit, number in self.parts.items())


class Durations:
    """Reads whole runs of words, in lower case, as one length."""

    def __init__(self, data: Mapping[str, Any], reader: Numbers) -> None:
        """data: the section `durations` of a language's file."""
        self.units: Mapping[str, int] = data["units"]
        self._numbers = reader

    def length(self, words: Sequence[str]) -> Length | None:
        """ "90 seconds", "an hour and twenty minutes", "an hour and a half", "one hour twenty"."""
        spread = dict.fromkeys((HOUR_S, MINUTE_S, SECOND_S), Fraction(0))
        waiting: list[str] = []
        last = 0
        for word in words:
            unit = self.units.get(word)
            if unit is None:
                waiting.append(word)
                continue
            value = self._before(unit, waiting, last)
            if value is None:
                return None
            _spread(value * unit, unit, spread)
            waiting, last = [], unit
        if not last or (waiting and not self._after(last, waiting, spread)):
            return None
        return Length(*(plain(number) for number in spread.values()))

    def _before(self, unit: int, words: Sequence[str], last: int) -> Fraction | None:
        """How many of `unit` are said before it; `last`: the unit before that. "A second" is a moment, not a length."""
        if last and words and words[0] in self._numbers.ands:
            words = words[1:]
        value = self._numbers.amount(words)
        moment = unit == SECOND_S and len(words) == 1 and words[0] in self._numbers.articles
        return None if value is None or value < 0 or moment or (last and unit >= last) else value

    def _after(self, unit: int, words: Sequence[str], spread: dict[int, Fraction]) -> bool:
        """Add what follows the last unit: "and a half" of it, or a bare number of the next smaller one."""
        together = words[0] in self._numbers.ands
        rest = words[1:] if together else words
        part = self._numbers.part(rest) if together else None
        if part is not None:
            _spread(part * unit, unit, spread)
            return True
        one = [self._numbers.ones.get(word) for word in rest] == [1]  # "the 10 minute one"
        number = None if one else self._numbers.number(rest)
        if unit not in _BELOW or number is None or number.denominator != 1 or not 0 < number < 60:
            return False
        spread[_BELOW[unit]] += number
        return True


def _spread(seconds: Fraction, unit: int, spread: dict[int, Fraction]) -> None:
    """Whole `unit`s to that unit, the rest to the smaller ones."""
    for each in (size for size in spread if size <= unit):
        whole = seconds if each == SECOND_S else Fraction(seconds // each)
        spread[each] += whole
        seconds -= whole * each


@cache
def durations(language: str) -> Durations | None:
    data, reader = language_data(language), numbers(language)
    return Durations(data["durations"], reader) if data and reader else None


def parse_duration(text: str, language: str = "en") -> float | None:
    """Seconds of the one length in `text`, such as "1h 30" or "the ten minute one"; None for none and for several.

    How far a clock is from the hour is no length: "ten minutes to six".
    """
    reader = durations(language)
    if reader is None or parse_clock_time(text, language):
        return None
    found = lengths_in(_spaced(text), reader)
    return found[0].total_s if len(found) == 1 else None


def exact_duration(text: str, language: str = "en") -> float | None:
    """Seconds of the length that all of `text` is; else None."""
    reader = durations(language)
    length = reader.length(WORD.findall(_spaced(text))) if reader else None
    return length.total_s if length else None


def _spaced(text: str) -> str:
    """Tidied; "1h30" is "1 h 30"."""
    return " ".join(_RUN_TOGETHER.sub(" ", tidy(text)).replace(",", " ").split())


def lengths_in(text: str, reader: Durations) -> list[Length]:
    """Every length in `text`, each as long as it can be."""
    tokens = [*WORD.finditer(text)]
    words, found, at = [token[0].casefold() for token in tokens], list[Length](), 0
    while at < len(tokens):
        ends = joined(tokens, text, at, _LONGEST_WORDS)
        taken = next(((end, each) for end in ends if (each := reader.length(words[at:end])) and each.parts), None)
        at, found = (taken[0], [*found, taken[1]]) if taken else (at + 1, found)
    return found


def spoken_duration(seconds: float, language: str = "en") -> str:
    """5 minutes, 1 hour 15 minutes, 90 seconds. Part of a second counts as a whole one."""
    return " ".join(format_unit(number, unit, locale=language) for number, unit in _parts(seconds))


def as_name(seconds: float, language: str = "en") -> str:
    """What a timer of that length is called: 5 minute, 1 hour 15 minute."""
    data = language_data(language)
    if not data or not data["durations"]["named_by_one"]:
        return spoken_duration(seconds, language)
    ones = ((number, format_unit(1, unit, locale=language)) for number, unit in _parts(seconds))
    return " ".join(one.replace("1", str(number)) for number, one in ones)


def remaining(seconds: float, language: str = "en") -> str:
    """As `spoken_duration`, without the seconds of what is long."""
    return spoken_duration(math.ceil(seconds / 60) * 60 if seconds >= _SECONDS_UNTIL else seconds, language)


def _parts(seconds: float) -> list[tuple[int, str]]:
    left = max(0, math.ceil(seconds))
    if left < _SECONDS_ALONE and left != MINUTE_S:
        return [(left, "duration-second")]
    parts = []
    for unit, size in _UNIT_NAMES.items():
        number, left = divmod(left, size)
        parts += [(number, unit)] if number else []
    return parts
