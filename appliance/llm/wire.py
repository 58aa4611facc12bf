"""OpenAI's chat format, as servers really speak it: what is sent, and the pieces of a streamed answer."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pydantic import BaseModel, ValidationError

from appliance.llm.stream import Lost
from appliance.ports import Message, Rates, Tool, Usage

MEASURABLE = 64
"""Tokens; fewer are read sooner than the network answers, and say nothing of a rate."""


class Function(BaseModel):
    name: str | None = None
    arguments: str | dict[str, Any] | None = None
    """JSON, in pieces; some servers send the object itself."""


class ToolPiece(BaseModel):
    index: int | None = None
    id: str | None = None
    function: Function = Function()


class Delta(BaseModel):
    content: str | None = None
    tool_calls: list[ToolPiece] | None = None


class Choice(BaseModel):
    delta: Delta = Delta()
    finish_reason: str | None = None


class PromptDetails(BaseModel):
    cached_tokens: int | None = None


class Report(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: PromptDetails | None = None

    @property
    def fresh_tokens(self) -> int:
        """Of the prompt, those that the server did not know yet."""
        details = self.prompt_tokens_details
        return self.prompt_tokens - ((details and details.cached_tokens) or 0)


class Chunk(BaseModel):
    choices: list[Choice] | None = None
    usage: Report | None = None
    error: Any = None

    @property
    def delta(self) -> Delta:
        return self.choices[0].delta if self.choices else Delta()


@dataclass
class Draft:
    """A tool call while it is written."""

    id: str | None
    index: int | None
    name: str = ""
    written: str = ""

    def goes_on(self, piece: ToolPiece) -> bool:
        """Ids tell calls apart where there are any: Ollama numbers each call 0, others leave the number out."""
        if piece.id:
            return piece.id == self.id
        return piece.index == self.index and not (piece.index is None and piece.function.name)

    @property
    def arguments(self) -> dict[str, Any] | None:
        """None when what was written is no JSON object; nothing written is a call without arguments."""
        try:
            read = json.loads(self.written or "{}")
        except (ValueError, RecursionError):
            return None
        return read if isinstance(read, dict) else None


class Watch:
    """Tokens and times of one answer."""

    def __init__(self, usage: Usage) -> None:
        self._usage = usage
        self.pieces = 0
        self.report: Report | None = None
        self._asked_s = self._first_s = self._last_s = time.monotonic()

    def piece(self) -> None:
        self._last_s = time.monotonic()
        if not self.pieces:
            self._first_s = self._last_s
            self._usage.first_token_s = self._usage.first_token_s or self._first_s
        self.pieces += 1

    def fill_in(self) -> None:
        """Count as the server reports it; where it does not, a piece counts as a token."""
        report = self.report or Report(completion_tokens=self.pieces)
        self._usage.prompt_tokens += report.prompt_tokens
        self._usage.fresh_tokens += report.fresh_tokens
        self._usage.generated_tokens += report.completion_tokens

    def rates(self, before: Rates) -> Rates:
        """`before`, with what this answer was long enough to measure."""
        fresh, written = self.report.fresh_tokens if self.report else 0, self.pieces - 1
        reading_s, writing_s = self._first_s - self._asked_s, self._last_s - self._first_s
        return Rates(
            fresh / reading_s if fresh >= MEASURABLE and reading_s > 0 else before.prefill_tps,
            written / writing_s if written >= MEASURABLE and writing_s > 0 else before.decode_tps,
        )


def chunks(events: Iterable[str]) -> Iterator[Chunk]:
    """Raises Lost for what is no answer, or only half of one."""
    finished = False
    for data in events:
        if data == "[DONE]":
            return
        try:
            chunk = Chunk.model_validate_json(data)
        except ValidationError:
            raise Lost("sent what is no answer") from None
        if chunk.error:
            raise Lost("failed within its answer")
        finished = finished or any(choice.finish_reason for choice in chunk.choices or ())
        yield chunk
    if not finished:
        raise Lost("broke off its answer")


def drafts(pieces: Iterable[ToolPiece]) -> list[Draft]:
    """The calls that `pieces` belong to, in order."""
    found: list[Draft] = []
    for piece in pieces:
        draft = next((each for each in reversed(found) if each.goes_on(piece)), None)
        if draft is None:
            found.append(draft := Draft(piece.id, piece.index))
        draft.name = piece.function.name or draft.name
        written = piece.function.arguments or ""
        draft.written += written if isinstance(written, str) else json.dumps(written)
    return found


def messages(prompt: Sequence[Message]) -> list[dict[str, str]]:
    """One system message at most, at the head, and never two of one role in a row: many chat templates insist on it."""
    head = next((place for place, message in enumerate(prompt) if message.role != "system"), len(prompt))
    roles = [
        "system" if place < head else message.role.replace("system", "user") for place, message in enumerate(prompt)
    ]
    grouped = groupby(zip(roles, prompt, strict=True), key=lambda pair: pair[0])
    return [{"role": role, "content": "\n".join(message.text for _, message in pairs)} for role, pairs in grouped]


def function(tool: Tool) -> dict[str, Any]:
    """A tool as the server offers it to its model."""
    told = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": told}
