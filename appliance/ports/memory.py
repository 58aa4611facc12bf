"""What outlives a conversation or a restart."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol


class ValueStore(Protocol):
    """Small things that survive a restart, such as the volume."""

    def get(self, key: str) -> str | None: ...

    def set(self, key: str, value: str) -> None: ...


FactKind = Literal["user", "rule", "world"]
"""About the user, a standing rule of theirs, anything else."""


@dataclass(frozen=True)
class Fact:
    id: int
    text: str
    kind: FactKind
    at: datetime
    """When it was last said, with its zone."""


@dataclass(frozen=True)
class Memory:
    """Something found: a fact, or an exchange of an earlier conversation."""

    at: datetime
    text: str


class Known(Protocol):
    """What the box knows beyond one conversation, to be read."""

    def facts(self, kind: FactKind | None = None, limit: int | None = None) -> list[Fact]:
        """Newest first, at most `limit` of them: what is asked for in every turn must not grow with the years."""
        ...

    def nearest(self, query: str, limit: int) -> list[Fact]:
        """Facts about the user or the world that share words with `query`, best first."""
        ...

    def search(
        self, query: str, limit: int, since: datetime | None = None, until: datetime | None = None
    ) -> list[Memory]:
        """Facts and exchanges that share words with `query`, within [since, until): the best, newest first."""
        ...


class MemoryStore(Known, Protocol):
    """The same, to be kept. What a method returned survives a power cut."""

    def save(self, text: str, kind: FactKind, at: datetime) -> Fact:
        """A fact that says the same already is made new again instead of standing twice."""
        ...

    def update(self, fact_id: int, text: str, at: datetime) -> Fact:
        """Raises BadArgument when there is no such fact."""
        ...

    def forget(self, *fact_ids: int, topic: str = "") -> int:
        """These facts, and the exchanges about them: all or nothing.

        An exchange is about a topic when it holds every word of it, and about a fact when it holds half of its words,
        though never by one alone of several. What was forgotten stands nowhere in the file when this returns. Gives the
        number of exchanges. Raises BadArgument when there is no such fact.
        """
        ...

    def forget_all(self) -> None:
        """Every fact and every exchange. What they said stands nowhere in the file when this returns."""
        ...

    def add_exchange(self, conversation: str, heard: str, said: str, at: datetime) -> None: ...

    def exchanges(self) -> int:
        """How many are kept."""
        ...
