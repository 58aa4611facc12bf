"""Pause, and on again, where nobody says what: what runs decides."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Annotated

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language.lists import capital, spoken_list
from appliance.ports import Pausable, Skill, Spoken
from appliance.skills.written import Words

What = Annotated[str, Field(max_length=80)]
WHAT = "what"
"""The argument that an answer fills."""


class Pausing:
    def __init__(self, skills: Callable[[], Sequence[Skill]], words: Words) -> None:
        """skills: all that are on."""
        self._skills, self._words = skills, words

    def pause(self, what: What = "") -> Spoken:
        """Pause what runs."""
        found = self._meant(what, [each for each in self._all() if each.runs()], "nothing_runs")
        return Spoken(" ".join(each.pause(what) for each in found))

    def resume(self, what: What = "") -> Spoken:
        """Let what is paused go on."""
        found = self._meant(what, [each for each in self._all() if each.paused()], "nothing_paused")
        return Spoken(" ".join(each.resume(what) for each in found))

    def _all(self) -> list[Pausable]:
        return [skill.pausable for skill in self._skills() if skill.pausable]

    def _meant(self, what: str, among: Sequence[Pausable], none: str) -> Sequence[Pausable]:
        """Raises CannotBeDone without any, BadArgument that asks which."""
        if not among:
            raise CannotBeDone(self._words.say(none))
        said = re.findall(r"\w+", what.casefold())
        named = [each for each in among if any(word.endswith(_last_word(each.name)) for word in said)]
        if len(among) == 1 or not set(said).isdisjoint(self._words.phrases["every"]):
            return among
        if len(named) != 1:
            names = spoken_list([each.name for each in among], self._words.language, joint="or")
            raise BadArgument(f"{capital(names)}?", remedy="name one", asks_for=WHAT)
        return named


def _last_word(name: str) -> str:
    return name.split()[-1].casefold()
