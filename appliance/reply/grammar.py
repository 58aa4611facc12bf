"""What the model may write, compiled from the tools' own JSON schemas.

A plan is `say` or `ask` and free words, or one to five calls, a line each, with words after them where there are any:

    set_timer(minutes=5, label="pasta")
    get_time()

Calls look like Python because every model has read Python, and because the fixed parts (`(expression="`) can be fed as
one batch instead of being written token by token: JSON would cost three times the tokens (docs/design/facts.md).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from appliance.errors import WrongUse
from appliance.ports import Tool
from appliance.reply.plan import ROLE, SPEECH
from appliance.reply.schemas import value_part
from appliance.reply.sentence import ends_in

BOOLEANS = ("True", "False")
VALUES = {
    "string": r'"\"" [^"\\\n\x00-\x1f]{1,120} "\""',
    "number": r'("-"? ("0" | [1-9] [0-9]{0,11}) ("." [0-9]{1,6})? | "\"$" [1-9] "\"")',
    "integer": r'("-"? ("0" | [1-9] [0-9]{0,11}) | "\"$" [1-9] "\"")',
    "boolean": f"({' | '.join(json.dumps(each) for each in BOOLEANS)})",
}
"""JSON schema type -> what a value of it looks like; `"$1"` stands for the result of step 1."""
MINUS = '"-"? '
_ARGUMENT = r'\w+=(?:"[^"]*"|[^",]*)'
_ARGUMENTS = re.compile(rf'(?P<earlier>(?:{_ARGUMENT}, )*)(?P<name>\w*)(?:=(?P<value>"[^"]*"?|[^",]*))?')
"""Of a call, as far as they are written."""


CALL_MARKS = ('("', "('")
"""Nobody says these: a call of a tool that there is none of."""
LONGEST_PIECE = 16
"""Characters of a token that may hold one."""


@dataclass(frozen=True)
class Parameter:
    name: str
    required: bool
    rule: str
    """GBNF of its value."""
    opening: str
    """What certainly stands after `name=`."""
    options: tuple[str, ...] = ()
    """All that it can be, as it is written; empty for a free value."""


@dataclass(frozen=True)
class PlanGrammar:
    """Implements Grammar for one catalogue of tools; with none, only words may be written."""

    weighed: ClassVar[bool] = False
    tools: tuple[tuple[str, tuple[Parameter, ...]], ...]
    """Tool names with their parameters, in the order in which they are written."""
    steps_max: int
    roles: tuple[str, ...] = ()
    speech: bool = True
    """Whether words may be written at all."""
    unsaid: tuple[str, ...] = ()
    """Phrases that the words must not hold, in lower case."""
    drafts: tuple[str, ...] = ()
    """How a line of it probably reads: the first one before anything is written, the others once their tool is."""

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

    def likely(self, written: str) -> str:
        earlier, _, begun = written.rpartition("\n")
        if self.free(written) or (earlier and not begun):
            return ""
        for place, draft in enumerate(self.drafts):
            chosen = place == 0 or begun.startswith(draft.partition("(")[0])
            if chosen and draft != begun and draft.startswith(begun):
                rest = draft[len(begun) :]
                return rest + self.forced(written + rest)
        return ""

    def barred(self, written: str) -> bool:
        if any(mark in written[-LONGEST_PIECE:] for mark in CALL_MARKS):
            return True
        return ends_in(written, self.unsaid)

    def whole(self, written: str) -> bool:
        return False

    def forced(self, written: str) -> str:
        """The rest of a name or of a choice once only one can be meant, and what stands after it for certain."""
        if self.free(written):
            return ""
        name, bracket, arguments = written.rpartition("\n")[2].partition("(")
        if not bracket:
            return self._rest_of_name(name)
        return _rest_of_argument(arguments, dict(self.tools).get(name, ()))

    def _rest_of_name(self, begun: str) -> str:
        """It ends where the next token begins: not with the blank after `say` nor with a bracket before a choice.

        Those are one token with the word that follows (` Hello`, `(label`), and a model that is handed half of such a
        token goes astray: it answers in Chinese, and leaves the label out.
        """
        marks = [mark.strip() for mark in SPEECH if self.speech] + ([ROLE.strip()] if self.roles else [])
        meant = [word for word in [*dict(self.tools), *marks] if word.startswith(begun)]
        if len(meant) != 1:
            return ""
        return meant[0][len(begun) :] + ("" if meant[0] in marks else _opening(dict(self.tools)[meant[0]]))


def compile_grammar(
    tools: Sequence[Tool],
    steps_max: int,
    roles: Sequence[str] = (),
    speech: bool = True,
    unsaid: Sequence[str] = (),
) -> PlanGrammar:
    """Raises WrongUse for a schema that a call cannot express."""
    named = tuple((tool.name, _parameters(tool)) for tool in tools)
    return PlanGrammar(named, steps_max, tuple(roles), speech, tuple(unsaid))


def _parameters(tool: Tool) -> tuple[Parameter, ...]:
    required = set(tool.schema.get("required", ()))
    found = [
        Parameter(name, name in required, *_value(tool.name, name, part))
        for name, part in tool.schema.get("properties", {}).items()
    ]
    return tuple(sorted(found, key=lambda parameter: not parameter.required))


def _value(tool: str, name: str, part: dict[str, Any]) -> tuple[str, str, tuple[str, ...]]:
    """GBNF of a parameter's value, the part of it that is certain, and all that it can be."""
    part = value_part(part)
    if options := part.get("enum") or ([part["const"]] if "const" in part else []):
        texts = tuple(json.dumps(option, ensure_ascii=False) for option in options)
        quoted = '"' if all(isinstance(option, str) for option in options) else ""
        return "(" + " | ".join(json.dumps(text, ensure_ascii=False) for text in texts) + ")", quoted, texts
    kind = part.get("type")
    if kind not in VALUES:
        raise WrongUse(f"tool {tool}: argument {name} has type {kind}", remedy=f"use one of: {', '.join(VALUES)}")
    rule = VALUES[kind].replace(MINUS, "") if part.get("minimum", -1) >= 0 else VALUES[kind]
    return rule, '"' if kind == "string" else "", BOOLEANS if kind == "boolean" else ()


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


def _rest_of_argument(arguments: str, parameters: Sequence[Parameter]) -> str:
    """Of the argument being written: the rest of its name, or of its value and what follows that."""
    found = _ARGUMENTS.fullmatch(arguments)
    if not found:
        return ""
    name, value = found["name"], found["value"]
    if value is None:
        return _rest_of_argument_name(name, _open(found["earlier"], parameters)) if name else ""
    place = [parameter.name for parameter in parameters].index(name)
    closing = _closing(parameters[place + 1 :])
    if not (options := parameters[place].options):
        return closing if len(value) > 1 and value.endswith('"') else ""  # a number may go on
    meant = [option for option in options if value and option.startswith(value)]
    if len(meant) != 1:
        return ""
    # Where a choice follows, the quote is left to the model: `")` and `",` are one token each.
    return (meant[0] if closing else meant[0].removesuffix('"'))[len(value) :] + closing


def _open(earlier: str, parameters: Sequence[Parameter]) -> Sequence[Parameter]:
    """What may come after the arguments that are complete."""
    named = re.findall(r"(\w+)=", "".join(earlier.split('"')[::2]))
    names = [parameter.name for parameter in parameters]
    later = parameters[names.index(named[-1]) + 1 :] if named else parameters
    required = next((place for place, parameter in enumerate(later) if parameter.required), len(later))
    return later[: required + 1]


def _rest_of_argument_name(begun: str, parameters: Sequence[Parameter]) -> str:
    meant = [parameter for parameter in parameters if parameter.name.startswith(begun)]
    return f"{meant[0].name[len(begun) :]}={meant[0].opening}" if len(meant) == 1 else ""


def _closing(later: Sequence[Parameter]) -> str:
    """After a complete value: the bracket after the last one, or the next argument if it must come."""
    if not later:
        return ")"
    return f", {later[0].name}={later[0].opening}" if later[0].required else ""
