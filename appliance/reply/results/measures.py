"""Measurements in a result, in the unit that was asked for: a small model reckons them by guesswork."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

from appliance.errors import ToolError
from appliance.language.quantities import THOUSANDS
from appliance.ports import Tool
from appliance.records import Step
from appliance.reply.plan import Call
from appliance.reply.understanding.conversions import CONVERTER
from appliance.reply.work import Work

MOST = 2
"""Measurements of one result; the first ones are what it is about."""

_MEASUREMENT = re.compile(
    r"(?<![\w.,])(-|minus )?(\d+(?:\.\d+)?) ?(?:degrees? (?=celsius|fahrenheit|kelvin))?"
    r"(°[CF]?|[^\W\d_]+(?:/[^\W\d_]+)?)(?!\w)",
    re.IGNORECASE,
)
_TIME = re.compile(r"\b(1[0-2]|[1-9]):([0-5]\d) ?([AP])(?:M\b|\.M\.)", re.IGNORECASE)
_SPELT = {"°": "celsius", "°C": "celsius", "°F": "fahrenheit", "degrees": "celsius", "degree": "celsius"}
"""Signs and bare degrees -> units; who writes degrees and nothing more means Celsius, wherever the box may stand."""
_UNIT = r"\s+((?:degrees? )?[^\W\d_]{3,}(?: [^\W\d_]{3,})?)"
"""One word or two; shorter ones are abbreviations that nobody says aloud, and words such as "a"."""


def asked_units(text: str, before: re.Pattern[str]) -> list[str]:
    """What may be names of units, behind the words that stand before one; two words, then the first of them alone."""
    found = [match[1].lower() for match in re.finditer(f"{before.pattern}{_UNIT}", text, re.IGNORECASE)]
    return [name for each in found for name in dict.fromkeys([each, each.removeprefix("degrees ").split()[0]])]


def in_day_hours(text: str) -> str:
    """Times of day in 24 hours: 7:05 PM is 19:05."""
    return _TIME.sub(lambda found: f"{int(found[1]) % 12 + 12 * (found[3] in 'Pp')}:{found[2]}", text)


def measurements(text: str) -> Iterator[tuple[float, str]]:
    """Value and unit of each number that a word or degree sign follows."""
    for match in _MEASUREMENT.finditer(THOUSANDS.sub("", text)):
        yield float(match[2]) * (-1 if match[1] else 1), _SPELT.get(match[3], match[3])


def measured(answer: str, work: Work, converter: Tool | None) -> list[str]:
    """What a result measures, in the unit that the line or a standing rule asks for."""
    texts, notes = [work.record.heard, *(message.text for message in work.known)], list[str]()
    units = asked_units("\n".join(texts), work.signs.words.units) if converter else []
    since_s = time.monotonic()
    for call, said in islice(converted(answer, units, converter), MOST) if converter and units else ():
        work.took(Step(kind="tool", tool=CONVERTER, arguments=call.arguments), since_s)
        notes, since_s = [*notes, said], time.monotonic()
    return notes


def converted(text: str, units: Sequence[str], converter: Tool) -> Iterator[tuple[Call, str]]:
    """What of it can be turned into one of `units`, the first that fits: the call, and what the converter says."""
    for value, unit in measurements(text):
        for target in (each for each in units if each.rstrip("s") != unit.rstrip("s")):
            call = Call(CONVERTER, {"value": value, "from_unit": unit, "to_unit": target})
            said = ""
            with suppress(ToolError):
                said = converter.call(call.arguments)
            if said:
                yield call, said
                break
