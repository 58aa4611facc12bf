"""What is kept of a turn: which fact a new one replaces, and the final step that saves what was told in passing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence, Set

from appliance.audio import Stale
from appliance.errors import BadArgument
from appliance.language.digits import numbers_in
from appliance.language.grave import is_grave
from appliance.language.statements import refers
from appliance.language.stopwords import EMPTY
from appliance.language.subjects import subject
from appliance.ports import Fact, Message
from appliance.reply import prompt
from appliance.reply.dependencies import Dependencies
from appliance.reply.people import People
from appliance.reply.plan import Call
from appliance.reply.turn import Turn
from appliance.reply.understanding.relevance import among, words
from appliance.safety.redact import redact

log = logging.getLogger(__name__)

SAVE, UPDATE, NOTHING = "save_memory", "update_memory", "nothing"
"""Names in prompts/choices.yaml."""
SAID_SHARE = 0.5
"""Of what is new in a fact: the words that the user must have said. What the model adds by itself is no memory."""
ALIKE_LEAST = 2
"""Words that a stored fact shares with a new one from which it may be meant to be replaced; a judgement."""
Choose = Callable[[Sequence[Message], Sequence[prompt.Choice], Stale], Call | None]
"""The model's pick among choices, behind the conversation and these messages."""


class Remember:
    def __init__(self, needs: Dependencies, people: People, choose: Choose) -> None:
        self._memory, self._clock, self._choose = needs.memory, needs.clock, choose
        self._conversation, self._people = needs.conversation, people
        self._settings, self._region = needs.settings.memory, needs.settings.reply.region
        self._language = needs.settings.words.language

    def take(self, turn: Turn, stale: Stale, memory_tools: Set[str]) -> None:
        """The final step. What is saved is in the record's `memory.written`. Raises Cancelled, StoreUnusable.

        memory_tools: names of those that have to do with it; after one of them there is nothing left to save.
        """
        if not self._wanted(turn, memory_tools):
            return
        known = self._nearest(turn)
        choices = [NOTHING, SAVE, *([UPDATE] if known else [])]
        text = prompt.instruction("final", facts="; ".join(f"{fact.id}: {fact.text}" for fact in known) or "-")
        for _ in range(1 + self._settings.final_retries):
            call = self._choose([Message("user", text)], [*map(prompt.choice, choices)], stale)
            if call is None or call.tool == NOTHING:
                return
            try:
                fact = self._keep(call, turn, known)
            except BadArgument as error:
                turn.took_branch("bad_id")
                text = f"{text}\n{call.text}\n-> {error.what}"
                continue
            if fact:
                turn.remembered().written.append(str(fact.id))
                if fact.id in {each.id for each in known}:
                    turn.took_branch("fact_updated")
                    self._conversation.forget_facts()
            return
        log.info("turn %d: the final memory step gave nothing that could be kept", turn.record.turn)

    def replaced(self, fact: str, turn: Turn) -> Fact | None:
        """The stored fact that a new one takes the place of: the model's choice among the nearest; None for none.

        See `asks_first`. Raises Cancelled.
        """
        alike = self._alike(fact)
        if not alike:
            return None
        known = "; ".join(f"{each.id}: {each.text}" for each in alike.values())
        asked = [*turn.messages, Message("user", prompt.instruction("final", facts=known))]
        call = self._choose(asked, [prompt.choice(name, [*alike]) for name in (SAVE, UPDATE)], turn.stale)
        return alike.get(int(call.arguments.get("id", 0))) if call and call.tool == UPDATE else None

    def asks_first(self, call: Call) -> bool:
        """Whether a call takes the place of a fact that a life may hang on: that one stands until a yes."""
        number = call.arguments.get("id")
        known = self._memory.facts() if number is not None else []
        return any(each.id == number and is_grave(each.text) for each in known)

    def _alike(self, fact: str) -> dict[int, Fact]:
        """The nearest facts that may be about the same thing, by number."""
        said = [word for word in words(fact) if word not in EMPTY]
        near = self._beside(fact)
        return {
            each.id: each
            for each in near
            if len(among(said, words(each.text))) >= ALIKE_LEAST and may_be_of_one(fact, each.text)
        }

    def _wanted(self, turn: Turn, memory_tools: Set[str]) -> bool:
        """Not where tools saw to it, never of a line that is not to be kept, nor after text from outside."""
        planned = turn.record.lane in ("plan", "loop") and turn.record.outcome in ("said", "asked")
        barred = turn.tainted or turn.input.unkept
        used = any(call.tool in memory_tools for call in turn.calls)
        return self._settings.final_step and planned and not barred and not used

    def _nearest(self, turn: Turn) -> list[Fact]:
        """The known facts that the line, or what the box said before it, may be about."""
        most = self._settings.facts_offered
        near = [fact for text in (turn.line.text, turn.input.before) for fact in self._beside(text)]
        return [*{fact.id: fact for fact in near}.values()][:most]

    def _beside(self, text: str) -> list[Fact]:
        """The facts nearest to a text that whoever speaks may change."""
        return self._memory.nearest(text, self._settings.facts_offered, self._people.whose)

    def _keep(self, call: Call, turn: Turn, known: Sequence[Fact]) -> Fact | None:
        """What is kept; None of what was never said. Raises BadArgument for the number of no known fact."""
        fact = redact(str(call.arguments.get("fact", "")).strip(), self._region)
        older = next((each for each in known if each.id == call.arguments.get("id")), None)
        if call.tool == UPDATE and older is None:
            raise BadArgument(prompt.note("bad_id", ids=", ".join(str(each.id) for each in known)))
        if not told(fact, older.text if older else "", turn, turn.input.heard_before):
            return None
        if older and not self._speaks_of(older, turn):
            return None
        now = self._clock.now()
        if older and not is_grave(older.text) and may_be_of_one(fact, older.text):
            return self._memory.update(older.id, fact, now)
        return self._memory.save(fact, "user", now, person=self._people.speaks)

    def _speaks_of(self, fact: Fact, turn: Turn) -> bool:
        """Whether the line may be about what a fact is about: burnt toast is nothing about the lantern in the shed."""
        about = [word for word in words(subject(fact.text)) if word not in EMPTY]
        return not about or bool(among(about, words(turn.line.text))) or refers(turn.line.text, self._language)


def may_be_of_one(fact: str, other: str) -> bool:
    """Whether both may be about the same thing: a pillow in the attic takes the place of no saddle there.

    Where it does not show what one of them is about, they may.
    """
    one, two = ([word for word in words(subject(each)) if word not in EMPTY] for each in (fact, other))
    return not (one and two) or len(among(one, two)) == len(one) or len(among(two, one)) == len(two)


def told(fact: str, older: str, turn: Turn, before: str) -> bool:
    """Whether the user said what is new in a fact: all of its numbers, and half of its words, some with this line."""
    line = f"{turn.line.text} {turn.line.digits}"
    new = [word for word in dict.fromkeys(words(fact)) if word not in EMPTY and word not in words(older)]
    if not numbers_in(fact) - numbers_in(older) <= numbers_in(f"{line} {before}"):
        return False
    own = among(new, words(line))
    return bool(own) and len(among(new, words(f"{line} {before}"))) >= SAID_SHARE * len(new)
