"""What memory gives to a turn: what is known of the user, facts near the line, a search where there is no plan."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar

from appliance.language.meanings import meanings
from appliance.language.stopwords import NOISE
from appliance.ports import Fact, Message
from appliance.reply import prompt
from appliance.reply.conversation import Conversation
from appliance.reply.line import Line
from appliance.reply.people import ToldTo
from appliance.reply.readable_memory import Forgiving, Nothing
from appliance.reply.turn import Known
from appliance.reply.understanding.relevance import among, telling
from appliance.reply.understanding.relevance import words as words_of
from appliance.settings import Memory

SHORTEST_LINE_CHARS = 4
"""Of a fact in the profile: no more of them than could have room are asked for. 10,000 cost 81 ms a turn (bench/)."""
WISHES_MOST = 3
"""Some 10 tokens each, read anew in every turn: 0.3 s on the slowest board with three."""
ALIKE_LEAST = 0.5
"""Cosine of a line's meaning and a fact's from which it is shown though they share no word. Of lines about something
else one in thirty has as much in common with any of 300 facts, of questions three of four with the right one
(bench/recall.yaml)."""
BEST_LEAST = 2
"""Words of the line in the best fact from which facts that hold only some of the same words are left out."""

Made = TypeVar("Made")


class Changing(Protocol):
    @property
    def revision(self) -> int:
        """See ports.MemoryStore."""
        ...


class Recall:
    def __init__(
        self,
        known: Callable[[], ToldTo | Forgiving | Nothing],
        settings: Memory,
        conversation: Conversation,
        memory: Changing,
        language: str = "",
    ) -> None:
        """known: what may be told to whoever speaks.  memory: tells when it changed.

        language: in one that has no table of meanings, a fact must share a word with a line.
        """
        self._known, self._settings, self._conversation, self._memory = known, settings, conversation, memory
        self._meanings = meanings(language) if settings.vectors == "auto" else None

    def known(self, line: Line) -> Known:
        """What the turn is told."""
        return Known(tuple(self.profile()), tuple(self.nearest(line.text)), self._withheld(line.text))

    def profile(self) -> list[Message]:
        """What is known of the user, as it stands now: the same from turn to turn until a fact or a rule changes."""
        return self._kept(("profile", self._conversation.person, self._conversation.hears), self._profile)

    def nearest(self, text: str) -> list[str]:
        """The stored facts nearest to a line, also those in the profile: beside the line a small model heeds them."""
        most = self._settings.facts_offered
        if not most or not telling(text) - NOISE:
            return []
        return self._close(text, [fact.text for fact in self._known().nearest(text, most)])

    def _withheld(self, text: str) -> str:
        """See Known; empty where what may be told holds as much of it."""
        if self._conversation.hears is None or not (most := self._settings.facts_offered):
            return ""
        kept = self._known().withheld(text, most)
        told = [fact.text for fact in self._known().nearest(text, most)] if kept else []
        close = self._close(text, [*told, *(fact.text for fact in kept)])
        return next((fact.person for fact in kept if close[:1] == [fact.text]), "")

    def _close(self, text: str, facts: Sequence[str]) -> list[str]:
        """Those of `facts` that are about the line, which stands best first."""
        asked = telling(text) - NOISE
        held = {fact: found for fact in facts if (found := frozenset(among(asked, telling(fact))))}
        best = max(held.values(), key=len, default=frozenset())
        close = [fact for fact in facts if fact in held or self._alike(text, fact)]
        return [fact for fact in close if fact not in held or not (len(best) >= BEST_LEAST and held[fact] < best)]

    def _alike(self, text: str, fact: str) -> bool:
        known = self._meanings
        return known is not None and float(known.of(text) @ known.of(fact)) >= ALIKE_LEAST

    def wishes(self) -> list[str]:
        """The newest standing rules, as far as there is room beside a line."""
        return [rule.text for rule in self._known().facts("rule", WISHES_MOST)]

    @property
    def unread(self) -> bool:
        """The last attempt to read the memory failed."""
        return self._known().broken

    def search(self, line: Line, results: Sequence[str]) -> list[str] | None:
        """Dated entries that a search for the line's own words finds, best first; None, and no search, when an earlier
        result holds `gate_share` of its words already."""
        wanted = set(words_of(line.text))
        held = {word for result in results for word in words_of(result)}
        if wanted and len(wanted & held) >= self._settings.gate_share * len(wanted):
            return None
        key = ("search", self._conversation.person, self._conversation.hears, line.text)
        return self._kept(key, lambda: self._found(line.text))

    def _found(self, text: str) -> list[str]:
        found = self._known().search(text, self._settings.found_max)
        return [f"[{entry.at:%Y-%m-%d}] {entry.text}" for entry in found]

    def _profile(self) -> list[Message]:
        settings = self._settings
        facts = self._known().facts("user", settings.facts_max_chars // SHORTEST_LINE_CHARS)
        return prompt.profile(facts, self._rules(), settings.facts_max_chars, settings.rules_max_chars)

    def _kept(self, key: Hashable, make: Callable[[], list[Made]]) -> list[Made]:
        """As it was found before in this conversation; what could not be read is looked for again the next time."""
        hot = self._conversation.carried.hot
        made = hot.get(key, self._memory.revision, make)
        if self.unread:
            hot.clear()
        return made

    def _rules(self) -> list[Fact]:
        return self._known().facts("rule", self._settings.rules_max_chars // SHORTEST_LINE_CHARS)
