"""How facts, exchanges and days are found again: by their words, or by time alone. Ids are those of the index."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Any, NamedTuple

from sqlite_utils import Database

from appliance.memory import words
from appliance.ports import Diary, Exchange, Fact, Former, Memory

FACT = "SELECT id, text, kind, at, person, confidence, source FROM facts"
"""As `fact` takes it."""
EXCHANGE = "SELECT id, conversation, heard, said, at, person, tools FROM exchanges"
"""As `exchange` takes it."""
_NEAREST = """
SELECT facts.id FROM memory_words JOIN facts ON facts.id = memory_words.rowid
WHERE memory_words MATCH ? AND kind <> 'rule' AND (? IS NULL OR person IN (?, '')) ORDER BY rank, moment DESC LIMIT ?
"""
_MOMENT = "coalesce(facts.moment, exchanges.moment, diary.moment)"
_SEARCH = f"""
SELECT memory_words.rowid FROM memory_words
LEFT JOIN facts ON facts.id = memory_words.rowid LEFT JOIN exchanges ON exchanges.id = -memory_words.rowid
LEFT JOIN diary ON diary.id = memory_words.rowid
WHERE memory_words MATCH ? AND kind IS NOT 'rule' AND {_MOMENT} >= ? AND {_MOMENT} < ?
AND (? IS NULL OR coalesce(facts.person, exchanges.person, '') IN (?, '')) ORDER BY rank, {_MOMENT} DESC LIMIT ?
"""
_DAYS = "SELECT id FROM diary WHERE moment >= ? AND moment < ? ORDER BY moment DESC LIMIT ?"
_SAID_THEN = """
SELECT id FROM (
    SELECT * FROM (SELECT -id AS id, moment FROM exchanges WHERE moment >= ? AND moment < ?
    AND (? IS NULL OR person IN (?, '')) ORDER BY moment DESC, exchanges.id DESC LIMIT ?)
    UNION ALL
    SELECT * FROM (SELECT id, moment FROM facts WHERE moment >= ? AND moment < ?
    AND (? IS NULL OR person IN (?, '')) AND kind <> 'rule' ORDER BY moment DESC, id DESC LIMIT ?)
) ORDER BY moment DESC, id LIMIT ?
"""


class Span(NamedTuple):
    """Seconds since 1970, within [since, until); and whose: of a person and the household, or everybody's."""

    since: float
    until: float
    person: str | None

    @classmethod
    def of(cls, since: datetime | None, until: datetime | None, person: str | None) -> Span:
        return cls(since.timestamp() if since else -math.inf, until.timestamp() if until else math.inf, person)

    @property
    def bounded(self) -> bool:
        return self.since > -math.inf or self.until < math.inf

    @property
    def values(self) -> list[Any]:
        """As the queries take them."""
        return [self.since, self.until, self.person, self.person]


def nearest(db: Database, query: str, limit: int, person: str | None) -> list[int]:
    """Facts that share words with it, best first."""
    terms = " OR ".join(map(words.inflected, words.telling(db, query, words.FACTS)))
    return [number for (number,) in db.execute(_NEAREST, [terms, person, person, limit])] if terms else []


def by_words(db: Database, query: str, span: Span, limit: int) -> list[int]:
    """What shares words with it, best first; where nothing does, words of the same stem."""
    found = words.telling(db, query, words.ALL)
    expressions = (" OR ".join(map(form, found)) for form in (words.quoted, words.akin)) if found else ()
    rows = (db.execute(_SEARCH, [terms, *span.values, limit]).fetchall() for terms in expressions)
    return [number for (number,) in next(filter(None, rows), [])]


def by_time(db: Database, span: Span, limit: int) -> list[int]:
    """The newest days of the diary, then the newest of the rest."""
    days = [number for (number,) in db.execute(_DAYS, [span.since, span.until, limit])]
    said = db.execute(_SAID_THEN, [*span.values, limit, *span.values, limit, limit])
    return [*days, *(number for (number,) in said)][:limit]


def facts(db: Database, ids: Sequence[int]) -> list[Fact]:
    """In this order."""
    found = {row[0]: fact(*row) for row in db.execute(f"{FACT} WHERE id IN ({_marks(ids)})", [*ids])}
    return [found[number] for number in ids if number in found]


def memories(db: Database, ids: Sequence[int]) -> list[Memory]:
    """Newest first."""
    said = [-number for number in ids if number < 0]
    days = [number for number in ids if number > words.DIARY_IDS]
    known = [Memory(each.at, each.text) for each in facts(db, [number for number in ids if number > 0])]
    known += [_told(exchange(*row)) for row in db.execute(f"{EXCHANGE} WHERE id IN ({_marks(said)})", said)]
    rows = db.execute(f"SELECT day, text, at FROM diary WHERE id IN ({_marks(days)})", days)
    known += [Memory(noon(each.day, each.at), each.text) for each in (diary(*row) for row in rows)]
    return sorted(known, key=lambda memory: memory.at, reverse=True)


def noon(day: date, written: datetime) -> datetime:
    """The moment that a day of the diary counts as, where the box stood as it was written."""
    return datetime.combine(day, time(12), written.tzinfo)


def fact(number: int, text: str, kind: Any, at: str, person: str, confidence: float, source: int | None) -> Fact:
    return Fact(number, text, kind, datetime.fromisoformat(at), person, confidence, source)


def exchange(number: int, conversation: str, heard: str, said: str, at: str, person: str, tools: str) -> Exchange:
    return Exchange(number, conversation, heard, said, datetime.fromisoformat(at), person, tuple(json.loads(tools)))


def former(text: str, since: str, until: str) -> Former:
    return Former(text, datetime.fromisoformat(since), datetime.fromisoformat(until))


def diary(day: str, text: str, at: str) -> Diary:
    return Diary(date.fromisoformat(day), text, datetime.fromisoformat(at))


def _told(each: Exchange) -> Memory:
    return Memory(each.at, f'User: "{each.heard}" Answer: "{each.said}"')


def _marks(values: Sequence[int]) -> str:
    return ", ".join("?" * len(values))
