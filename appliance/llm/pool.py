"""The model servers of the settings as one: asked in turn, and one that failed is left alone for a while."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from appliance.audio import Stale
from appliance.errors import ModelChanged, PromptTooLong, TurnFailed
from appliance.llm.failures import ServerFailed, Then
from appliance.llm.key import read_key
from appliance.llm.lan import Known, LanModel
from appliance.ports import Grammar, Message, ModelFacts, Rates, Tool, Usage
from appliance.reply.plan import Answer
from appliance.retries import Retries
from appliance.settings import ModelServer

T = TypeVar("T")
log = logging.getLogger(__name__)

REST_S, LONGEST_REST_S = 30.0, 600.0
"""A pair that failed is not asked again for the first, then for twice as long each time, at most for the second: its
silence would cost a turn seconds. A server that says when to come back is believed within one second and the second."""


@dataclass
class Pair:
    """A server and one key for it, with what its failures have led to."""

    model: LanModel
    key_file: Path | None = None
    rests_until_s: float = 0
    is_out: bool = False
    """Its key was refused."""
    retries: Retries = field(default_factory=lambda: Retries(REST_S, LONGEST_REST_S))

    @property
    def name(self) -> str:
        return self.model.address + (f" with the key in {self.key_file}" if self.key_file else "")

    def usable(self, now_s: float) -> bool:
        return not self.is_out and now_s >= self.rests_until_s


class Pool:
    """Of the LanguageModel what can be asked of servers; `Fallback` has the rest."""

    def __init__(self, pairs: Sequence[Pair], now_s: Callable[[], float] = time.monotonic) -> None:
        self._pairs, self._now_s = list(pairs), now_s
        self._first = 0
        """The pair whose turn it is."""

    @property
    def up(self) -> bool:
        """Whether any may be asked now."""
        return bool(self._usable())

    @property
    def facts(self) -> ModelFacts:
        return self._lead.facts

    @property
    def rates(self) -> Rates:
        return self._lead.rates

    @property
    def native(self) -> bool:
        """Whether tool calls go in the server's own format to the one whose turn it is."""
        return self._lead.native

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        """See LanguageModel. Raises PromptTooLong, ModelChanged when all fail, ServerFailed within an answer."""
        yield from self._first_of(self._usable(), lambda model: model.generate(prompt, grammar, limit, usage, stale))

    def converse(
        self, messages: Sequence[Message], tools: Sequence[Tool], limit: int, usage: Usage, stale: Stale
    ) -> Answer:
        """See NativeModel. Raises ModelChanged when all that take tools fail, ToolsRefused, PromptTooLong."""

        def asked(model: LanModel) -> Iterator[Answer]:
            yield model.converse(messages, tools, limit, usage, stale)

        [answer] = self._first_of([pair for pair in self._usable() if pair.model.native], asked)
        return answer

    def close(self) -> None:
        for pair in self._pairs:
            pair.model.close()

    @property
    def _lead(self) -> LanModel:
        return (self._usable() or self._pairs)[0].model

    def _usable(self) -> list[Pair]:
        """In turn, from the one whose turn it is."""
        in_turn = [*self._pairs[self._first :], *self._pairs[: self._first]]
        return [pair for pair in in_turn if pair.usable(self._now_s())]

    def _first_of(self, pairs: Sequence[Pair], ask: Callable[[LanModel], Iterator[T]]) -> Iterator[T]:
        """What the first of them gives that answers."""
        error: TurnFailed = TurnFailed("no model server can be asked", remedy="run: appliance doctor")
        too_long: dict[int, PromptTooLong] = {}
        for pair in pairs:
            if id(pair.model.known) in too_long or not pair.usable(self._now_s()):
                continue
            answered, retries = False, pair.retries
            try:
                for piece in ask(pair.model):
                    answered = answered or self._answered(pair)
                    yield piece
                self._answered(pair)
                return
            except PromptTooLong as refusal:
                too_long[id(pair.model.known)] = refusal
            except ServerFailed as failure:
                pair.retries = retries  # half an answer forgives nothing
                self._leave_alone(pair, failure)
                if answered:
                    raise
                error = failure
        if too_long:
            raise next(iter(too_long.values()))
        raise ModelChanged(error.what, remedy=error.remedy) from None

    def _answered(self, pair: Pair) -> bool:
        """Its failures are forgotten, and it is the next one's turn."""
        pair.retries = Retries(REST_S, LONGEST_REST_S)
        self._first = (self._pairs.index(pair) + 1) % len(self._pairs)
        return True

    def _leave_alone(self, pair: Pair, failure: ServerFailed) -> None:
        failed = pair.retries.failed(failure.kind, worked_s=0)
        if failure.then is Then.KEY_IS_OUT:
            pair.is_out = True
            log.error("%s; %s; %s", pair.name, failure, failure.then.value)
            return
        pause_s = failed.pause_s if failure.wait_s is None else min(max(failure.wait_s, 1), LONGEST_REST_S)
        for each in self._pairs:
            if each is pair or (failure.then is Then.SERVER_RESTS and each.model.address == pair.model.address):
                each.rests_until_s = self._now_s() + pause_s
        if failed.is_news:
            log.warning("%s; %s (%.0f s)", failure, failure.then.value, pause_s)


def pairs_of(servers: Sequence[ModelServer], silence_s: float) -> list[Pair]:
    """Each server with each of its keys; where there are several servers, no two keys of one stand side by side.

    Raises BadSettings.
    """
    rows = []
    for server in servers:
        known = Known()
        rows.append([pair_of(server, file, silence_s, known) for file in keys_of(server)])
    return [pair for column in zip_longest(*rows) for pair in column if pair]


def keys_of(server: ModelServer) -> Sequence[Path | None]:
    """Their files; None is no key."""
    return server.key_files or (None,)


def pair_of(server: ModelServer, key_file: Path | None, silence_s: float, known: Known) -> Pair:
    """Raises BadSettings."""
    key = read_key(key_file, "its path in [thought]") if key_file else ""
    return Pair(LanModel(server.url, server.model, key, silence_s, known), key_file)


def patience_s(servers: Sequence[ModelServer], plan_s: float) -> float:
    """For the silence of one: all may be silent, and the model on board still has its share of the time for a plan."""
    return plan_s / (len(servers) + 1)
