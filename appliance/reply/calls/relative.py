"""A setting that the line gives as so much more or less than what was found: "put it 2 degrees up from that"."""

from __future__ import annotations

import re
from collections.abc import Callable

from appliance.reply.plan import Call
from appliance.reply.understanding.patterns import NUMBER, Patterns

STATE = "state"
"""The parameter of the tool that sets something in the house."""
_FIGURE = re.compile(r"(?<![\w:.,])(?:minus |-)?\d+(?:\.\d+)?(?![\d:,])")


def beyond(call: Call, digits: str, found: str, words: Patterns, in_digits: Callable[[str], str]) -> Call:
    """`call` with that in place of the number in it, which a small model reckons from any number of the result.

    digits: the line, with its numbers in digits; it has no other number.  found: the result.
    in_digits: gives that its own.
    """
    given = str(call.arguments.get(STATE, ""))
    ways = ((1, words.raised), (-1, words.lowered))
    steps = [(sign, each) for sign, pattern in ways for each in pattern.finditer(digits)]
    if len(steps) != 1 or len(NUMBER.findall(digits)) != 1 or not _FIGURE.search(given):
        return call
    found = in_digits(found)  # a long one costs 6 ms
    held = words.held_at.findall(found) or _FIGURE.findall(found)
    if len(held) != 1:
        return call
    sign, step = steps[0]
    number = f"{float(held[0].replace('minus ', '-')) + sign * float(step['by']):g}"
    return Call(call.tool, call.arguments | {STATE: _FIGURE.sub(number, given, count=1)})
