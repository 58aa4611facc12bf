"""What was said is thought over while nobody is served: a batch of exchanges at a time, into the diary and into facts.

What is finished is on disk with its mark; a batch that was broken off is done again the next time.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from itertools import accumulate, takewhile

from appliance.audio import Stale
from appliance.errors import ApplianceError, Cancelled, PromptTooLong
from appliance.ports import Exchange, Fact, Message
from appliance.reply import prompt
from appliance.reply.apart import asked
from appliance.reply.dependencies import Dependencies
from appliance.reply.gather import RULE, USER, WORLD, Candidate, Gatherer
from appliance.reply.merge import Became, Merger
from appliance.reply.notes import NOTE, Notes
from appliance.reply.plan import Call
from appliance.reply.remember import NOTHING, SAVE, UPDATE

log = logging.getLogger(__name__)

MARK = "diary"
"""The kept value with the id of the last exchange that was thought over."""
DAYS_BACK = 7
"""Exchanges that are older when they are first seen, as after an update from a release without a diary, stay as they
are: they are found all the same, and months of them would keep a Pi busy for hours."""
READ_MOST = 1_000
"""Exchanges of one look: more than a household has in a week of evenings."""
BATCH_MOST, BATCH_CHARS = 6, 900
"""Exchanges of one batch, and characters of what the model reads of them: behind the shortest head there are 700 tokens
for all of it (llm/llama.py), and a Pi 5 takes some ten seconds for each of its passes (docs/design/facts.md)."""
TRIES = 3
"""Of a batch whose pass the model does not get through; then the user's own words stand. A judgement."""

CALLS_MOST = 3
"""Of one pass: notes of two topics, or as many facts as a few sentences hold."""
NOTE_CHOICES = (prompt.choice(NOTE),)
FACT_CHOICES = tuple(map(prompt.choice, (USER, WORLD, RULE, NOTHING)))

Ask = Callable[[Sequence[Message], Sequence[prompt.Choice], int, Stale], list[Call]]
"""The model's calls, so many at most, for what follows nothing of the conversation. Raises ApplianceError."""


class Reflection:
    def __init__(self, needs: Dependencies, ask: Ask, in_digits: Callable[[str], str]) -> None:
        """in_digits: gives a text its numbers in digits."""
        self._values, self._private, self._name = needs.values, needs.private, needs.name
        self._memory, self._clock = needs.memory, needs.clock
        self._gap = timedelta(seconds=needs.settings.reply.conversation_gap_s)
        language, region = needs.settings.words.language, needs.settings.reply.region
        self._ask = ask
        tools = [*needs.tools, *needs.commands]
        orders = frozenset(tool.name for tool in tools if tool.effect != "read" and not tool.memory)
        outside = frozenset(tool.name for tool in tools if tool.untrusted)
        self._notes = Notes(language, needs.name, region, orders, outside)
        self._gatherer = Gatherer(language, needs.name, region, orders, in_digits)
        self._merger = Merger(needs.memory, language, max(1, needs.settings.memory.facts_offered))
        self._tried = 0

    def step(self, stale: Stale) -> bool:
        """Think one batch over; whether that was done. What goes wrong is logged, and tried again later."""
        try:
            batch = self._next()
            if not batch:
                return False
            self._think_over(batch, stale)
        except Cancelled:
            log.debug("somebody spoke: what was being thought over will be again")
            return False
        except ApplianceError as error:
            log.warning("nothing was thought over: %s", error)
            return False
        return True

    def _think_over(self, batch: Sequence[Exchange], stale: Stale) -> None:
        notes, candidates = self._noted(batch, stale), self._gathered(batch, stale)
        came = [self._merger.take(each, lambda new, alike: self._which(new, alike, stale)) for each in candidates]
        if stale():
            raise Cancelled
        self._write(batch, notes)
        if self._values:
            self._values.set(MARK, str(batch[-1].id))
        self._tried = 0
        log.info("thought %d exchanges over: %d notes, %s", len(batch), len(notes), _counted(came))

    def _next(self) -> list[Exchange]:
        """The first exchanges of one conversation on one day that nobody goes on with; none when all is done."""
        if self._private() or self._values is None:
            return []
        now, mark = self._clock.now(), int(self._values.get(MARK) or 0)
        since = now - timedelta(days=DAYS_BACK)
        if all(newest.id <= mark for newest in self._memory.exchanges_between(since, now, 1)):
            return []  # as a rule, once a minute
        found = self._memory.exchanges_between(since, now, READ_MOST)
        new = sorted((each for each in found if each.id > mark), key=lambda each: each.id)
        open_now = {each.conversation for each in new if now - each.at < self._gap}
        over = [*takewhile(lambda each: each.conversation not in open_now, new)]
        return self._batch([*takewhile(lambda each: self._goes_with(over[0], each), over)])

    def _batch(self, conversation: Sequence[Exchange]) -> list[Exchange]:
        """As much of it as one pass reads; one exchange at least."""
        lengths = accumulate(len(self._notes.transcript([each])) for each in conversation)
        fitting = sum(length <= BATCH_CHARS for length in lengths)
        return [*conversation[: min(BATCH_MOST, max(1, fitting))]]

    def _goes_with(self, first: Exchange, other: Exchange) -> bool:
        return other.conversation == first.conversation and self._day(other) == self._day(first)

    def _day(self, exchange: Exchange) -> date:
        return exchange.at.astimezone(self._clock.now().tzinfo).date()

    def _noted(self, batch: Sequence[Exchange], stale: Stale) -> list[str]:
        """What it was about: as the model tells it and the words hold it, else in the user's own words."""
        own = self._notes.extract(batch)
        if not own:
            return []
        values = {"text": self._notes.transcript(batch), "box": self._name}
        notes = self._notes.held(self._asked("diary", values, NOTE_CHOICES, stale), batch)
        return self._notes.completed(notes, own)

    def _gathered(self, batch: Sequence[Exchange], stale: Stale) -> list[Candidate]:
        """What the user told of lasting things."""
        told, found = self._gatherer.told(batch), list[Candidate]()
        for start in range(0, len(told), CALLS_MOST):
            text = "\n".join(each.text for each in told[start : start + CALLS_MOST])
            found += self._gatherer.candidates(self._asked("gather", {"text": text}, FACT_CHOICES, stale), told)
        return found

    def _which(self, new: str, alike: Sequence[Fact], stale: Stale) -> Fact | None:
        """The fact that a new one takes the place of, by the model's choice."""
        known = {fact.id: fact for fact in alike}
        choices = [prompt.choice(name, [*known]) for name in (SAVE, UPDATE)]
        facts = "; ".join(f"{fact.id}: {fact.text}" for fact in alike)
        calls = self._asked("replaces", {"facts": facts, "new": new}, choices, stale)
        return next((known.get(int(call.arguments.get("id", 0))) for call in calls if call.tool == UPDATE), None)

    def _asked(self, name: str, values: dict[str, str], choices: Sequence[prompt.Choice], stale: Stale) -> list[Call]:
        """The model's calls; none of a batch that it cannot read. Raises Cancelled, ApplianceError."""
        try:
            return self._ask(asked(name, **values), choices, CALLS_MOST, stale)
        except Cancelled:
            raise
        except PromptTooLong as error:
            log.info("%s: %s", name, error)
        except ApplianceError as error:
            self._tried += 1
            if self._tried < TRIES:
                raise
            log.warning("%s: %s; what was said stands as it is", name, error)
        return []

    def _write(self, batch: Sequence[Exchange], notes: Sequence[str]) -> None:
        """The day with these notes; nothing of a conversation about nothing."""
        day = self._day(batch[0])
        before = [line for entry in self._memory.diary(day, day) for line in entry.text.splitlines()]
        if (lines := self._notes.day(before, notes)) != before:
            self._memory.write_diary(day, "\n".join(lines), self._clock.now())


def _counted(came: Sequence[Became]) -> str:
    return ", ".join(f"{count} facts {what.name.lower()}" for what, count in Counter(came).items()) or "no fact"
