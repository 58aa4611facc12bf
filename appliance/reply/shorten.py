"""What a tool or the memory gave, made short enough for a small model: cut for nothing, digested where time allows.

The cut keeps the sentences that are about the line. A pass of the model reads several times as much. On a Raspberry Pi
5 it takes 4 s for each 1,000 characters and 4 s to write (80 tokens a second are read, docs/design/facts.md, and some
12 written, an estimate): it is made where the board is faster, or while something that was said before is being heard.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from appliance.ports import LanguageModel
from appliance.records import Step
from appliance.reply import prompt
from appliance.reply.addressed import unaddressed
from appliance.reply.budget import CHARS_PER_TOKEN, Stage
from appliance.reply.digest import attributed, digest
from appliance.reply.plan import Call
from appliance.reply.turn import Turn
from appliance.reply.understanding.relevance import cut, readable
from appliance.safety.fence import encodable, fence, new_nonce, seen
from appliance.safety.redact import redact
from appliance.settings import Memory, Reply

DIGEST_TOKENS = 50
"""Of a digest, as a rule: two sentences (bench/reference.py). It may have more, as far as its time goes."""
WORTH = 2
"""Times the length of the cut that a pass has to read, if there is so much: the answer is made of the cut as well."""

Aside = Callable[[Turn, str, int, float], str]
"""The model's answer to a text that follows what the turn has so far, in at most so many tokens and by that time."""


@dataclass(frozen=True)
class Kind:
    """What a text is, and its limits in characters."""

    stage: Stage
    batch: int
    """What a pass of the model reads of it, at most."""
    longest: int
    """Of a digest, and of the cut that takes its place."""


class Shortener:
    def __init__(self, model: LanguageModel, reply: Reply, memory: Memory, aside: Aside) -> None:
        self._model, self._reply, self._aside = model, reply, aside
        self._tool = Kind("digest", reply.digest_batch_chars, reply.digest_max_chars)
        self._remembered = Kind("memory digest", memory.batch_chars, memory.digest_max_chars)

    def result(self, answer: str, call: Call, turn: Turn, step: Step, untrusted: bool) -> str:
        """A tool's result as the model reads it: redacted, shortened, and fenced when it is from outside."""
        query = " ".join([turn.line.text, *map(str, call.arguments.values())])
        answer = redact(encodable(readable(answer)), self._reply.region)
        if step.kind == "recall":
            turn.remembered().recalled += len(answer.splitlines())
            return prompt.background(self._short(answer, query, self._remembered, turn, step))
        text = unaddressed(seen(answer), query) if untrusted else answer
        text = self._short(text, query, self._tool, turn, step)
        return fence(text, call.tool, self._reply.result_max_chars, new_nonce()) if untrusted else text

    def memories(self, text: str, turn: Turn) -> str:
        """What a search of the memory gave without being planned."""
        text = redact(text, self._reply.region)
        return prompt.background(self._short(text, turn.line.text, self._remembered, turn, Step(kind="recall")))

    def _short(self, text: str, query: str, kind: Kind, turn: Turn, step: Step) -> str:
        """The sentences of a long text that are about `query`; the model's digest of more of them where time allows."""
        if len(text) <= self._reply.digest_from_chars:
            return text
        if not self._wanted:
            return cut(text, query, self._reply.result_max_chars)
        readable = self._readable(len(text), kind, turn)
        made = self._digested(cut(text, query, readable), query, kind, turn) if readable else None
        step.digested = bool(made)
        if not made:
            turn.took_branch("left_out" if made is None else "digest_none")
        if made is not None and kind is self._remembered:
            turn.remembered().digest_chars += len(made)
            return made
        return attributed(made, step.tool or "") if made else cut(text, query, kind.longest)

    def _digested(self, text: str, query: str, kind: Kind, turn: Turn) -> str | None:
        asked, tokens = prompt.digest(text, query, kind.stage), round(kind.longest / CHARS_PER_TOKEN)
        ends_s = max(turn.budget.digests_end_s, turn.budget.speech_ends_s)
        return digest(text, lambda: self._aside(turn, asked, tokens, ends_s), kind.longest)

    def _readable(self, length: int, kind: Kind, turn: Turn) -> int:
        """How much of a text of that length a pass of the model reads; 0 where the pass is not worth its time.

        With `digest = "on"` it has all the time that the digests of a turn share, whatever that costs the turn.
        """
        budget, now_s, forced = turn.budget, time.monotonic(), self._reply.digest == "on"
        budget.digests_end_s = budget.digests_end_s or now_s + self._reply.digest_timeout_s
        left_s = budget.digests_end_s - now_s
        waits_s = left_s if forced else min(left_s, budget.seconds(kind.stage))
        readable = min(kind.batch, budget.readable_chars(max(waits_s, budget.covered_s), DIGEST_TOKENS))
        if forced:
            return max(readable, kind.longest) if left_s > 0 else 0
        return readable if readable >= min(length, WORTH * kind.longest) else 0

    @property
    def _wanted(self) -> bool:
        return self._reply.digest == "on" or (self._reply.digest == "auto" and self._model.facts.small)
