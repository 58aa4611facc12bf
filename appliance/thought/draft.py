"""How a pass probably begins: read with the prompt before the model chooses it, dropped where it chooses otherwise.

A word of it that is right saves a pass of the model, one that is wrong costs a fifth of that (writing.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from appliance.ports import Tool
from appliance.thought.grounding import named, said_parameters
from appliance.thought.patterns import NUMBER
from appliance.thought.schemas import value_part
from appliance.thought.signs import Signs
from appliance.thought.work import Work

NUMERIC = ("number", "integer")


def draft(work: Work, tools: Sequence[Tool], speech: bool) -> str:
    """A call of the one tool that is meant, else words; empty where two may be.

    tools: those that are offered.  speech: whether it may be words.
    """
    meant = [] if work.results else [tool for tool in tools if tool.name in work.signs.tools.meant]
    if len(tools) == 1 and not speech:
        meant = list(tools)
    if len(meant) == 1:
        return call(meant[0], work.signs)
    return "say" if speech and not meant else ""


def call(tool: Tool, signs: Signs) -> str:
    """Its beginning, with what the words of the line give, up to the first argument that they do not give."""
    parts, needed = tool.schema.get("properties", {}), tool.schema.get("required", ())
    given = list[str]()
    for name in sorted(parts, key=lambda name: name not in needed):
        value = _value(tool, name, value_part(parts[name]), signs)
        if value:
            given.append(f"{name}={value}")
        if name in needed and not value.endswith('"'):  # a number may go on
            break
    return f"{tool.name}({', '.join(given)}" if given else tool.name


def _value(tool: Tool, name: str, part: dict[str, Any], signs: Signs) -> str:
    """As it is written; empty where the words do not give it. Of a sum only its first number."""
    fitting = signs.fitting(tool.name, name)
    said = named(signs).get(name) or (fitting[0] if len(fitting) == 1 else "")
    if part.get("type") in NUMERIC:
        return _number(name, signs.digits)
    if said:
        return f'"{said}"'
    number = NUMBER.search(signs.digits) if name in said_parameters(tool) else None
    return f'"{number[0]}' if number else ""


def _number(name: str, digits: str) -> str:
    """The number before the unit that the argument is named after; else the only one that there is."""
    if found := re.search(rf"\b({NUMBER.pattern})[ -]{name.removesuffix('s')}s?\b", digits):
        return found[1]
    numbers = NUMBER.findall(digits)
    return numbers[0] if len(numbers) == 1 and not name.endswith("s") else ""
