"""A model server on the LAN, and the local model for when it does not answer."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from appliance.audio import Stale
from appliance.errors import ModelChanged, PromptTooLong, TurnFailed
from appliance.llm.lan import LanModel
from appliance.ports import Grammar, LanguageModel, Message, ModelFacts, Rates, Tool, Usage
from appliance.reply.plan import Answer

log = logging.getLogger(__name__)

REST_S = 60.0
"""A server that failed is not asked again for this long: its silence would cost every turn seconds."""


class Fallback:
    """Implements LanguageModel and NativeModel."""

    def __init__(self, server: LanModel, local: LanguageModel, now_s: Callable[[], float] = time.monotonic) -> None:
        self._server, self._local, self._now_s = server, local, now_s
        self._rests_until_s = 0.0

    @property
    def facts(self) -> ModelFacts:
        """Of the one that answers now: each has its own prompt."""
        return self._server.facts if self._up else self._local.facts

    def on_board(self) -> ModelFacts:
        return self._local.facts

    @property
    def rates(self) -> Rates:
        return self._server.rates if self._up else self._local.rates

    @property
    def trouble(self) -> str:
        return "" if self._up else self._local.trouble

    @property
    def native(self) -> bool:
        """Whether tool calls go to the server in its own format now."""
        return self._up and self._server.native

    def pin(self, heads: Sequence[Sequence[Message]]) -> None:
        """In the local model: it has to be ready when the server is not."""
        self._local.pin(heads)

    def expect(self, one: Sequence[Message], other: Sequence[Message], stale: Stale) -> None:
        if not self._up:
            with suppress(PromptTooLong):  # the server, which is back soon, may have room: nothing is forgotten for it
                self._local.expect(one, other, stale)

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        """See LanguageModel. Raises ModelChanged when the server fails, TurnFailed in the middle of an answer."""
        if not self._up:
            yield from self._local.generate(prompt, grammar, limit, usage, stale)
            return
        begun = False
        try:
            for piece in self._server.generate(prompt, grammar, limit, usage, stale):
                begun = True
                yield piece
        except PromptTooLong:
            raise
        except TurnFailed as error:
            changed = self._rest(error)
            raise (error if begun else changed) from None

    def converse(
        self, messages: Sequence[Message], tools: Sequence[Tool], limit: int, usage: Usage, stale: Stale
    ) -> Answer:
        """See NativeModel. Raises ModelChanged when the server fails, ToolsRefused when it only takes no tools."""
        try:
            return self._server.converse(messages, tools, limit, usage, stale)
        except PromptTooLong:
            raise
        except TurnFailed as error:
            if self._server.native:
                raise self._rest(error) from None
            raise

    def close(self) -> None:
        self._server.close()
        self._local.close()

    @property
    def _up(self) -> bool:
        return self._now_s() >= self._rests_until_s

    def _rest(self, error: TurnFailed) -> ModelChanged:
        log.warning("%s; the local model answers for the next %.0f s", error, REST_S)
        self._rests_until_s = self._now_s() + REST_S
        return ModelChanged(error.what, remedy=error.remedy)
