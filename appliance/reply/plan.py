"""What the model writes, read while it is written: words to say or ask, calls to make, a role to take."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

SAY = "say "
SPEECH: dict[str, Literal["say", "ask"]] = {SAY: "say", "ask ": "ask"}
"""How a line of words begins; they reach to the end of all that is written."""
ROLE = "as "
"""How a line that takes a role begins."""
PLACEHOLDER = re.compile(r"\$([1-9])(?!\w|[.,]\d)")
"""In an argument: the result of that step, which is not known yet when the plan is written; $50 is a price."""

_MAY_BE_CALL = re.compile(r"[A-Za-z_]\w*(\(.*)?")


@dataclass(frozen=True)
class Call:
    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """As the model writes it."""
        return f"{self.tool}({', '.join(f'{name}={_written(value)}' for name, value in self.arguments.items())})"

    def without(self, names: Collection[str]) -> Call:
        """The same call with none of those arguments."""
        return Call(self.tool, {name: value for name, value in self.arguments.items() if name not in names})

    def waits(self, steps: int, numbers: Collection[str]) -> bool:
        """Whether an argument is the result of one of so many earlier steps, and no price.

        numbers: those that were said or found; a small price is one of them.
        """
        texts = (value for value in self.arguments.values() if isinstance(value, str))
        marks = {mark for text in texts for mark in PLACEHOLDER.findall(text)} - {*numbers}
        return any(int(mark) <= steps for mark in marks)

    def put_in(self, gave: Sequence[str]) -> Call:
        """The same call with what each step gave where that was left open; what gave nothing stays open."""

        def filled(mark: re.Match[str]) -> str:
            return next(iter(gave[int(mark[1]) - 1 : int(mark[1])]), "") or mark[0]

        texts = {name: value for name, value in self.arguments.items() if isinstance(value, str)}
        return Call(self.tool, self.arguments | {name: PLACEHOLDER.sub(filled, text) for name, text in texts.items()})


@dataclass(frozen=True)
class Words:
    kind: Literal["say", "ask"]
    text: str
    """A piece of what is said, of any size."""


@dataclass(frozen=True)
class Role:
    name: str


Part = Call | Words | Role


@dataclass(frozen=True)
class Answer:
    """What a model with native tool calls gives back."""

    text: str
    """May be empty when there are calls."""
    calls: tuple[Call, ...] = ()
    broken: tuple[str, ...] = ()
    """Tools that were called with arguments that are no JSON object: the model has to be told."""


def read(pieces: Iterable[str]) -> Iterator[Part]:
    """Each part as soon as it is certain: a call with its closing bracket, words as they come.

    A model under the plan grammar writes nothing else. One that is not (on a server) may: what is neither a call nor a
    role is taken for words.
    """
    line, speaking = "", None
    for piece in pieces:
        if speaking:
            yield Words(speaking, piece)
            continue
        line += piece
        while not speaking and line:
            part, rest = _begin(line)
            if part is None:
                break
            line = rest
            if isinstance(part, Words):
                speaking = part.kind
            if not isinstance(part, Words) or part.text:
                yield part
    if line.strip():
        yield Words("say", line)


def _begin(line: str) -> tuple[Part | None, str]:
    """What `line` begins with, and the rest; nothing as long as it may still become something else."""
    line = line.lstrip()
    for mark, kind in SPEECH.items():
        if line.startswith(mark):
            return Words(kind, line[len(mark) :]), ""
    head, newline, rest = line.partition("\n")
    if head.startswith(ROLE):
        return (Role(head.removeprefix(ROLE).strip()), rest) if newline else (None, line)
    if head.endswith(")") and (call := parse(head)):
        return call, rest
    if newline or not (_MAY_BE_CALL.fullmatch(head) or not head):
        return Words("say", line), ""
    return None, line


def parse(line: str) -> Call | None:
    """A call reads as Python, `name(argument=value)`; None for anything else."""
    try:
        node = ast.parse(line.strip(), mode="eval").body
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)) or node.args:
            return None
        named = {part.arg: ast.literal_eval(part.value) for part in node.keywords if part.arg}
        return Call(node.func.id, named) if len(named) == len(node.keywords) else None
    except (SyntaxError, TypeError, ValueError, MemoryError, RecursionError):
        return None


def _written(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)
