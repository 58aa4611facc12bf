"""What a tool or the memory gave, made short enough for a small model: a free cut, then a digest if affordable."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from appliance.ports import LanguageModel
from appliance.records import Step
from appliance.reply import prompt
from appliance.reply.addressed import unaddressed
from appliance.reply.budget import CHARS_PER_TOKEN, Stage
from appliance.reply.digest import Limits, attributed, digest
from appliance.reply.plan import Call
from appliance.reply.turn import Turn
from appliance.reply.understanding.relevance import READ_MAX_CHARS, cut
from appliance.safety.fence import fence, new_nonce, seen
from appliance.safety.redact import redact
from appliance.settings import Memory, Reply

log = logging.getLogger(__name__)

Aside = Callable[[Turn, str, int, float], str]
"""The model's answer to a text that follows what the turn has so far, in at most so many tokens and by that time."""


class Shortener:
    def __init__(self, model: LanguageModel, reply: Reply, memory: Memory, aside: Aside) -> None:
        self._model, self._reply, self._memory, self._aside = model, reply, memory, aside

    def result(self, answer: str, call: Call, turn: Turn, step: Step, untrusted: bool) -> str:
        """A tool's result as the model reads it: redacted, shortened, and fenced when it is from outside."""
        settings = self._reply
        query = " ".join([turn.line.text, *map(str, call.arguments.values())])
        recalled = step.kind == "recall"
        answer = redact(answer, settings.region)
        text = self._short(
            unaddressed(seen(answer[:READ_MAX_CHARS]), query) if untrusted else answer,
            query,
            turn,
            "memory digest" if recalled else "digest",
            self._memory.batch_chars if recalled else settings.digest_batch_chars,
            self._memory.digest_max_chars if recalled else settings.digest_max_chars,
            call.tool,
            step,
        )
        if recalled:
            turn.remembered().recalled += len(answer.splitlines())
            return prompt.background(text)
        return fence(text, call.tool, settings.result_max_chars, new_nonce()) if untrusted else text

    def memories(self, text: str, turn: Turn) -> str:
        """What a search of the memory gave without being planned."""
        settings, step = self._memory, Step(kind="recall")
        text = redact(text, self._reply.region)
        query, longest = turn.line.text, settings.digest_max_chars
        return prompt.background(
            self._short(text, query, turn, "memory digest", settings.batch_chars, longest, "memory", step)
        )

    def _short(
        self, text: str, query: str, turn: Turn, stage: Stage, batch: int, longest: int, source: str, step: Step
    ) -> str:
        if len(text) <= self._reply.digest_from_chars:
            return text
        read = min(len(text), batch)
        if not (self._wanted and turn.budget.affords(stage, read, round(longest / CHARS_PER_TOKEN))):
            return cut(text, query, longest if self._model.facts.small else self._reply.result_max_chars)
        turn.budget.digests_end_s = ends_s = (
            turn.budget.digests_end_s or time.monotonic() + self._reply.digest_timeout_s
        )
        made = digest(
            cut(text, query, batch),
            query,
            lambda part: self._aside(turn, prompt.digest(part, query, stage), round(longest / CHARS_PER_TOKEN), ends_s),
            Limits(self._reply.digest_from_chars, batch, longest),
            expired=lambda: time.monotonic() >= ends_s,
        )
        step.digested = made.outcome == "digested"
        if stage == "memory digest":
            turn.remembered().digest_chars += len(made.text) if step.digested else 0
            return made.text if step.digested else "" if made.outcome == "none" else cut(text, query, longest)
        return attributed(made.text, source) if step.digested else cut(text, query, longest)

    @property
    def _wanted(self) -> bool:
        return self._reply.digest == "on" or (self._reply.digest == "auto" and self._model.facts.small)
