"""The language model of a box whose model is missing or damaged: what needs none still works, and the rest says why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from appliance.audio import Stale
from appliance.errors import ModelLost, PartMissing
from appliance.ports import Grammar, Message, ModelFacts, Rates, Usage


class AbsentModel:
    """Implements LanguageModel, without a model."""

    facts, rates = ModelFacts(parameters=0, context_tokens=0, tools=False), Rates(1.0, 1.0)

    def __init__(self, error: PartMissing | ModelLost) -> None:
        self._error = error

    @property
    def trouble(self) -> str:
        return str(self._error)

    def pin(self, heads: Sequence[Sequence[Message]]) -> None: ...

    def expect(self, one: Sequence[Message], other: Sequence[Message], stale: Stale) -> None: ...

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        """Raises what the start ended in."""
        raise self._error

    def close(self) -> None: ...
