"""Model servers on the LAN, and the local model for when none of them answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from appliance.audio import Stale
from appliance.errors import PromptTooLong
from appliance.llm.pool import Pool
from appliance.ports import Grammar, LanguageModel, Message, ModelFacts, Rates, Tool, Usage
from appliance.reply.plan import Answer


class Fallback:
    """Implements LanguageModel and NativeModel."""

    def __init__(self, servers: Pool, local: LanguageModel) -> None:
        self._servers, self._local = servers, local

    @property
    def facts(self) -> ModelFacts:
        """Of the one that answers now: each has its own prompt."""
        return self._servers.facts if self._servers.up else self._local.facts

    def on_board(self) -> ModelFacts:
        return self._local.facts

    @property
    def rates(self) -> Rates:
        return self._servers.rates if self._servers.up else self._local.rates

    @property
    def trouble(self) -> str:
        return "" if self._servers.up else self._local.trouble

    @property
    def native(self) -> bool:
        """Whether tool calls go to a server in its own format now."""
        return self._servers.up and self._servers.native

    def pin(self, heads: Sequence[Sequence[Message]]) -> None:
        """In the local model: it has to be ready when no server is."""
        self._local.pin(heads)

    def expect(self, one: Sequence[Message], other: Sequence[Message], stale: Stale) -> None:
        if not self._servers.up:
            with suppress(PromptTooLong):  # a server, which is back soon, may have room: nothing is forgotten for it
                self._local.expect(one, other, stale)

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        """See LanguageModel. Raises ModelChanged when the servers fail, TurnFailed in the middle of an answer."""
        answering = self._servers if self._servers.up else self._local
        yield from answering.generate(prompt, grammar, limit, usage, stale)

    def converse(
        self, messages: Sequence[Message], tools: Sequence[Tool], limit: int, usage: Usage, stale: Stale
    ) -> Answer:
        """See NativeModel. Raises ModelChanged when the servers fail, ToolsRefused when one only takes no tools."""
        return self._servers.converse(messages, tools, limit, usage, stale)

    def close(self) -> None:
        self._servers.close()
        self._local.close()
