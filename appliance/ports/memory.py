"""What outlives a conversation or a restart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray


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
    person: str = ""
    """Whom it belongs to, by the name they gave; empty is the household as a whole."""
    confidence: float = 1.0
    """0 to 1: how surely it is so. 1 is what was said outright, less what the box gathered by itself."""
    source: int | None = None
    """Id of the exchange in which it was said; None where that is not known."""


@dataclass(frozen=True)
class Former:
    """What a fact said before."""

    text: str
    since: datetime
    until: datetime
    """When it was replaced."""


ToolUse = Mapping[str, Any]
"""A call and what came of it, as JSON has it; redacted by whoever hands it over."""


@dataclass(frozen=True)
class Exchange:
    """What was heard and what was said to it."""

    id: int
    conversation: str
    heard: str
    said: str
    at: datetime
    person: str = ""
    """Who spoke, by the name they gave; empty where nobody did."""
    tools: tuple[ToolUse, ...] = ()


@dataclass(frozen=True)
class Diary:
    """The summary of a day."""

    day: date
    text: str
    at: datetime
    """When it was written."""


@dataclass(frozen=True)
class Memory:
    """Something found: a fact, an exchange of an earlier conversation, or the diary of a day."""

    at: datetime
    text: str
    what: Literal["fact", "exchange", "day"] = "fact"
    person: str = ""
    """Of an exchange who spoke, as there."""


class Meanings(Protocol):
    """What texts mean, as vectors: those about the same lie near each other."""

    @property
    def name(self) -> str:
        """Another one for another table: vectors of two tables do not compare."""
        ...

    def of(self, text: str) -> NDArray[np.float32]:
        """Shape (dimensions,), of length 1; zeros where no word of it says anything."""
        ...


Entry = dict[str, Any]
"""One line of an export: a fact with its history, an exchange, or a day; `what` says which."""


@dataclass(frozen=True)
class Counts:
    """What an import brought that was not there yet."""

    facts: int = 0
    exchanges: int = 0
    days: int = 0
    """Of the diary."""


class Known(Protocol):
    """What the box knows beyond one conversation, to be read.

    person: what belongs to them and to the household; None is everybody's, empty the household's alone.
    """

    def facts(self, kind: FactKind | None = None, limit: int | None = None, person: str | None = None) -> list[Fact]:
        """Newest first, at most `limit` of them: what is asked for in every turn must not grow with the years."""
        ...

    def nearest(self, query: str, limit: int, person: str | None = None) -> list[Fact]:
        """Facts about the user or the world that are about the same as `query`, best first."""
        ...

    def search(
        self,
        query: str,
        limit: int,
        since: datetime | None = None,
        until: datetime | None = None,
        person: str | None = None,
    ) -> list[Memory]:
        """Facts, exchanges and diary entries about `query`, within [since, until): the best, newest first.

        With an empty query and a span, by time alone: the diary's days, then the newest of the rest. A day of the
        diary counts as its noon.
        """
        ...

    def persons(self) -> set[str]:
        """The names of those whom any fact belongs to."""
        ...

    def withheld(self, query: str, limit: int) -> list[Fact]:
        """Of the facts nearest to `query`, best first, those that may not be told to whoever speaks: for a refusal."""
        ...

    def history(self, fact_id: int) -> list[Former]:
        """What the fact said before, the newest first; nothing of a fact that never changed or is not there."""
        ...

    def source(self, fact_id: int) -> Exchange | None:
        """Where it was said; None where that is not known, or not kept any more."""
        ...

    def exchanges_between(self, since: datetime, until: datetime, limit: int) -> list[Exchange]:
        """Those within [since, until), the first first; of more than `limit` the newest."""
        ...

    def diary(self, since: date, until: date) -> list[Diary]:
        """The days from `since` to `until`, both included, the first first."""
        ...


class MemoryStore(Known, Protocol):
    """The same, to be kept. What a method returned survives a power cut."""

    @property
    def revision(self) -> int:
        """Another one whenever a fact may have changed: what was made of the facts is good until then."""
        ...

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
        """A fact of that person that says the same already is made new again instead of standing twice.

        It keeps the higher confidence, and its source where there is no newer one.
        """
        ...

    def update(
        self, fact_id: int, text: str, at: datetime, *, source: int | None = None, confidence: float = 1.0
    ) -> Fact:
        """What it said before becomes its history. With the text and moment of its newest history this is an undo,
        which takes that history back.

        Raises BadArgument when there is no such fact.
        """
        ...

    def forget(self, *fact_ids: int, topic: str = "", person: str | None = None) -> int:
        """These facts with their history, and the exchanges and diary sentences about them: all or nothing.

        An exchange is about a topic when it holds every word of it, and about a fact when it holds half of its words,
        though never by one alone of several, or is its source. What was forgotten stands nowhere in the file when this
        returns. Gives the number of exchanges. Raises BadArgument when there is no such fact.

        person: about the topic only exchanges with that person go, with an empty name none, and nothing of the diary;
        None is everybody.
        """
        ...

    def forget_all(self, person: str | None = None) -> None:
        """Every fact, exchange and day. What they said stands nowhere in the file when this returns.

        person: the facts of that person and of the household with what was said of these, and the exchanges with that
        person; an empty name is the household alone.
        """
        ...

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
        """Gives its id."""
        ...

    def set_source(self, fact_ids: Iterable[int], exchange_id: int) -> None:
        """These were said in that exchange, which is written after the reply. One that is not there is left out."""
        ...

    def write_diary(self, day: date, text: str, at: datetime) -> None:
        """In the place of what stood for that day; an empty text removes it."""
        ...

    def exchanges(self) -> int:
        """How many are kept."""
        ...

    def entries(self) -> Iterator[Entry]:
        """All that is remembered, to be written as JSON lines: exchanges, then facts, then days."""
        ...

    def take_in(self, entries: Iterable[Mapping[str, Any]]) -> Counts:
        """What `entries` gave once, all or nothing; what is there already is not doubled.

        A fact that is older than what is known of it stays history. Raises BadArgument for what is no such entry.
        """
        ...
