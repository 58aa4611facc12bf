"""Facts that come later into what is known: nothing twice, the newest wins, and what a life may hang on stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto

from appliance.language import statements
from appliance.language.digits import numbers_in
from appliance.language.grave import is_grave
from appliance.language.stopwords import EMPTY
from appliance.ports import Fact, MemoryStore
from appliance.reply.gather import Candidate
from appliance.reply.understanding.relevance import among, words

CONFIDENCE = 0.7
"""Of a fact that nobody asked to be kept: some that the guards let through are misunderstood. A judgement."""

Which = Callable[[str, Sequence[Fact]], Fact | None]
"""Whose place a fact takes among others that are about the like; None for none."""


class Became(Enum):
    """What a candidate came to."""

    NEW = auto()
    NEWER = auto()
    """It took an older one's place."""
    KNOWN = auto()
    """It was known already, or something newer is."""


class Merger:
    def __init__(self, memory: MemoryStore, language: str, nearest: int) -> None:
        """nearest: stored facts that a new one is held against."""
        self._memory, self._language, self._nearest = memory, language, nearest

    def take(self, new: Candidate, which: Which) -> Became:
        """Keep it, unless it is known. Raises StoreUnusable, and what `which` does."""
        source, text = new.told.source, new.text
        known = self._known(new)
        if any(self._says(each.text, text) or self._only_grows(each.text, new) for each in known):
            return Became.KNOWN
        known = [each for each in known if each.person == source.person]
        older = self._less(known, text) or self._replaced(known, text, which)
        if older is None:
            self._memory.save(text, new.kind, source.at, person=source.person, confidence=CONFIDENCE, source=source.id)
            return Became.NEW
        if older.at >= source.at:
            return Became.KNOWN
        self._memory.update(older.id, text, source.at, source=source.id, confidence=CONFIDENCE)
        return Became.NEWER

    def _known(self, new: Candidate) -> list[Fact]:
        """The stored facts that are nearest to it, of the same person and of the household."""
        person = new.told.source.person
        if new.kind == "rule":
            return self._memory.facts("rule", person=person)
        return self._memory.nearest(new.text, self._nearest, person)

    def _says(self, older: str, new: str) -> bool:
        """Whether the older one says all that the new one does, and denies what it denies."""
        if statements.denies(older, self._language) is not statements.denies(new, self._language):
            return False
        first, second = _own(new), _own(older)
        return numbers_in(new) <= numbers_in(older) and len(among(first, second)) == len(first)

    def _only_grows(self, older: str, new: Candidate) -> bool:
        """Whether the new one says all of the older one, and more only in words that the user did not say."""
        added = [word for word in _own(new.text) if not among([word], words(older))]
        return self._says(new.text, older) and len(among(added, words(new.told.text))) < len(added)

    def _less(self, known: Sequence[Fact], text: str) -> Fact | None:
        """One that says a part of it."""
        return next((each for each in known if self._says(text, each.text) and not is_grave(each.text)), None)

    def _replaced(self, known: Sequence[Fact], text: str, which: Which) -> Fact | None:
        alike = [each for each in known if self._may_be_replaced(each, text)]
        return which(text, alike) if alike else None

    def _may_be_replaced(self, older: Fact, new: str) -> bool:
        """Whether both cannot be true, as far as their words show: a model takes any two for that now and then."""
        return statements.same_but_for_the_end(older.text, new, self._language) and not is_grave(older.text)


def _own(text: str) -> list[str]:
    return [word for word in dict.fromkeys(words(text)) if word not in EMPTY]
