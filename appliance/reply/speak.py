"""The model's words on their way to the mouth, watched for what is not for the ear."""

from __future__ import annotations

import logging
import re

from appliance.records import Step
from appliance.reply.plan import Words
from appliance.reply.turn import Turn
from appliance.safety.guard import Guard

log = logging.getLogger(__name__)

SENTENCE_END = re.compile(r"[.!?…]['\")]?\s")
"""Where words to say may be cut."""


class Speech:
    """The words of one pass."""

    def __init__(self, turn: Turn, sentences_max: int) -> None:
        self._turn, self._sentences_max = turn, sentences_max
        self._guard: Guard | None = None
        self.written: list[str] = []
        """The pass as the model wrote it, a line for each call and one for the words."""

    def say(self, words: Words) -> bool:
        """The next words; whether the pass may go on."""
        turn = self._turn
        if self._guard is None:
            self._guard = Guard({tool.name: None for tool in turn.tools})
            turn.record.outcome = "asked" if words.kind == "ask" else turn.record.outcome
            turn.record.steps.append(Step(kind=words.kind))
            self.written.append(f"{words.kind} ")
        self.written[-1] += words.text
        safe = self._guard.feed(words.text)
        turn.words += safe
        turn.utter(safe)
        return not self._guard.tripped and len(SENTENCE_END.findall(turn.words)) < self._sentences_max

    def finish(self, garbled: str) -> None:
        """The rest of the words, and `garbled`, an apology, in place of what is not for the ear."""
        turn, guard = self._turn, self._guard
        if guard is None:
            return
        rest = guard.finish()
        rest = rest if any(map(str.isalnum, turn.words + rest)) else ""  # what cannot be heard joins no other words
        turn.words += rest
        turn.utter(rest)
        if guard.tripped:
            log.warning("turn %d: structured text kept from the ear", turn.record.turn)
            turn.record.outcome = "error"
            turn.took_branch("garbled")
            turn.utter(f"\n{garbled}\n")
            self.written[-1] = f"say {turn.words}{garbled}"
