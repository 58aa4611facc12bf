"""How a pass probably begins: read with the prompt before the model chooses it, dropped where it chooses otherwise.

A word of it that is right saves a pass of the model, one that is wrong costs a fifth of that (backends/writing.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from appliance.language.quantities import THOUSANDS
from appliance.ports import Tool
from appliance.reply.calls.grounding import named, said_parameters
from appliance.reply.schemas import value_part
from appliance.reply.understanding.patterns import NUMBER
from appliance.reply.understanding.signs import Signs
from appliance.reply.work import Work

NUMERIC = ("number", "integer")
_DECIMAL = re.compile(r"\d+(\.\d+)?")
_MEASURED = re.compile(rf"{NUMBER.pattern}[ -]([^\W\d_]+)")


def drafts(work: Work, tools: Sequence[Tool], speech: bool) -> tuple[str, ...]:
    """The likeliest beginning, empty where two may be; then what each tool would be called with, should it be chosen.

    tools: those that are offered.  speech: whether it may be words.
    """
    calls = {tool.name: call(tool, work.signs) for tool in tools}
    meant = [] if work.results or work.signs.chat else [name for name in calls if name in work.signs.tools.meant]
    if len(tools) == 1 and not speech:
        meant = list(calls)
    words = "say" if speech and not meant else ""
    first = calls[meant[0]] if len(meant) == 1 else words
    return (first, *(each for each in calls.values() if "(" in each))


def call(tool: Tool, signs: Signs) -> str:
    """The call that the words of the line give, whole or up to the first argument that they do not give."""
    parts, needed = tool.schema.get("properties", {}), tool.schema.get("required", ())
    given, whole = list[str](), True
    for name in sorted(parts, key=lambda name: name not in needed):
        part = value_part(parts[name])
        value = _value(tool, name, part, signs)
        if value:
            given.append(f"{name}={value}")
        if (name in needed and not value) or (value.startswith('"') and not value.endswith('"')):
            whole = False
            break
        whole = whole and bool(value or part.get("type") in NUMERIC or "enum" in part or name in named(signs))
    return f"{tool.name}({', '.join(given)}{')' if whole else ''}" if given else tool.name


def _value(tool: Tool, name: str, part: dict[str, Any], signs: Signs) -> str:
    """As it is written; empty where the words do not give it, without its last quote where they only give the start."""
    if part.get("type") in NUMERIC:
        return _number(name, signs.digits)
    fitting, free = signs.fitting(tool.name, name), _FREE.get(name)
    said = free(signs) if free else named(signs).get(name)
    if said := said or (fitting[0] if len(fitting) == 1 else ""):
        return f'"{said}"'
    if name not in said_parameters(tool):
        return ""
    if whole := _sum(signs):
        return f'"{whole}"'
    number = NUMBER.search(signs.digits)
    return f'"{number[0]}' if number else ""


def _number(name: str, digits: str) -> str:
    """The number before the unit that the argument is named after; else the only one that there is."""
    if found := re.search(rf"\b({NUMBER.pattern})[ -]{name.removesuffix('s')}s?\b", digits):
        return found[1]
    numbers = NUMBER.findall(digits)
    return numbers[0] if len(numbers) == 1 and not name.endswith("s") else ""


def _sum(signs: Signs) -> str:
    """That of two numbers; empty where no word says what they are to each other."""
    digits = THOUSANDS.sub("", signs.digits)
    numbers = NUMBER.findall(digits)
    if len(numbers) != 2 or not all(map(_DECIMAL.fullmatch, numbers)):
        return ""
    if (found := signs.words.percent.search(digits)) and (percent := NUMBER.search(found[0])):
        return f"{numbers[numbers[0] == percent[0]]} * {float(percent[0]) / 100:g}"
    sign = next((sign for sign, words in signs.words.operators.items() if words.search(digits)), "")
    if sign in ("-", "/"):
        numbers.sort(key=float, reverse=True)  # nobody divides four by twenty
    return f" {sign} ".join(numbers) if sign else ""


def _thing(signs: Signs) -> str:
    """What it is for, by the words before it; the strongest of them first."""
    found = _behind(signs.words.purposes, signs.digits)
    return (found or _behind(signs.words.things, signs.digits) or [""])[0]


def _given_unit(signs: Signs) -> str:
    found = _MEASURED.search(signs.digits)
    return found[1] if found else ""


def _asked_unit(signs: Signs) -> str:
    found = [unit for unit in _behind(signs.words.targets, signs.digits) if unit != _given_unit(signs)]
    unit = found[-1].removesuffix("s") if found else ""
    for said, spelt in signs.words.spellings.items():
        unit = unit.replace(said, spelt)
    return unit


def _behind(before: re.Pattern[str], text: str) -> list[str]:
    return [match["word"] for match in re.finditer(rf"{before.pattern} (?P<word>[^\W\d_]{{3,}})", text, re.IGNORECASE)]


_FREE: dict[str, Callable[[Signs], str]] = {"label": _thing, "from_unit": _given_unit, "to_unit": _asked_unit}
"""Free words by the names that the tools here have for them: what the line gives."""
