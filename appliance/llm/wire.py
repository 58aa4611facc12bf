"""OpenAI's chat format, as servers really speak it: what is sent, and the pieces of a streamed answer."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pydantic import AliasChoices, BaseModel, Field, ValidationError, model_validator

from appliance.llm.stream import Event, Lost, NoEvents, Refusal, words
from appliance.ports import Message, Rates, Tool, Usage

MEASURABLE = 64
"""Tokens; fewer are read sooner than the network answers, and say nothing of a rate."""
SLOWEST_TPS = 3
"""Pieces a second below which a server is given up: people are spoken to at 150 words a minute, 3.3 tokens a second."""
FAILED = {"abort", "error"}
"""Reasons for the end of an answer that is none (vLLM)."""
THINKS, THOUGHT = "<think>", "</think>"


class Lenient(BaseModel):
    """A null is as good as nothing: servers write either."""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        return {key: value for key, value in data.items() if value is not None} if isinstance(data, dict) else data


class Function(Lenient):
    name: str = ""
    arguments: str | dict[str, Any] = ""
    """JSON, in pieces; some servers send the object itself."""


class ToolPiece(Lenient):
    index: int | None = None
    id: str | int = ""
    function: Function = Function()


class Delta(Lenient):
    content: str = ""
    reasoning: str = Field("", validation_alias=AliasChoices("reasoning_content", "reasoning"))
    """Thoughts, which nobody hears: llama-server's name of them, and vLLM's newer one, which is Ollama's too."""
    tool_calls: list[ToolPiece] = []

    @property
    def says(self) -> bool:
        return bool(self.content or self.tool_calls)


class Choice(Lenient):
    delta: Delta = Field(Delta(), validation_alias=AliasChoices("delta", "message"))
    """As a message in an answer that is not streamed."""
    finish_reason: str = ""


class PromptDetails(Lenient):
    cached_tokens: int = 0


class Report(Lenient):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: PromptDetails = PromptDetails()

    @property
    def fresh_tokens(self) -> int:
        """Of the prompt, those that the server did not know yet."""
        return self.prompt_tokens - self.prompt_tokens_details.cached_tokens


class Chunk(Lenient):
    choices: list[Choice] = []
    usage: Report | None = None
    error: Any = None
    object: str = ""
    at_s: float = 0
    """Monotonic time at which it came."""

    @property
    def delta(self) -> Delta:
        return self.choices[0].delta if self.choices else Delta()

    @property
    def ends(self) -> set[str]:
        """Why the answer ends with this one; empty where it goes on."""
        return {choice.finish_reason for choice in self.choices} - {""}


@dataclass
class Draft:
    """A tool call while it is written."""

    id: str | int
    index: int | None
    name: str = ""
    written: str = ""

    def goes_on(self, piece: ToolPiece) -> bool:
        """Ids tell calls apart where there are any: Ollama numbers each call 0, others leave the number out."""
        if piece.id:
            return piece.id == self.id
        return piece.index == self.index and not self._is_followed_by(piece.function)

    def _is_followed_by(self, function: Function) -> bool:
        """Whether another call begins, of a server that gives neither id nor a number of its own."""
        if not function.name or self.index is None:
            return bool(function.name)
        whole = bool(self.written) and self.arguments is not None
        return whole and (bool(function.arguments) or function.name != self.name)

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
        self._thought = False

    def take(self, chunk: Chunk, silence_s: float) -> None:
        """Raises Lost where it comes too late: a server may also write on without ever saying anything.

        silence_s: how long it may take to the first piece; SLOWEST_TPS holds from there on.
        """
        self.report = chunk.usage or self.report
        self._thought = self._thought or bool(chunk.delta.reasoning)
        if chunk.delta.says:
            self._piece(chunk.at_s)
        if chunk.at_s > self._asked_s + silence_s + self.pieces / SLOWEST_TPS:
            self.end()
            raise Lost(f"wrote less than {SLOWEST_TPS} tokens a second")

    def end(self) -> None:
        """Raises Lost where there were thoughts alone: they have used up all tokens."""
        if self._thought and not self.pieces:
            raise Lost("wrote nothing but thoughts (turn its thinking off)")

    def _piece(self, at_s: float) -> None:
        self._last_s = at_s
        if not self.pieces:
            self._first_s = at_s
            self._usage.first_token_s = self._usage.first_token_s or at_s
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


class Thinking:
    """Takes the thoughts out of a text: some servers leave them at its beginning, between marks."""

    def __init__(self) -> None:
        self._held = ""
        self._mark = THINKS
        """The next one that may come; empty once what comes is to be heard."""

    def heard(self, written: str) -> str:
        """What is known to be none of them."""
        self._held += written
        if self._mark == THINKS and self._held.lstrip().startswith(THINKS):
            self._mark = THOUGHT
        if self._mark == THOUGHT:
            _, mark, after = self._held.partition(THOUGHT)
            if not mark:
                return ""
            self._held = after.lstrip()
        elif self._mark and THINKS.startswith(self._held.lstrip()):
            return ""
        self._mark = ""
        return self.rest()

    def rest(self) -> str:
        """What was held back, once nothing more comes."""
        held, self._held = self._held, ""
        return "" if self._mark == THOUGHT else held


def chunks(events: Iterable[Event]) -> Iterator[Chunk]:
    """Raises Refusal where it is an error in the place of an answer, Lost where it is none or only half of one."""
    read, said, finished, thinking = False, False, False, Thinking()
    for text, at_s in events:
        if text == "[DONE]":
            finished = True
            break
        read, chunk = True, _chunk(text, at_s, said)
        finished = finished or bool(chunk.ends)
        if content := chunk.delta.content:
            chunk.delta.content = thinking.heard(content)
            chunk.delta.reasoning = chunk.delta.reasoning or content.removesuffix(chunk.delta.content)
        said = said or chunk.delta.says
        yield chunk
    if not finished:
        raise Lost("broke off its answer") if read else NoEvents
    if held := thinking.rest():
        yield Chunk(choices=[Choice(delta=Delta(content=held))], at_s=time.monotonic())


def _chunk(text: str, at_s: float, said: bool) -> Chunk:
    try:
        chunk = Chunk.model_validate_json(text)
    except ValidationError:
        raise Lost("sent what is no answer") from None
    if FAILED & chunk.ends:
        raise Lost("failed within its answer")
    if chunk.error or chunk.object == "error":
        raise Lost("failed within its answer") if said else _refusal(json.loads(text))
    chunk.at_s = at_s
    return chunk


def _refusal(told: dict[str, Any]) -> Refusal:
    """An error with which a stream begins, in the place of a status."""
    error = told.get("error", told)
    code = error.get("code") if isinstance(error, dict) else None
    return Refusal(code if isinstance(code, int) and 400 <= code < 600 else 500, words(told))


def drafts(pieces: Iterable[ToolPiece]) -> list[Draft]:
    """The calls that `pieces` belong to, in order."""
    found: list[Draft] = []
    for piece in pieces:
        draft = next((each for each in reversed(found) if each.goes_on(piece)), None)
        if draft is None:
            found.append(draft := Draft(piece.id, piece.index))
        draft.name = piece.function.name or draft.name
        written = piece.function.arguments
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
