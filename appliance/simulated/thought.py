"""A model whose texts are written for it, and one who thinks without any."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from appliance.audio import Stale
from appliance.errors import Cancelled, PromptTooLong
from appliance.ports import Grammar, Message, ModelFacts, Mouth, Order, OrderOutcome, Rates, Usage
from appliance.records import TurnRecord


class CannedModel:
    """A `LanguageModel` that writes the given texts, one a call, a character at a time; `hangs`: until it is stale."""

    def __init__(self, texts: Sequence[str] = (), hangs: bool = False, parameters: int = 1_500_000_000) -> None:
        self._texts, self._hangs = list(texts), hangs
        self._hangs_once = False
        self.prompts: list[list[Message]] = []
        self.grammars: list[Grammar | None] = []
        self.expected: list[list[Message]] = []
        """What it was to read ahead."""
        self.room: int | None = None
        """Messages that leave room for the next line; None is any number."""
        self.facts, self.rates = ModelFacts(parameters, 32_768, tools=True), Rates(1_000, 100)
        self.trouble = ""

    def more(self, *texts: str) -> None:
        """Write these as well."""
        self._texts += texts

    def hangs_once(self, *then: str) -> None:
        """Hang in the next call, and write `then` in those that follow."""
        self._hangs = self._hangs_once = True
        self.more(*then)

    def pin(self, heads: Sequence[Sequence[Message]]) -> None: ...

    def expect(self, one: Sequence[Message], other: Sequence[Message], stale: Stale) -> None:
        if self.room is not None and len(one) > self.room:
            raise PromptTooLong("there is no room")
        self.expected.append(list(one))

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        self.prompts.append(list(prompt))
        self.grammars.append(grammar)
        usage.doubt = 0.0
        while self._hangs and not stale():
            time.sleep(0.01)
        if self._hangs_once:
            self._hangs = self._hangs_once = False
            raise Cancelled
        for character in self._texts.pop(0) if self._texts else "":
            if stale():
                raise Cancelled
            usage.generated_tokens += 1
            yield character

    def close(self) -> None: ...


class SlowThinker:
    """A `Thinker` that takes its time and then answers the same."""

    def __init__(self, takes_s: float) -> None:
        self._takes_s = takes_s

    def expect(self, stale: Stale, heard: str = "", aloud: bool = True) -> None: ...

    def reply(self, turn: int, heard: str, channel: str, mouth: Mouth, stale: Stale, speaker: str = "") -> TurnRecord:
        ends_s = time.monotonic() + self._takes_s
        while time.monotonic() < ends_s:
            if stale():
                raise Cancelled
            time.sleep(0.01)
        mouth.say("It is so.")
        return TurnRecord(turn=turn, conversation="", said=mouth.finish(), outcome="said")

    def carry_out(self, order: Order) -> tuple[OrderOutcome, str]:
        return "done", "It is done."

    def await_answer(self, order: Order) -> None: ...

    def after(self, stale: Stale) -> None: ...

    def reflect(self, stale: Stale) -> bool:
        return False
