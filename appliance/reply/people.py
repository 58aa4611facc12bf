"""Whose facts a turn is told, and by which name: "The user likes tea" of Ana is "Ana likes tea" while Ben speaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from appliance.language.speaker import speaker
from appliance.ports import Fact, FactKind, Known
from appliance.ports import Memory as Found
from appliance.reply.readable_memory import Forgiving


class People:
    """Those who gave a name, as they are known since the start."""

    def __init__(self, known: Known, speaks: Callable[[], str], language: str) -> None:
        """speaks: who does, by the name they gave; empty where nobody did."""
        self._known, self._speaks, self._language = known, speaks, language
        self._names: set[str] | None = None

    @property
    def speaks(self) -> str:
        return self._speaks()

    @property
    def names(self) -> set[str]:
        if self._names is None:
            self._names = {*self._known.persons()}
        if self.speaks:
            self._names.add(self.speaks)
        return self._names

    @property
    def whose(self) -> str | None:
        """Whose facts a new one may take the place of; None is everybody's, where one alone ever gave a name."""
        return self.speaks or (None if len(self.names) < 2 else "")

    def named(self, facts: Iterable[Fact]) -> list[Fact]:
        """What is another's, by their name. Where nobody said who speaks, and one alone ever did, it is that one."""
        return [replace(each, text=self._text(each)) if self._is_of_another(each) else each for each in facts]

    def _text(self, fact: Fact) -> str:
        by_name = speaker(self._language).of_person(fact.text, fact.person)
        return fact.text if by_name == fact.text and fact.person in fact.text else by_name

    def _is_of_another(self, fact: Fact) -> bool:
        if not fact.person:
            return False
        return fact.person != self.speaks if self.speaks else self.names != {fact.person}


class ToldTo:
    """What is known, as whoever speaks is told it. Known, but for what only tools of memory ask."""

    def __init__(self, known: Forgiving, people: People) -> None:
        self._known, self._people = known, people

    @property
    def broken(self) -> bool:
        """The last attempt to read it failed."""
        return self._known.broken

    def facts(self, kind: FactKind | None = None, limit: int | None = None) -> list[Fact]:
        """Theirs and the household's; where nobody said who speaks, everybody's."""
        return self._people.named(self._known.facts(kind, limit, self._people.speaks or None))

    def nearest(self, query: str, limit: int) -> list[Fact]:
        """Everybody's: what does Ben like?"""
        return self._people.named(self._known.nearest(query, limit))

    def withheld(self, query: str, limit: int) -> list[Fact]:
        return self._known.withheld(query, limit)

    def search(self, query: str, limit: int, since: datetime | None = None) -> list[Found]:
        return self._known.search(query, limit, since, None, self._people.speaks or None)
