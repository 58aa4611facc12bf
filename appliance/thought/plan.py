"""What the model wrote, as data: words to say, or calls to make."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from appliance.thought.grammar import SAY


@dataclass(frozen=True)
class Call:
    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """Either `say` or `calls` holds something. Neither does when the model was cut off: the turn has no plan."""

    say: str = ""
    calls: tuple[Call, ...] = ()


def parse(text: str) -> Plan:
    """The grammar guarantees the form; only a plan cut off by the token limit can break it, and loses its last call."""
    if text.startswith(SAY):
        return Plan(say=text.removeprefix(SAY).strip())
    return Plan(calls=tuple(call for line in text.splitlines() if (call := _call(line))))


def _call(line: str) -> Call | None:
    try:
        node = ast.parse(line.strip(), mode="eval").body
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            return None
        return Call(node.func.id, {part.arg or "": ast.literal_eval(part.value) for part in node.keywords})
    except (SyntaxError, ValueError):
        return None
