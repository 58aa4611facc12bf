"""How what is kept is told: whose it is, in parts that one can listen to; and what was told last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from appliance.language.lists import capital
from appliance.language.second_person import said_back, to_you
from appliance.language.speaker import speaker
from appliance.ports import Fact, Spoken
from appliance.skills.memory.shared import Shared

TOLD = 5
"""Sentences told in one answer: some 15 s."""
ENGLISH = "en"
"""The language in which "I like plums" can be told back as "you like plums" (language/second_person.py)."""


@dataclass(frozen=True)
class Piece:
    """One sentence of an answer."""

    text: str
    fact: Fact | None = None
    """What it tells."""


class Telling:
    def __init__(self, shared: Shared) -> None:
        self._shared, self._words = shared, shared.words
        self._left: list[Piece] = []
        self._facts: list[Fact] = []
        self._answer, self._paged = "", False
        self._people: set[str] | None = None

    def of(self, fact: Fact) -> str:
        """A sentence, as it is told to whoever speaks."""
        if line := self._line_in(fact):
            key, name = ("said_by", fact.person) if self._is_of_another(fact) else ("said_by_you", "")
            return self._words.say(key, name=name, text=sentence(line))
        own = speaker(self._shared.language).in_own_words(fact.text)
        if not own or self._is_of_another(fact):
            return sentence(self.plain(fact))
        if self._words.language == ENGLISH:
            return sentence(said_back(fact.text))
        return self._words.say("said_by_you", text=sentence(fact.text))

    def _line_in(self, fact: Fact) -> str:
        """The user's line that a fact quotes, where it was kept as it was said."""
        before, _, behind = str(self._words.phrases["as_told"]).partition("{line}")
        quotes = fact.text.startswith(before) and fact.text.endswith(behind)
        return fact.text[len(before) : -len(behind)] if quotes else ""

    def plain(self, fact: Fact) -> str:
        """What it is called among others: without the full stop, and what is in the user's words as it stands."""
        if not self._is_of_another(fact):
            return plain(to_you(fact.text))
        by_words = speaker(self._shared.language)
        if by_words.in_own_words(fact.text):
            return self._words.say("said_by", name=fact.person, text=plain(fact.text))
        return plain(by_words.of_person(fact.text, fact.person))

    def begin(self, pieces: Sequence[Piece], lead: str = "") -> Spoken:
        """The first of them; `go_on` tells the next."""
        now, self._left = pieces[:TOLD], [*pieces[TOLD:]]
        self._paged = bool(self._left)
        self._facts = [each.fact for each in now if each.fact]
        told = [*([lead] if lead else []), *(each.text for each in now)]
        if self._left:
            told.append(self._words.say("more", count=len(self._left)))
        self._answer = " ".join(told)
        return Spoken(self._answer)

    def go_on(self) -> Spoken:
        """The next part of what was told last."""
        told, self._paged = self.begin(self._left), True
        return told

    @property
    def more(self) -> bool:
        """Whether something is left of the answer before."""
        return bool(self._left) and self._is_last

    @property
    def paged(self) -> bool:
        """Whether the answer before was a part of something, be it the last one."""
        return self._paged and self._is_last

    @property
    def facts(self) -> list[Fact]:
        """What the answer before told."""
        return self._facts if self._is_last else []

    @property
    def people(self) -> set[str]:
        """Who told anything, by the names they gave."""
        if self._people is None:
            self._people = {*self._shared.store.persons()}
        return self._people

    def met(self, name: str) -> None:
        """Somebody of that name told something."""
        self.people.add(name)

    @property
    def _is_last(self) -> bool:
        """Whether nothing was said since; of an answer that was cut off, only its beginning was."""
        said, answer = _letters(self._shared.talk.last_said), _letters(self._answer)
        return bool(said and answer) and (answer.startswith(said) or answer in said)

    def _is_of_another(self, fact: Fact) -> bool:
        """Of one who does not speak now. Where nobody said who speaks, and one alone ever did, it is that one."""
        speaks = self._shared.talk.person
        return bool(fact.person) and (fact.person != speaks if speaks else self.people != {fact.person})


def plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".!?")


def sentence(text: str) -> str:
    return f"{capital(plain(text))}."


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", text.casefold())
