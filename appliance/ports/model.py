"""The language model: what it reads, what it may write, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from appliance.audio import Stale


@dataclass(frozen=True)
class Message:
    role: str
    """system, user or assistant."""
    text: str
    turn_begins: bool = False
    """Whether it is the line that a turn begins with."""


class Grammar(Protocol):
    """What the model may write, and what it must write next."""

    @property
    def gbnf(self) -> str: ...

    def likely(self, written: str) -> str:
        """How it probably goes on after `written`: it only costs time to be wrong. Empty when nothing is known."""
        ...

    def forced(self, written: str) -> str:
        """The only possible continuation of `written`, as far as it is certain; empty when there is a choice."""
        ...

    def free(self, written: str) -> bool:
        """True once anything may follow, up to the end: the grammar need not be asked again."""
        ...

    def barred(self, written: str) -> bool:
        """Whether something was just written that must not be said in answer to this line."""
        ...

    def whole(self, written: str) -> bool:
        """Whether it goes on behind all that was to be written: its last token is one too many."""
        ...

    @property
    def weighed(self) -> bool:
        """Whether it is to be told how sure the model was of it."""
        ...


@dataclass
class Usage:
    """Tokens of model calls; filled in while they run."""

    prompt_tokens: int = 0
    fresh_tokens: int = 0
    generated_tokens: int = 0
    first_token_s: float | None = None
    """Monotonic time at which the first token was known."""
    doubt: float | None = None
    """How unlikely the two least likely tokens were of the text that was written last, on average, in nats; None where
    nobody asked, or for a model that does not tell."""

    def add(self, call: Usage) -> None:
        """What another call took; the doubt is that of the newer one."""
        self.prompt_tokens += call.prompt_tokens
        self.fresh_tokens += call.fresh_tokens
        self.generated_tokens += call.generated_tokens
        self.first_token_s = self.first_token_s or call.first_token_s
        self.doubt = call.doubt


SMALL_PARAMETERS = 7_000_000_000
"""A model of up to so many is small: it gets more rules and fewer liberties."""


@dataclass(frozen=True)
class ModelFacts:
    """What a model says about itself, in its file's metadata."""

    parameters: int
    context_tokens: int
    """The longest it was trained for."""
    tools: bool
    """Whether its chat template has a form for tool calls."""
    taught: bool = False
    """Whether it has learnt what the examples show the others (models/cards/lora.md)."""

    @property
    def small(self) -> bool:
        return self.parameters <= SMALL_PARAMETERS


@dataclass(frozen=True)
class Rates:
    """What the board does, in tokens a second."""

    prefill_tps: float
    decode_tps: float


class LanguageModel(Protocol):
    @property
    def facts(self) -> ModelFacts:
        """Of the model that answers now; another may from one call to the next (llm/fallback.py)."""
        ...

    @property
    def rates(self) -> Rates:
        """As measured at the start, then kept up with every call."""
        ...

    @property
    def trouble(self) -> str:
        """Why nothing can be asked of it now, in words; empty when all is well."""
        ...

    def pin(self, heads: Sequence[Sequence[Message]]) -> None:
        """Evaluate each once, so that every prompt that starts with one of them starts warm."""

    def expect(self, one: Sequence[Message], other: Sequence[Message], stale: Stale) -> None:
        """Evaluate what both prompts begin with: one like them will come.

        Raises Cancelled once stale, PromptTooLong where it would leave no room for a line and its answer.
        """
        ...

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        """The answer to `prompt` in pieces, greedily, at most `limit` tokens.

        Raises Cancelled once stale, ModelChanged where the prompt has to be built for another model.
        """
        ...

    def close(self) -> None: ...
