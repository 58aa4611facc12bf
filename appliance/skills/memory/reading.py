"""Lines that mean a tool of memory only as things stand: "what else" behind an answer with more to come, "why do you
think that" behind one that was made of a fact, "I am Ana" for what may be a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from appliance.ports import Meaning
from appliance.skills.memory.known import KnownTools
from appliance.skills.memory.people import PeopleTools
from appliance.skills.memory.telling import Telling
from appliance.skills.named import NamedSentences

PERSON = "person"
"""The slot of those sentences that is the name of somebody who told something."""
NOBODY = "-"
"""Stands for it while there is none."""


class Reading:
    def __init__(self, folder: Path, language: str, telling: Telling, known: KnownTools, people: PeopleTools) -> None:
        """folder: of the skill, with the sentences in `named/`."""
        self._telling = telling
        self._sentences = lru_cache(1)(lambda names: NamedSentences(folder, language, PERSON, names))
        self._fits: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
            "tell_more": lambda said: telling.paged,
            "tell_why": lambda said: bool(known.meant(said.get("what", ""))),
            "tell_before": lambda said: bool(known.meant(said.get("what", ""))),
            "correct": lambda said: known.corrected(said["instead"]) is not None,
            "speak_as": lambda said: people.is_name(said["name"]),
            "tell_person": lambda said: True,
        }

    def read(self, line: str) -> list[Meaning]:
        """What all of it means now; none where it is anything else."""
        found = self._sentences(tuple(sorted(self._telling.people)) or (NOBODY,)).read(line)
        return [each for each in found if self._fits[each.tool](each.arguments)]
