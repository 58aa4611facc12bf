"""What is remembered as entries that stand for themselves, one a line of JSON: out of a database, and into one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, Field, TypeAdapter
from sqlite_utils import Database

from appliance.memory.words import same_words
from appliance.memory.written import insert_fact, replace_fact, write_day, write_exchange
from appliance.ports import Counts, Entry, FactKind

PAGE = 500
"""Rows read at once: between two pages, others have the database."""
_EXCHANGES = "SELECT id, conversation, heard, said, at, person, tools FROM exchanges WHERE id > ? ORDER BY id LIMIT ?"
_FACTS = "SELECT id, text, kind, at, person, confidence, source FROM facts WHERE id > ? ORDER BY id LIMIT ?"
_HISTORY = "SELECT text, since, until, source FROM former_facts WHERE fact_id = ? ORDER BY id"
_DAYS = "SELECT id, day, text, at FROM diary WHERE id > ? ORDER BY id LIMIT ?"
_SAME_EXCHANGE = "SELECT id FROM exchanges WHERE moment = ? AND conversation = ? AND heard = ?"
_FORMER = (
    "SELECT kind, person, former_facts.text, fact_id, until FROM former_facts JOIN facts ON facts.id = fact_id"
    " ORDER BY former_facts.id"
)
_ADD_FORMER = "INSERT INTO former_facts (fact_id, text, since, until, source) VALUES (?, ?, ?, ?, ?)"
Read = Callable[[], AbstractContextManager[Database]]
Said = tuple[str, str, str]
"""Kind, person and words of a fact."""


class NoEntry(ValueError):
    def __init__(self, number: int) -> None:
        super().__init__(f"entry {number} is none")
        self.number = number
        """Of the entries, from 1."""


class _Former(BaseModel):
    text: str
    since: AwareDatetime
    until: AwareDatetime
    source: int | None = None


class _Fact(BaseModel):
    what: Literal["fact"]
    text: str
    kind: FactKind
    at: AwareDatetime
    person: str = ""
    confidence: float = Field(1.0, ge=0, le=1)
    source: int | None = None
    history: list[_Former] = []


class _Exchange(BaseModel):
    what: Literal["exchange"]
    id: int
    conversation: str
    heard: str
    said: str
    at: AwareDatetime
    person: str = ""
    tools: list[dict[str, Any]] = []


class _Day(BaseModel):
    what: Literal["day"]
    day: date
    text: str = Field(min_length=1)
    at: AwareDatetime


_ENTRY: TypeAdapter[_Fact | _Exchange | _Day] = TypeAdapter(
    Annotated[_Fact | _Exchange | _Day, Field(discriminator="what")]
)


def entries(read: Read) -> Iterator[Entry]:
    """Exchanges first, for facts name them."""
    for row in _paged(read, _EXCHANGES):
        yield {"what": "exchange", **row, "tools": json.loads(row["tools"])}
    for row in _paged(read, _FACTS):
        with read() as db:
            yield {"what": "fact", **row, "history": _rows(db, _HISTORY, row["id"])}
    for row in _paged(read, _DAYS):
        yield {"what": "day", "day": row["day"], "text": row["text"], "at": row["at"]}


def take_in(db: Database, given: Iterable[Mapping[str, Any]]) -> Counts:
    """In the caller's transaction. Raises NoEntry."""
    taking = _Taking(db)
    for number, entry in enumerate(given, 1):
        try:
            read = _ENTRY.validate_python(entry)
        except ValueError:
            raise NoEntry(number) from None
        taking.take(read)
    return taking.counts


class _Taking:
    """What one import knows while it runs."""

    def __init__(self, db: Database) -> None:
        self._db, self.counts = db, Counts()
        self._exchanges: dict[int | None, int] = {}
        """Id in the entries -> id here."""
        self._now = {
            _said(kind, person, text): number
            for number, kind, person, text in db.execute("SELECT id, kind, person, text FROM facts")
        }
        self._former = {_said(*row[:3]): (row[3], row[4]) for row in db.execute(_FORMER)}

    def take(self, entry: _Fact | _Exchange | _Day) -> None:
        match entry:
            case _Exchange():
                self._take_exchange(entry)
            case _Fact():
                self._take_fact(entry)
            case _Day():
                self._take_day(entry)

    def _take_exchange(self, entry: _Exchange) -> None:
        values = [entry.at.timestamp(), entry.conversation, entry.heard]
        if known := self._db.execute(_SAME_EXCHANGE, values).fetchone():
            self._exchanges[entry.id] = known[0]
            return
        self._exchanges[entry.id] = write_exchange(
            self._db, entry.conversation, entry.heard, entry.said, entry.at, entry.person, entry.tools
        )
        self.counts = replace(self.counts, exchanges=self.counts.exchanges + 1)

    def _take_fact(self, entry: _Fact) -> None:
        said = _said(entry.kind, entry.person, entry.text)
        source = self._exchanges.get(entry.source)
        if known := self._now.get(said):
            self._add_history(known, entry)
            return
        changed, until = self._former.get(said, (None, ""))
        if changed and until >= entry.at.isoformat():
            return  # the box knows better by now
        older = next(filter(None, (self._now.get(_said(*said[:2], each.text)) for each in entry.history)), None)
        if older:
            replace_fact(self._db, older, entry.text, entry.at, source)
        number = older or insert_fact(
            self._db, entry.text, entry.kind, entry.at, entry.person, entry.confidence, source
        )
        self._now[said] = number
        self._add_history(number, entry)
        self.counts = replace(self.counts, facts=self.counts.facts + 1)

    def _add_history(self, fact_id: int, entry: _Fact) -> None:
        known = {same_words(row["text"]) for row in _rows(self._db, _HISTORY, fact_id)}
        for each in entry.history:
            if same_words(each.text) not in known:
                values = [each.text, each.since.isoformat(), each.until.isoformat(), self._exchanges.get(each.source)]
                self._db.execute(_ADD_FORMER, [fact_id, *values])
                self._former[_said(entry.kind, entry.person, each.text)] = (fact_id, each.until.isoformat())

    def _take_day(self, entry: _Day) -> None:
        known = self._db.execute("SELECT 1 FROM diary WHERE day = ?", [entry.day.isoformat()]).fetchone()
        if not known:
            write_day(self._db, entry.day, entry.text, entry.at)
            self.counts = replace(self.counts, days=self.counts.days + 1)


def _said(kind: str, person: str, text: str) -> Said:
    return kind, person, same_words(text)


def _paged(read: Read, query: str) -> Iterator[dict[str, Any]]:
    last, rows = -1, list[dict[str, Any]]([{}])
    while rows:
        with read() as db:
            rows = _rows(db, query, last, PAGE)
        yield from rows
        last = rows[-1]["id"] if rows else last


def _rows(db: Database, query: str, *values: Any) -> list[dict[str, Any]]:
    found = db.execute(query, [*values])
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found]
