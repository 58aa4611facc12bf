"""The final memory step: after a reply, one pass chooses whether something said about the user is kept."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from itertools import chain, zip_longest

from appliance.audio import Stale
from appliance.errors import BadArgument
from appliance.ports import Fact
from appliance.records import StepOutcome, TurnRecord
from appliance.reply import prompt
from appliance.reply.house import House
from appliance.reply.plan import Call
from appliance.reply.understanding.corrections import (
    CODE_DIGITS,
    MEMORY_TOOLS,
    REVISED_MOST,
    SPACED,
    UPDATE,
    content,
    name_words,
    spelt,
)
from appliance.reply.understanding.patterns import NUMBER, TIME_OF_DAY, Patterns
from appliance.reply.understanding.relevance import among, words
from appliance.reply.understanding.replacing import replaced
from appliance.reply.understanding.signs import Signs
from appliance.reply.work import Work
from appliance.safety.redact import redact

log = logging.getLogger(__name__)

SAVE, NOTHING = "save_memory", "nothing"
FORGETTING = {"forget", "forget_last"}
SAID_SHARE = 0.5
"""Of what is new in a fact: the words that the user must have said. What the model adds by itself is no memory."""

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
        known = self._offered(work)
        choices = [*([] if work.signs.lasting and work.signs.bare else [NOTHING]), SAVE, *([UPDATE] if known else [])]
        text = prompt.instruction("final", facts="; ".join(f"{fact.id}: {fact.text}" for fact in known) or "-")
        for _ in range(1 + self._settings.final_retries):
            call = self._choose(text, choices, stale)
            if call is None or call.tool == NOTHING:
                return
            try:
                fact = self._keep(call, work, known)
            except BadArgument as error:
                text = f"{text}\n{call.text}\n-> {error.what}"
                continue
            if fact:
                work.remembered().written.append(str(fact.id))
                if any(fact.id == each.id for each in known):
                    self._conversation.forget_known(fact.text)
            return
        log.info("turn %d: the final memory step gave nothing that could be kept", work.record.turn)

    def _offered(self, work: Work) -> list[Fact]:
        """The known facts that the line may change: those nearest to it, and to what the box said before it in turn."""
        most = self._settings.facts_offered
        near = (self._memory.nearest(text, most) for text in (work.record.heard, work.before))
        turns = chain.from_iterable(zip_longest(*near))
        return [*{fact.id: fact for fact in turns if fact}.values()][:most]

    def _wanted(self, work: Work) -> bool:
        """Not where lane or tools show that none was made, or saw to it; never of a line that is not to be kept, nor
        after text from outside.
        """
        used = {call.tool for call in work.calls}
        plain = work.record.lane in ("plan", "loop") and work.record.outcome in ("said", "asked")
        unkept = not work.signs.lasting and work.signs.words.unkept.search(work.record.heard)
        barred = work.tainted or work.confidential or unkept
        return self._settings.final_step and plain and not barred and not used & MEMORY_TOOLS

    def _keep(self, call: Call, work: Work, known: Sequence[Fact]) -> Fact | None:
        """What is kept; None of what was never said: the model has nothing, and asking again would not help.

        Raises BadArgument.
        """
        fact = redact(str(call.arguments.get("fact", "")).strip(), self._region)
        older = self._older(call, fact, known, work.record.heard, work.signs)
        if not content(fact) or not self._told(fact, older.text if older else "", work):
            return None
        now = self._clock.now()
        return self._memory.update(older.id, fact, now) if older else self._memory.save(fact, "user", now)

    def _older(self, call: Call, fact: str, known: Sequence[Fact], heard: str, signs: Signs) -> Fact | None:
        """The one whose place it takes. Raises BadArgument."""
        if call.tool == SAVE:
            return replaced(fact, heard, self._memory, signs.words, self._in_digits) if signs.correcting else None
        older = next((each for each in known if each.id == call.arguments.get("id")), None)
        if older is None:
            raise BadArgument(prompt.note("bad_id", ids=", ".join(str(each.id) for each in known)))
        return older

    def _told(self, fact: str, older: str, work: Work) -> bool:
        """Whether the user told what is new in it: some of it with this line, and enough with this line and the one
        before. Who says that something is over may say so in other words: "we lost Rex last night".
        """
        signs, forms = work.signs, work.signs.words
        heard, before = (" ".join([text, self._in_digits(text)]) for text in (work.record.heard, work.heard_before))
        heard = f"{heard} {spelt(heard)} {SPACED.sub('', heard)}"
        if not _counted(fact, older, heard, before, forms):
            return False
        known, numbers = words(older), _numbers(fact) - _numbers(older)
        new = [word for word in content(fact) if word not in known]
        own, told = among(new, words(heard)), among(new, words(f"{heard} {before}"))
        whom = name_words(fact)
        only_named = not older and all(word in whom or forms.relations.fullmatch(word) for word in own)
        enough = len(told) + len(numbers) >= SAID_SHARE * (len(new) + len(numbers))
        if (own or numbers) and enough and not (only_named and len(told) < len(new)):
            return True
        if signs.asks or set(content(older)).isdisjoint(words(heard)):
            return False
        over = bool(forms.ended.search(work.record.heard))
        return (over or signs.correcting) if not new else over and len(new) <= REVISED_MOST


def _counted(fact: str, older: str, heard: str, before: str, forms: Patterns) -> bool:
    """Whether the numbers that are new in it were said. Small ones may be in other words ("half three"), but where a
    life may hang on them.
    """
    unsaid = _numbers(fact) - _numbers(older) - _numbers(f"{heard} {before}")
    in_words = bool(forms.ordinals.search(heard))
    if unsaid and (not in_words or forms.grave.search(fact) or max(map(len, unsaid)) >= CODE_DIGITS):
        return False
    timed = {*TIME_OF_DAY.findall(fact)} - {*TIME_OF_DAY.findall(older)}
    return not timed or in_words or bool(_numbers(heard) or TIME_OF_DAY.search(heard))


def _numbers(text: str) -> set[str]:
    """Without points and commas; of times of day none, which are said in words."""
    return {re.sub(r"\D", "", number) for number in NUMBER.findall(TIME_OF_DAY.sub(" ", text))}


def forgetting(record: TurnRecord, *outcomes: StepOutcome) -> bool:
    """Whether a step of it was to forget something; with `outcomes`, whether one ended so."""
    steps = [step for step in record.steps if step.tool in FORGETTING]
    return any(not outcomes or step.outcome in outcomes for step in steps)
