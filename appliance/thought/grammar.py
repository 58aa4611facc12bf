"""What the model may write, compiled from the tools' own JSON schemas.

A plan is `say` or `ask` and free words, or one to five calls, a line each, with words after them where there are any:

    set_timer(minutes=5, label="pasta")
    get_time()

Calls look like Python because every model has read Python, and because the fixed parts (`(expression="`) can be fed as
one batch instead of being written token by token: JSON would cost three times the tokens (performance.md 2).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from appliance.errors import WrongUse
from appliance.ports import Tool
from appliance.thought.plan import ROLE, SPEECH
from appliance.thought.schemas import value_part

VALUES = {
    "string": r'"\"" [^"\\\n\x00-\x1f]{1,120} "\""',
    "number": r'("-"? ("0" | [1-9] [0-9]{0,11}) ("." [0-9]{1,6})? | "\"$" [1-9] "\"")',
    "integer": r'("-"? ("0" | [1-9] [0-9]{0,11}) | "\"$" [1-9] "\"")',
    "boolean": '("True" | "False")',
}
"""JSON schema type -> what a value of it looks like; `"$1"` stands for the result of step 1."""
MINUS = '"-"? '


@dataclass(frozen=True)
class Parameter:
    name: str
    required: bool
    rule: str
    """GBNF of its value."""
    opening: str
    """What certainly stands after `name=`."""


@dataclass(frozen=True)
class PlanGrammar:
    """Implements Grammar for one catalogue of tools; with none, only words may be written."""

    tools: tuple[tuple[str, tuple[Parameter, ...]], ...]
    """Tool names with their parameters, in the order in which they are written."""
    steps_max: int
    roles: tuple[str, ...] = ()
    speech: bool = True
    """Whether words may be written at all."""

    @cached_property
    def gbnf(self) -> str:
        marks = " | ".join(f'"{mark.strip()}"' for mark in SPEECH)
        rules = [f"root ::= {self._root}", f"speech ::= ({marks}) text", r'text ::= " " [^\x00]+']
        if self.roles:
            rules.append("role ::= " + " | ".join(json.dumps(f"{ROLE}{name}\n") for name in self.roles))
        if self.tools:
            rules.append("call ::= " + " | ".join(f"call{index}" for index in range(len(self.tools))))
        for index, (name, parameters) in enumerate(self.tools):
            rules += _call_rules(index, name, parameters)
        return "\n".join(rules)

    @property
    def _root(self) -> str:
        calls = f'call ("\\n" call){{0,{self.steps_max - 1}}}' + (' ("\\n" speech)?' if self.speech else "")
        ways = [*(["speech"] if self.speech else []), *([calls] if self.tools else [])]
        return f"{'role? ' if self.roles else ''}({' | '.join(ways)})"

    def free(self, written: str) -> bool:
        return any(f"\n{written}".rpartition("\n" + mark)[1] for mark in SPEECH)

    def forced(self, written: str) -> str:
        """The rest of a tool's name once only one can be meant, its bracket, and its first argument if it must come."""
        if self.free(written):
            return ""
        name, bracket, arguments = written.rpartition("\n")[2].partition("(")
        if not bracket:
            return self._rest_of_name(name)
        return _closing(arguments, dict(self.tools).get(name, ())) if arguments else ""

    def _rest_of_name(self, begun: str) -> str:
        """It ends where the next token begins: not with the blank after `say` nor with a bracket before a choice.

        Those are one token with the word that follows (` Hello`, `(label`), and a model that is handed half of such a
        token goes astray: it answers in Chinese, and leaves the label out.
        """
        marks = [mark.strip() for mark in SPEECH] + ([ROLE.strip()] if self.roles else [])
        meant = [word for word in [*dict(self.tools), *marks] if word.startswith(begun)]
        if not begun or len(meant) != 1:
            return ""
        return meant[0][len(begun) :] + ("" if meant[0] in marks else _opening(dict(self.tools)[meant[0]]))


def compile_grammar(
    tools: Sequence[Tool], steps_max: int, roles: Sequence[str] = (), speech: bool = True
) -> PlanGrammar:
    """Raises WrongUse for a schema that a call cannot express."""
    return PlanGrammar(tuple((tool.name, _parameters(tool)) for tool in tools), steps_max, tuple(roles), speech)


def _parameters(tool: Tool) -> tuple[Parameter, ...]:
    required = set(tool.schema.get("required", ()))
    found = [
        Parameter(name, name in required, *_value(tool.name, name, part))
        for name, part in tool.schema.get("properties", {}).items()
    ]
    return tuple(sorted(found, key=lambda parameter: not parameter.required))


def _value(tool: str, name: str, part: dict[str, Any]) -> tuple[str, str]:
    """GBNF of a parameter's value, and the part of it that is certain."""
    part = value_part(part)
    if options := part.get("enum") or ([part["const"]] if "const" in part else []):
        texts = [json.dumps(option, ensure_ascii=False) for option in options]
        return "(" + " | ".join(json.dumps(text, ensure_ascii=False) for text in texts) + ")", '"'
    kind = part.get("type")
    if kind not in VALUES:
        raise WrongUse(f"tool {tool}: argument {name} has type {kind}", remedy=f"use one of: {', '.join(VALUES)}")
    rule = VALUES[kind].replace(MINUS, "") if part.get("minimum", -1) >= 0 else VALUES[kind]
    return rule, '"' if kind == "string" else ""


def _call_rules(index: int, name: str, parameters: Sequence[Parameter]) -> list[str]:
    """One call: each parameter in order, optional ones present or absent, commas between those present.

    Two rules a parameter (`f`: none is written yet, `n`: some are), so their number grows with the parameters only.
    """
    rules = [f'call{index} ::= "{name}(" call{index}-0f ")"']
    for place, parameter in enumerate(parameters):
        for mark, comma in (("f", ""), ("n", ", ")):
            here = f'"{comma}{parameter.name}=" {parameter.rule} call{index}-{place + 1}n'
            absent = "" if parameter.required else f" | call{index}-{place + 1}{mark}"
            rules.append(f"call{index}-{place}{mark} ::= {here}{absent}")
    return rules + [f'call{index}-{len(parameters)}{mark} ::= ""' for mark in "fn"]


def _opening(parameters: Sequence[Parameter]) -> str:
    """What follows the name for certain: both brackets, or one and the first argument that must be there."""
    if not parameters:
        return "()"
    head = parameters[0]
    return f"({head.name}={head.opening}" if head.required else ""


def _closing(arguments: str, parameters: Sequence[Parameter]) -> str:
    """The next required argument, or the closing bracket once the last argument is complete."""
    if not arguments.endswith('"') or arguments.count('"') % 2:
        return ""  # inside a string, or in a number that may go on
    present = [parameter for parameter in parameters if f"{parameter.name}=" in _without_strings(arguments)]
    later = parameters[parameters.index(present[-1]) + 1 :] if present else ()
    if not later:
        return ")"
    return f", {later[0].name}={later[0].opening}" if later[0].required else ""


def _without_strings(arguments: str) -> str:
    return "".join(arguments.split('"')[::2])
