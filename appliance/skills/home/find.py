"""Which things a few words mean, that somebody said in a sentence nobody wrote down."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import SequenceMatcher

from appliance.language.stopwords import EMPTY
from appliance.skills.home.house import House, Thing

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
ALIKE = 0.84
"""Of two words, as difflib measures it: one letter wrong in a word of six."""
NAME, WHOLE, PLACE, KIND = 4, 3, 2, 1
"""What a word counts for that is in the thing's name, its room or floor, or in what such things are called; and what a
name counts for all of whose words were said."""


class Finder:
    def __init__(self, kinds: Mapping[str, Sequence[str]], many: Sequence[str]) -> None:
        """kinds: domain or device class -> what such things are called.  many: words that mean all of several."""
        self._kinds, self._many = kinds, frozenset(many)

    def find(self, what: str, able: Collection[Thing], house: House) -> list[Thing]:
        """Those of `able` that most of the words speak for, of equals all; none where a word speaks against it that
        something in the house has: "front door" is no other door. A word that nothing in the house has speaks against
        what only its kind or place speaks for: the "attic lamp" is no other lamp, where nothing is of the attic.

        "roborock" is the Roborock Downstairs, "kitchen lights" are the lights in the kitchen.
        """
        words = _words(what)
        known = {word for word in words if any(self._weight(word, thing, house) for thing in house.things.values())}
        fitting = {thing.id: self._fits(words, known, thing, house) for thing in able}
        best = max(fitting.values(), default=0)
        found = [thing for thing in able if fitting[thing.id] == best and best > 0]
        strange = {word for word in words if not word.isdigit()} - known - self._many - EMPTY
        return [thing for thing in found if self._named(known, thing)] if strange else found

    def _named(self, words: Collection[str], thing: Thing) -> bool:
        """Whether a word is of its name, and not only what such things are called."""
        kinds = {each for kind in self._kinds.values() for each in kind}
        return any(_in(word, thing.names) and not _in(word, kinds) for word in words)

    def means_all(self, what: str, found: Sequence[Thing]) -> bool:
        """Whether the words mean all of them: "both lamps", "the kitchen lights"."""
        return not self._many.isdisjoint(_words(what)) or any(
            word in self._kinds.get(f"{thing.domain}_many", ()) for thing in found for word in _words(what)
        )

    def _fits(self, words: Sequence[str], known: Collection[str], thing: Thing, house: House) -> int:
        weights = {word: self._weight(word, thing, house) for word in known}
        if not weights or not all(weights.values()):
            return 0
        whole = any(all(_in(part, words) for part in _words(name)) for name in thing.names)
        return sum(weights.values()) + (WHOLE if whole else 0)

    def _weight(self, word: str, thing: Thing, house: House) -> int:
        """A room's name in that of a thing speaks no more for it than for the others in the room."""
        area = house.areas.get(thing.area)
        floor = house.floors.get(area.floor) if area else None
        if _in(word, [*(area.names if area else ()), *(floor.names if floor else ())]):
            return PLACE
        kind = thing.device_class if thing.device_class in self._kinds else thing.domain
        if _in(word, [*self._kinds.get(kind, ()), *self._kinds.get(f"{kind}_many", ())]):
            return KIND
        return NAME if _in(word, thing.names) else 0


def _in(word: str, texts: Iterable[str]) -> bool:
    return any(_alike(word, each) for text in texts for each in _words(text))


def _alike(one: str, other: str) -> bool:
    return one == other or (
        min(len(one), len(other)) > 3 and SequenceMatcher(None, one, other, autojunk=False).ratio() >= ALIKE
    )


def _words(text: str) -> list[str]:
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
