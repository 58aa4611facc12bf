"""Names that the household told of, for speech to text: those of people, and those within the household's facts."""

from __future__ import annotations

import re

from appliance.language.stopwords import common
from appliance.ports import MemoryStore
from appliance.skills.memory.telling import Telling

FACTS = 200
"""The newest; a millisecond to read."""
_NAMED = {"en": re.compile(r"(?<=[\w,] )[A-Z][\w’'-]*\w")}
"""A word with a capital within a sentence, in a language in which that makes it a name."""


class Names:
    def __init__(self, store: MemoryStore, telling: Telling, language: str) -> None:
        self._store, self._telling = store, telling
        self._named, self._common = _NAMED.get(language), common(language)

    def __call__(self) -> list[str]:
        """As they are written now: "Ana", and "Bello" of "The user's dog is called Bello"."""
        return [*self._telling.people, *(self._in_facts(self._named) if self._named else ())]

    def _in_facts(self, named: re.Pattern[str]) -> set[str]:
        found = {word for fact in self._store.facts(limit=FACTS, person="") for word in named.findall(fact.text)}
        return {word.removesuffix("'s") for word in found if word.casefold() not in self._common}
