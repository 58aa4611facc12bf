"""The sentences of care, with whom to call where the box stands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from appliance.language.grave import is_grave
from appliance.language.second_person import said_back
from appliance.ports import Followed, MemoryStore, Spoken, Tool
from appliance.skills.care.numbers import numbers
from appliance.skills.schema import answering
from appliance.skills.written import written

KINDS = "care_"
"""Before the name of each sentence that answers a line; the others are parts of those."""
TOLD, KNOWING = "care_allergy_told", "care_allergy"
"""What is remembered, and what begins with what is remembered."""


class Advice:
    def __init__(self, folder: Path, language: str, place: str, zone: str, memory: MemoryStore) -> None:
        """folder: the skill's.  place, zone: where the box stands."""
        self._phrases: Mapping[str, str] = written(folder, "phrases", language)
        self._memory, found = memory, numbers(place, zone)
        self._whom = {
            name: self._phrases[name].format(number=found[name]) if name in found else self._phrases[f"no_{name}"]
            for name in ("emergency", "poison", "crisis")
        }

    def answers(self) -> list[Tool]:
        return [answering(name, partial(self.say, name)) for name in self._phrases if name.startswith(KINDS)]

    def say(self, name: str, said: str) -> Spoken:
        """The sentence of that name. said: the line that it answers."""
        text = self._phrases[name].format(**self._whom)
        if name == TOLD:
            return Followed(text, "remember", {"fact": said})
        known = [fact.text for fact in self._memory.facts("user") if is_grave(fact.text)] if name == KNOWING else []
        return Spoken(
            f"{self._phrases['known'].format(facts='; '.join(map(said_back, known)))}. {text}" if known else text
        )
