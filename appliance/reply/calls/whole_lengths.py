"""A length as it was said or found: a small model keeps the first part of it ("2 minutes" of two and a half), takes
another unit (90 minutes of 90 seconds), runs its numbers together (340 minutes of 3 hours 40), or leaves it out where
the line only points to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta
from fractions import Fraction

from appliance.language.quantities import plain
from appliance.reply.calls.ellipsis import LENGTHS, SETTERS
from appliance.reply.plan import Call
from appliance.reply.understanding.patterns import NUMBER

_SECONDS = dict(zip(LENGTHS, (3_600, 60, 1), strict=True))
_WRITTEN = {unit[0]: unit for unit in LENGTHS}
_PART = r"\d+(?:\.\d+)?[ -]?(?:hours?|hrs?|h|minutes?|mins?|seconds?|secs?)(?![\w/])"
_LENGTH = re.compile(
    r"(?<![\w.,:/])(?<!\d )(?<!\d-)(?<!to )(?<!every )(?<!hour and )(?<!hours )"
    rf"{_PART}(?: (?:and )?{_PART})*(?! (?:per|an?|each|every)\b)",
    re.IGNORECASE,
)
"""No rate, no range, no part of a mixed number: those are left to the model."""
_PARTS = re.compile(r"(\d+(?:\.\d+)?)[ -]?([hms])", re.IGNORECASE)


def with_whole_length(call: Call, digits: str) -> Call:
    """`call` with all of the only length in the line, where it has a part of that or its numbers in other units.

    digits: the line, numbers so.
    """
    lengths = _lengths([digits])
    if len(lengths) != 1 or call.tool not in SETTERS:
        return call
    said, given = lengths[0], _given(call)
    part = given and len(given) < len(said) and all(said.get(unit) == number for unit, number in given.items())
    alone = len(NUMBER.findall(digits)) == len(said)  # no second length
    other = alone and _figures(given) == _figures(said)
    return _with(call, said) if part or (other and given != said) else call


def with_found_length(call: Call, texts: Iterable[str]) -> Call:
    """`call` of a line without a number, with the one length that was found, or with that whose numbers it has.

    texts: what may hold it, numbers in digits.
    """
    lengths, given = _lengths(texts), _given(call)
    if any(_seconds(found) == _seconds(given) for found in lengths):
        return call
    found = [each for each in lengths if not given or _figures(each) == _figures(given)]
    return _with(call, found[0]) if len({_seconds(each) for each in found}) == 1 else call


def at_clock(call: Call, digits: str, clock: re.Pattern[str]) -> str:
    """The time of day in the line whose hour `call` took for a length: "goes off at quarter past 7"; else empty."""
    times = [*clock.finditer(digits)]
    given = {str(plain(number)) for number in _given(call).values()}
    if len(times) != 1 or not given:
        return ""
    told, besides = NUMBER.findall(times[0][0]), NUMBER.findall(clock.sub(" ", digits))
    return times[0][0] if given <= {*told} - {*besides} else ""


def lasting(call: Call, length: timedelta) -> Call:
    """`call` for so long, in whole minutes."""
    hours, minutes = divmod(round(length.total_seconds() / 60), 60)
    return _with(call, {unit: Fraction(count) for unit, count in zip(LENGTHS, (hours, minutes), strict=False) if count})


def _lengths(texts: Iterable[str]) -> list[dict[str, Fraction]]:
    """Unit -> how many, of each length in them."""
    return [
        {_WRITTEN[unit.casefold()]: Fraction(number) for number, unit in _PARTS.findall(found[0])}
        for text in texts
        for found in _LENGTH.finditer(text)
    ]


def _given(call: Call) -> dict[str, Fraction]:
    given = {unit: call.arguments.get(unit) for unit in LENGTHS}  # a server may write anything
    return {unit: Fraction(str(value)) for unit, value in given.items() if value and type(value) in (int, float)}


def _with(call: Call, length: dict[str, Fraction]) -> Call:
    kept = call.without(LENGTHS)
    return Call(call.tool, kept.arguments | {unit: plain(number) for unit, number in length.items()})


def _seconds(length: dict[str, Fraction]) -> Fraction:
    return sum((number * _SECONDS[unit] for unit, number in length.items()), Fraction(0))


def _figures(length: dict[str, Fraction]) -> str:
    return "".join(str(plain(number)) for number in length.values())
