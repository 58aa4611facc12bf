"""A memory that cannot be read costs the turn its memories, never its answer: the tool that needs it says so."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import date, datetime
from typing import TypeVar

from appliance.errors import ApplianceError
from appliance.ports import Diary, Exchange, Fact, FactKind, Former, Known
from appliance.ports import Memory as Found

Read = TypeVar("Read")

log = logging.getLogger(__name__)


class Nothing:
    """What is known to a guest. Implements Known."""

    broken = False

    def facts(self, kind: FactKind | None = None, limit: int | None = None, person: str | None = None) -> list[Fact]:
        return []

    def nearest(self, query: str, limit: int, person: str | None = None) -> list[Fact]:
        return []

    def search(
        self,
        query: str,
        limit: int,
        since: datetime | None = None,
        until: datetime | None = None,
        person: str | None = None,
    ) -> list[Found]:
        return []

    def persons(self) -> set[str]:
        return set()

    def withheld(self, query: str, limit: int) -> list[Fact]:
        return []

    def history(self, fact_id: int) -> list[Former]:
        return []

    def source(self, fact_id: int) -> Exchange | None:
        return None

    def exchanges_between(self, since: datetime, until: datetime, limit: int) -> list[Exchange]:
        return []

    def diary(self, since: date, until: date) -> list[Diary]:
        return []


class Forgiving:
    """What is known, and nothing where it cannot be read. Implements Known."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self.broken = False
        """The last attempt to read it failed: that nothing was found says nothing."""

    def facts(self, kind: FactKind | None = None, limit: int | None = None, person: str | None = None) -> list[Fact]:
        return self._or_none(lambda: self._known.facts(kind, limit, person))

    def nearest(self, query: str, limit: int, person: str | None = None) -> list[Fact]:
        return self._or_none(lambda: self._known.nearest(query, limit, person))

    def search(
        self,
        query: str,
        limit: int,
        since: datetime | None = None,
        until: datetime | None = None,
        person: str | None = None,
    ) -> list[Found]:
        return self._or_none(lambda: self._known.search(query, limit, since, until, person))

    def persons(self) -> set[str]:
        return set(self._or_none(lambda: [*self._known.persons()]))

    def withheld(self, query: str, limit: int) -> list[Fact]:
        return self._or_none(lambda: self._known.withheld(query, limit))

    def history(self, fact_id: int) -> list[Former]:
        return self._or_none(lambda: self._known.history(fact_id))

    def source(self, fact_id: int) -> Exchange | None:
        return next(iter(self._or_none(lambda: [self._known.source(fact_id)])), None)

    def exchanges_between(self, since: datetime, until: datetime, limit: int) -> list[Exchange]:
        return self._or_none(lambda: self._known.exchanges_between(since, until, limit))

    def diary(self, since: date, until: date) -> list[Diary]:
        return self._or_none(lambda: self._known.diary(since, until))

    def _or_none(self, read: Callable[[], list[Read]]) -> list[Read]:
        try:
            found = read()
        except ApplianceError as error:
            if not self.broken:  # once, and not for each of a turn's dozen looks
                log.error("memory was not read: %s", error)
            self.broken = True
            return []
        self.broken = False
        return found
