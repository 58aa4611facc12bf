"""What the user told of lasting things in a conversation that is over: the model proposes, the user's own words decide.

Only what was stated counts: no question, nothing of the box, nothing that the box said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from appliance.language import statements
from appliance.language.digits import numbers_in
from appliance.language.subjects import subject
from appliance.ports import Exchange, FactKind
from appliance.reply.discreet import hides
from appliance.reply.notes import TELLING_LEAST, empty_words, is_order, names
from appliance.reply.plan import Call
from appliance.reply.sentence import SHORT
from appliance.reply.understanding.relevance import among, words
from appliance.safety.guard import spoken_or_none
from appliance.safety.redact import redact

USER, WORLD, RULE = "user_fact", "world_fact", "standing_rule"
"""Names in prompts/choices.yaml. The model tells what is to be kept; whose it is, the user's own words tell."""
SAID_SHARE = 0.75
"""Of a fact's words, those that one sentence of the user's holds: the others may only join them. A judgement, and
stricter than right after the line (remember.py), where the user can still object."""
_SENTENCES = re.compile(rf"{SHORT}(?<=[.!?…])\s+")


@dataclass(frozen=True)
class Told:
    """A sentence of the user's that tells something lasting."""

    text: str
    source: Exchange


@dataclass(frozen=True)
class Candidate:
    """What may become a fact."""

    text: str
    kind: FactKind
    told: Told


class Gatherer:
    def __init__(
        self,
        language: str,
        name: str,
        region: str,
        orders: Set[str] = frozenset(),
        in_digits: Callable[[str], str] = str,
    ) -> None:
        """name, region, orders: as those of notes.py.  in_digits: gives a text its numbers in digits."""
        self._language, self._name, self._region = language, name.casefold(), region
        self._orders, self._in_digits, self._empty = orders, in_digits, empty_words(language)

    def told(self, batch: Sequence[Exchange]) -> list[Told]:
        """What the user stated, and did not order."""
        return [
            Told(text, each)
            for each in batch
            if not is_order(each, self._orders)
            for text in (part.strip() for part in _SENTENCES.split(each.heard))
            if self._is_telling(text)
        ]

    def candidates(self, calls: Sequence[Call], told: Sequence[Told]) -> list[Candidate]:
        """The facts that the model wrote, each with the sentence that holds it."""
        found = list[Candidate]()
        for call in calls:
            text = redact(str(call.arguments.get("fact", "")).strip(), self._region)
            holder = next((each for each in told if self._holds(each.text, text)), None)
            if holder and text not in (each.text for each in found):
                found.append(Candidate(text, self._kind(call.tool, holder.text), holder))
        return found

    def _kind(self, tool: str, sentence: str) -> FactKind:
        if tool == RULE and statements.stands(sentence, self._language):
            return "rule"
        return "user" if statements.of_speaker(sentence, self._language) else "world"

    def _is_telling(self, sentence: str) -> bool:
        own = [word for word in words(sentence) if word not in self._empty]
        return len(own) >= TELLING_LEAST and statements.states(sentence, self._language) and not self._of_box(sentence)

    def _of_box(self, sentence: str) -> bool:
        return statements.of_you(sentence, self._language) or self._name in words(subject(sentence))

    def _holds(self, sentence: str, fact: str) -> bool:
        """Whether a sentence says what the fact says: in its words, of the same, and as true."""
        if not fact or spoken_or_none(fact) is None or hides([fact]) or self._of_box(fact):
            return False
        denied = [statements.denies(text, self._language) for text in (sentence, fact)]
        return self._has_words(sentence, fact) and denied[0] is denied[1] and self._of_the_same(sentence, fact)

    def _has_words(self, sentence: str, fact: str) -> bool:
        """Whether it has the numbers and names of the fact, and most of its words."""
        said, named = {*words(sentence)}, names(fact, self._empty)
        own = [word for word in words(fact) if word not in self._empty]
        if not own or len(among(own, said)) < SAID_SHARE * len(own) or len(among(named, said)) < len(named):
            return False
        return numbers_in(self._in_digits(fact)) <= numbers_in(self._in_digits(sentence))

    def _of_the_same(self, sentence: str, fact: str) -> bool:
        """Whether the fact is about the one that the sentence begins with: what my neighbour grows is not mine."""
        owned = statements.owned(sentence, self._language)[:1]
        return all(among([word], {*words(fact)}) for word in owned)
