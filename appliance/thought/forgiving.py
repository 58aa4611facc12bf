"""A memory that cannot be read costs the turn its memories, never its answer: the tool that needs it says so."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from appliance.errors import ApplianceError
from appliance.ports import Fact, FactKind, Known
from appliance.ports import Memory as Found

Read = TypeVar("Read")

log = logging.getLogger(__name__)


class Nothing:
    """What is known to a guest. Implements Known."""

    def facts(self, kind: FactKind | None = None, limit: int | None = None) -> list[Fact]:
        return []

    def nearest(self, query: str, limit: int) -> list[Fact]:
        return []

    def search(
        self, query: str, limit: int, since: datetime | None = None, until: datetime | None = None
    ) -> list[Found]:
        return []


class Forgiving:
    """What is known, and nothing where it cannot be read. Implements Known."""

    def __init__(self, known: Known) -> None:
        self._known = known

    def facts(self, kind: FactKind | None = None, limit: int | None = None) -> list[Fact]:
        return _or_none(lambda: self._known.facts(kind, limit))

    def nearest(self, query: str, limit: int) -> list[Fact]:
        return _or_none(lambda: self._known.nearest(query, limit))

    def search(
        self, query: str, limit: int, since: datetime | None = None, until: datetime | None = None
    ) -> list[Found]:
        return _or_none(lambda: self._known.search(query, limit, since, until))


def _or_none(read: Callable[[], list[Read]]) -> list[Read]:
    try:
        return read()
    except ApplianceError as error:
        log.error("memory was not read: %s", error)
        return []
