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
    return Plan(calls=tuple(_call(line) for line in text.splitlines() if line.endswith(")")))


def _call(line: str) -> Call:
    """A call reads as Python: `name(argument=value)`."""
    node = ast.parse(line, mode="eval").body
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    return Call(node.func.id, {part.arg or "": ast.literal_eval(part.value) for part in node.keywords})
