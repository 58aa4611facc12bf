"""What is remembered, as far as the voice that is heard may be told it: its own and the household's.

All that reads the memory in a turn reads it here, so what is kept from a voice reaches neither the model nor a tool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from appliance.ports import Counts, Diary, Entry, Exchange, Fact, FactKind, Former, Memory, MemoryStore, ToolUse

MORE = 4
"""So many times the limit are looked at where some may not be told."""
_EVER = datetime.fromtimestamp(0, UTC), datetime(9999, 1, 1, tzinfo=UTC)
Hears = Callable[[], str | None]
"""Whose voice is heard: a name, empty for one that nobody knows; None where nobody was heard, and all may be told."""


class ByVoice:
    """Implements ports.MemoryStore."""

    def __init__(self, memory: MemoryStore, hears: Hears) -> None:
        self._memory, self._hears = memory, hears

    @property
    def revision(self) -> int:
        return self._memory.revision

    def facts(self, kind: FactKind | None = None, limit: int | None = None, person: str | None = None) -> list[Fact]:
        return self._memory.facts(kind, limit, self._whose(person))

    def nearest(self, query: str, limit: int, person: str | None = None) -> list[Fact]:
        return self._memory.nearest(query, limit, self._whose(person))

    def search(
        self,
        query: str,
        limit: int,
        since: datetime | None = None,
        until: datetime | None = None,
        person: str | None = None,
    ) -> list[Memory]:
        """Without the diary, which tells of everybody, and of exchanges their own alone."""
        if self._hears() is None:
            return self._memory.search(query, limit, since, until, person)
        found = self._memory.search(query, MORE * limit, since, until, self._whose(person))
        theirs = [each for each in found if each.what == "fact" or self._said_it(each.what, each.person)]
        return theirs[:limit]

    def persons(self) -> set[str]:
        return self._memory.persons()

    def withheld(self, query: str, limit: int) -> list[Fact]:
        hears = self._hears()
        if hears is None:
            return []
        return [fact for fact in self._memory.nearest(query, limit) if fact.person not in ("", hears)]

    def history(self, fact_id: int) -> list[Former]:
        return self._memory.history(fact_id) if self._may_tell(fact_id) else []

    def source(self, fact_id: int) -> Exchange | None:
        found = self._memory.source(fact_id) if self._may_tell(fact_id) else None
        return found if found and self._said_it("exchange", found.person) else None

    def exchanges_between(self, since: datetime, until: datetime, limit: int) -> list[Exchange]:
        found = self._memory.exchanges_between(since, until, limit)
        return [each for each in found if self._said_it("exchange", each.person)]

    def diary(self, since: date, until: date) -> list[Diary]:
        return self._memory.diary(since, until) if self._hears() is None else []

    def save(
        self,
        text: str,
        kind: FactKind,
        at: datetime,
        *,
        person: str = "",
        confidence: float = 1.0,
        source: int | None = None,
    ) -> Fact:
        return self._memory.save(text, kind, at, person=person, confidence=confidence, source=source)

    def update(
        self, fact_id: int, text: str, at: datetime, *, source: int | None = None, confidence: float = 1.0
    ) -> Fact:
        return self._memory.update(fact_id, text, at, source=source, confidence=confidence)

    def set_source(self, fact_ids: Iterable[int], exchange_id: int) -> None:
        self._memory.set_source(fact_ids, exchange_id)

    def forget(self, *fact_ids: int, topic: str = "", person: str | None = None) -> int:
        """Of what was said about the topic, their own alone."""
        return self._memory.forget(*fact_ids, topic=topic, person=person if (hears := self._hears()) is None else hears)

    def forget_all(self, person: str | None = None) -> None:
        hears = self._hears()
        self._memory.forget_all(person if hears is None else hears)

    def write_diary(self, day: date, text: str, at: datetime) -> None:
        self._memory.write_diary(day, text, at)

    def add_exchange(
        self,
        conversation: str,
        heard: str,
        said: str,
        at: datetime,
        *,
        person: str = "",
        tools: Sequence[ToolUse] = (),
    ) -> int:
        return self._memory.add_exchange(conversation, heard, said, at, person=person, tools=tools)

    def exchanges(self) -> int:
        if self._hears() is None:
            return self._memory.exchanges()
        return len(self.exchanges_between(*_EVER, self._memory.exchanges()))

    def entries(self) -> Iterator[Entry]:
        return self._memory.entries()

    def take_in(self, entries: Iterable[Mapping[str, Any]]) -> Counts:
        return self._memory.take_in(entries)

    def _whose(self, person: str | None) -> str | None:
        """Whose may be asked for: of another one's, the household's alone is left."""
        hears = self._hears()
        if hears is None:
            return person
        return hears if person is None or person == hears else ""

    def _said_it(self, what: str, person: str) -> bool:
        """Whether it is an exchange with whoever is heard: in one of nobody's, anything may have been told."""
        hears = self._hears()
        return hears is None or (what == "exchange" and person == hears != "")

    def _may_tell(self, fact_id: int) -> bool:
        return self._hears() is None or any(fact.id == fact_id for fact in self.facts())
