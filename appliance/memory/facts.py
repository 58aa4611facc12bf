"""Facts, exchanges and the diary on disk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlite_utils import Database

from appliance.errors import BadArgument
from appliance.memory import forgetting, found, portable, words
from appliance.memory.found import Span
from appliance.memory.store import Store, tried_again
from appliance.memory.vectors import Vectors
from appliance.memory.written import replace_fact, write_day, write_exchange, write_fact
from appliance.ports import Counts, Diary, Entry, Exchange, Fact, FactKind, Former, Meanings, Memory, ToolUse

_NEWEST = "ORDER BY moment DESC, id DESC LIMIT ?"
_NO_LIMIT = -1
_FACT = f"{found.FACT} WHERE id = ?"
_PERSONS = "SELECT DISTINCT person FROM facts WHERE person <> ''"
_HISTORY = "SELECT text, since, until FROM former_facts WHERE fact_id = ? ORDER BY id DESC"
_SOURCE = f"{found.EXCHANGE} WHERE id = (SELECT source FROM facts WHERE id = ?)"
_BETWEEN = f"{found.EXCHANGE} WHERE moment >= ? AND moment < ? {_NEWEST}"
_DIARY = "SELECT day, text, at FROM diary WHERE day BETWEEN ? AND ? ORDER BY day"
_PRUNE = "DELETE FROM exchanges WHERE id IN (SELECT id FROM exchanges WHERE id <= ? ORDER BY id LIMIT ?) RETURNING id"
_PRUNED_AT_ONCE = 50
"""Exchanges too many that go with each new one: a turn never pays for all that an older release kept."""


_LOOKED_FOR_AT_ONCE, _FILLED_AT_ONCE = 10_000, 100
"""Texts without a vector; and those that get one in one transaction, 20 ms on x86-64."""

Given = ParamSpec("Given")
Gives = TypeVar("Gives")


def changing(
    method: Callable[Concatenate[SqliteMemory, Given], Gives],
) -> Callable[Concatenate[SqliteMemory, Given], Gives]:
    """Of a method that changes facts. The revision is raised behind it: who read in between reads again."""

    @wraps(method)
    def changed(self: SqliteMemory, /, *args: Given.args, **kwargs: Given.kwargs) -> Gives:
        try:
            return method(self, *args, **kwargs)
        finally:
            self.revision += 1

    return changed


class SqliteMemory:
    """Implements ports.MemoryStore. Every method raises StoreUnusable. A `limit` is at least 1."""

    def __init__(
        self,
        store: Store,
        exchanges_max: int | None = None,
        meanings: Meanings | None = None,
        noise: Collection[str] = frozenset(),
    ) -> None:
        """exchanges_max: those kept, the newest; None is all.  meanings: without, it is found by its words alone.

        noise: words, in small letters, that say nothing of what is looked for.
        """
        self._store, self._exchanges_max, self._noise = store, exchanges_max, noise
        self._vectors = Vectors(meanings) if meanings else None
        self._complete: Database | None = None
        """The database of which every text has its vector, as long as nobody else writes to it."""
        self.revision = 0
        """See ports.MemoryStore."""

    @changing
    @tried_again
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
        with self._written() as (db, texts):
            fact_id = write_fact(db, text, kind, at, person, confidence, source)
            texts[fact_id] = text
            return found.fact(*db.execute(_FACT, [fact_id]).fetchone())

    @changing
    @tried_again
    def update(
        self, fact_id: int, text: str, at: datetime, *, source: int | None = None, confidence: float = 1.0
    ) -> Fact:
        with self._written() as (db, texts):
            if not replace_fact(db, fact_id, text, at, source, confidence):
                raise self._no_such(fact_id)
            texts[fact_id] = text
            return found.fact(*db.execute(_FACT, [fact_id]).fetchone())

    @tried_again
    def set_source(self, fact_ids: Iterable[int], exchange_id: int) -> None:
        with self._store.write() as db:
            for fact_id in fact_ids:
                db.execute("UPDATE facts SET source = ? WHERE id = ?", [exchange_id, fact_id])

    @changing
    @tried_again
    def forget(self, *fact_ids: int, topic: str = "", person: str | None = None) -> int:
        with self._store.write() as db:
            gone = forgetting.forget(db, fact_ids, topic, self._no_such, person)
        self._forget_vectors()
        self._store.leave_no_trace()
        return gone

    @changing
    @tried_again
    def forget_all(self, person: str | None = None) -> None:
        with self._store.write() as db:
            if person is None:
                forgetting.forget_all(db)
            else:
                forgetting.forget_all_of(db, person, self._no_such)
        self._forget_vectors()
        self._store.leave_no_trace()

    @tried_again
    def facts(self, kind: FactKind | None = None, limit: int | None = None, person: str | None = None) -> list[Fact]:
        asked: list[tuple[str, Any]] = [("kind = ?", kind)] if kind else []
        asked += [] if person is None else [("person IN (?, '')", person)]
        conditions = " AND ".join(["TRUE", *(condition for condition, _ in asked)])
        values = [*(value for _, value in asked), _NO_LIMIT if limit is None else limit]
        with self._store.read() as db:
            rows = db.execute(f"{found.FACT} WHERE {conditions} {_NEWEST}", values)
            return [found.fact(*row) for row in rows]

    @tried_again
    def nearest(self, query: str, limit: int, person: str | None = None) -> list[Fact]:
        with self._store.read() as db:
            ever, most = Span.of(None, None, person), found.CANDIDATES * limit
            rankings = [found.facts_by_words(db, query, most, person, self._noise)]
            if self._vectors:
                rankings.append(self._vectors.nearest(db, query, most, words.FACTS, ever))
            return found.facts(db, found.fused(db, rankings, ever, limit))

    @tried_again
    def search(
        self,
        query: str,
        limit: int,
        since: datetime | None = None,
        until: datetime | None = None,
        person: str | None = None,
    ) -> list[Memory]:
        span = Span.of(since, until, person)
        with self._store.read() as db:
            if not query.strip():
                return found.memories(db, found.by_time(db, span, limit)) if span.bounded else []
            most = found.CANDIDATES * limit
            rankings = [found.by_words(db, query, span, most, self._noise)]
            if self._vectors:
                rankings.append(self._vectors.nearest(db, query, most, words.ALL, span))
            return found.memories(db, found.fused(db, rankings, span, limit))

    @tried_again
    def persons(self) -> set[str]:
        with self._store.read() as db:
            return {name for (name,) in db.execute(_PERSONS)}

    def withheld(self, query: str, limit: int) -> list[Fact]:
        return []  # see by_voice.py

    @tried_again
    def history(self, fact_id: int) -> list[Former]:
        with self._store.read() as db:
            return [found.former(*row) for row in db.execute(_HISTORY, [fact_id])]

    @tried_again
    def source(self, fact_id: int) -> Exchange | None:
        with self._store.read() as db:
            row = db.execute(_SOURCE, [fact_id]).fetchone()
        return found.exchange(*row) if row else None

    @tried_again
    def exchanges_between(self, since: datetime, until: datetime, limit: int) -> list[Exchange]:
        with self._store.read() as db:
            rows = db.execute(_BETWEEN, [since.timestamp(), until.timestamp(), limit]).fetchall()
        return [found.exchange(*row) for row in reversed(rows)]

    @tried_again
    def diary(self, since: date, until: date) -> list[Diary]:
        with self._store.read() as db:
            return [found.diary(*row) for row in db.execute(_DIARY, [since.isoformat(), until.isoformat()])]

    @tried_again
    def write_diary(self, day: date, text: str, at: datetime) -> None:
        with self._written() as (db, texts):
            texts[write_day(db, day, text, at)] = text

    @tried_again
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
        with self._written() as (db, texts):
            newest = write_exchange(db, conversation, heard, said, at, person, tools)
            texts[-newest] = f"{heard} {said}"
            pruned = (newest - self._exchanges_max, _PRUNED_AT_ONCE) if self._exchanges_max else (0, 0)
            gone = [-number for (number,) in db.execute(_PRUNE, pruned).fetchall()]
        if self._vectors:
            self._vectors.drop(gone)
        return newest

    @tried_again
    def exchanges(self) -> int:
        with self._store.read() as db:
            return int(db.execute("SELECT count(*) FROM exchanges").fetchone()[0])

    def entries(self) -> Iterator[Entry]:
        return portable.entries(self._store.read)

    @changing
    @tried_again
    def take_in(self, entries: Iterable[Mapping[str, Any]]) -> Counts:
        given = list(entries)  # it may be tried again
        self._complete = None
        try:
            with self._store.write() as db:
                return portable.take_in(db, given)
        except portable.NoEntry as error:
            said = self._store.words.no_entry.format(number=error.number)
            raise BadArgument(said, remedy="give what an export wrote, one entry a line") from None

    def fill_vectors(self, go_on: Callable[[], bool] = lambda: True) -> None:
        """Make the vectors that are missing, a few at a time and as long as `go_on` says so.

        After an update of the box or an import, or where a release before this one wrote.
        """
        texts = list[tuple[int, str]]()
        while self._vectors and go_on():
            if not texts:
                with self._store.read() as db:
                    texts = [] if db is self._complete else self._vectors.missing(db, _LOOKED_FOR_AT_ONCE)
                    if not texts:
                        self._complete = db
                        return
            self._fill(dict(texts[:_FILLED_AT_ONCE]))
            del texts[:_FILLED_AT_ONCE]

    @tried_again
    def _fill(self, texts: dict[int, str]) -> None:
        with self._written() as (db, written):
            written.update(found.those_there(db, texts))

    @contextmanager
    def _written(self) -> Iterator[tuple[Database, dict[int, str]]]:
        """One transaction. What is put into the second, by its id in the full-text index, gets its vector in it.

        Raises StoreMoved, StoreUnusable.
        """
        texts = dict[int, str]()
        with self._store.write() as db:
            yield db, texts
            made = self._vectors.write(db, texts) if self._vectors else {}
        if self._vectors:
            self._vectors.keep(db, made)

    def _forget_vectors(self) -> None:
        if self._vectors:
            self._vectors.forget()

    def _no_such(self, fact_id: int) -> BadArgument:
        said = self._store.words.no_such.format(id=fact_id)
        return BadArgument(said, remedy="give the number of a fact that is stored")
