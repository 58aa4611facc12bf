"""What a line asks about somebody that the result does not tell: how many pages a book has, whether she had children.

A small model turns silence into a no, or makes a number up ("No, only that she opened a school": 1.5B, 2026-11-26).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from appliance.reply import prompt
from appliance.reply.understanding.line import LOOKUP
from appliance.reply.understanding.patterns import Patterns
from appliance.reply.understanding.relevance import inflected, words
from appliance.reply.work import Work
from appliance.safety.fence import unfenced

_COUNT = re.compile(r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d{1,3})(?![\d.,]?\d)")
"""A number that is no year."""


def untold(work: Work, in_digits: Callable[[str], str]) -> str:
    """A note that the result has nothing about it; empty where it may have, or the line asks for anything else.

    in_digits: gives a text its numbers in digits.
    """
    asked = work.signs.words.counted_or_held.search(work.signs.digits)
    if asked is None or len(work.unread) != 1 or [call.tool for call in work.calls] != [LOOKUP]:
        return ""
    what, text = next(filter(None, asked.groupdict().values())), in_digits(unfenced(work.unread[0]))
    counted = asked["counted"] and _COUNT.search(text)
    return "" if counted or _tells_of(text, what, work.signs.words) else prompt.reckoned("untold", what=what)


def _tells_of(text: str, what: str, forms: Patterns) -> bool:
    if forms.family.fullmatch(what) and forms.family.search(text):
        return True
    return any(inflected(word, other) for word in words(what) for other in words(text))
