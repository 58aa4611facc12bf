"""The final memory step: after a reply, one pass chooses whether something said about the user is kept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from appliance.audio import Stale
from appliance.errors import BadArgument
from appliance.ports import Fact
from appliance.thought import prompt
from appliance.thought.house import House
from appliance.thought.plan import Call
from appliance.thought.redact import redact
from appliance.thought.understanding.corrections import MEMORY_TOOLS, UPDATE, content, replaced
from appliance.thought.understanding.relevance import words
from appliance.thought.understanding.signs import Signs
from appliance.thought.work import Work

log = logging.getLogger(__name__)

SAVE, NOTHING = "save_memory", "nothing"
SAID_SHARE = 0.5
"""Words of a fact that the user must have said: what the model adds by itself is no memory."""

Choose = Callable[[str, list[str], Stale], Call | None]


class FinalStep:
    def __init__(self, house: House, choose: Choose, in_digits: Callable[[str], str]) -> None:
        """in_digits: gives a fact its numbers in digits."""
        self._memory, self._clock, self._choose, self._in_digits = house.memory, house.clock, choose, in_digits
        self._conversation = house.conversation
        self._settings, self._region = house.settings.memory, house.settings.reply.region

    def take(self, work: Work, stale: Stale) -> None:
        """What is saved is in the record's `memory.written`. Raises Cancelled, StoreUnusable, TurnFailed."""
        if not self._wanted(work):
            return
        known = self._memory.nearest(work.record.heard, self._settings.facts_offered)
        choices = [*([] if work.signs.lasting and work.signs.bare else [NOTHING]), SAVE, *([UPDATE] if known else [])]
        text = prompt.instruction("final", facts="; ".join(f"{fact.id}: {fact.text}" for fact in known) or "-")
        for _ in range(1 + self._settings.final_retries):
            call = self._choose(text, choices, stale)
            if call is None or call.tool == NOTHING:
                return
            try:
                fact = self._keep(call, work.record.heard, known, work.signs)
            except BadArgument as error:
                text = f"{text}\n{call.text}\n-> {error.what}"
                continue
            if fact:
                work.remembered().written.append(str(fact.id))
                if any(fact.id == each.id for each in known):
                    self._conversation.forget_known(fact.text)
            return
        log.info("turn %d: the final memory step gave nothing that could be kept", work.record.turn)

    def _wanted(self, work: Work) -> bool:
        """Not where lane or tools show that none was made, or saw to it; never of a line that is not to be kept, nor
        after text from outside.
        """
        used = {call.tool for call in work.calls}
        plain = work.record.lane in ("plan", "loop") and work.record.outcome in ("said", "asked")
        unkept = not work.signs.lasting and work.signs.words.unkept.search(work.record.heard)
        barred = work.tainted or work.confidential or unkept
        return self._settings.final_step and plain and not barred and not used & MEMORY_TOOLS

    def _keep(self, call: Call, heard: str, known: Sequence[Fact], signs: Signs) -> Fact | None:
        """What is kept; None of what was never said: the model has nothing, and asking again would not help."""
        fact = redact(str(call.arguments.get("fact", "")).strip(), self._region)
        said, kept = set(words(heard)), content(fact)
        if not kept or sum(word in said for word in kept) < SAID_SHARE * len(kept):
            return None
        if call.tool == SAVE:
            older = replaced(fact, self._memory, signs.words, in_digits=self._in_digits) if signs.correcting else None
            if older is None:
                return self._memory.save(fact, "user", self._clock.now())
            return self._memory.update(older.id, fact, self._clock.now())
        number = call.arguments.get("id")
        if number not in [each.id for each in known]:
            raise BadArgument(prompt.note("bad_id", ids=", ".join(str(each.id) for each in known)))
        return self._memory.update(int(str(number)), fact, self._clock.now())
