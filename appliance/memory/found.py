"""How facts, exchanges and days are found again: by their words, or by time alone. Ids are those of the index."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
SELECT facts.id, rank FROM memory_words JOIN facts ON facts.id = memory_words.rowid
WHERE memory_words MATCH ? AND kind <> 'rule' AND (? IS NULL OR person IN (?, '')) ORDER BY rank, moment DESC LIMIT ?
"""
_SEARCH = "SELECT rowid, rank FROM memory_words WHERE memory_words MATCH ? ORDER BY rank LIMIT ?"
_SEARCH_SAID = """
SELECT memory_words.rowid, rank FROM memory_words JOIN exchanges ON exchanges.id = -memory_words.rowid
WHERE memory_words MATCH ? AND memory_words.rowid < 0 AND moment >= ? AND moment < ?
AND (? IS NULL OR person IN (?, '')) ORDER BY rank, moment DESC LIMIT ?
"""
_SEARCH_KNOWN = """
SELECT memory_words.rowid, rank FROM memory_words
LEFT JOIN facts ON facts.id = memory_words.rowid LEFT JOIN diary ON diary.id = memory_words.rowid
WHERE memory_words MATCH ? AND memory_words.rowid > 0
AND coalesce(facts.moment, diary.moment) >= ? AND coalesce(facts.moment, diary.moment) < ?
AND (? IS NULL OR coalesce(person, '') IN (?, '')) AND kind IS NOT 'rule' ORDER BY rank, facts.moment DESC LIMIT ?
"""
_RULES = "SELECT count(*) FROM facts WHERE kind = 'rule'"
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


_FUSED = 5
"""Reciprocal rank fusion: this rank counts half of the first. Cormack and others (SIGIR 2009) take 60 for lists of
1,000; for these short ones 2 to 60 make a difference of one question in a hundred (bench/recall.py)."""
CANDIDATES = 8
"""So many times the limit are taken of either list before they are fused."""
_FACT_MOMENTS = "SELECT id, moment FROM facts WHERE id IN ({}) AND kind <> 'rule' AND (? IS NULL OR person IN (?, ''))"
_SAID_MOMENTS = """
SELECT -id, moment FROM exchanges WHERE id IN ({}) AND (? IS NULL OR person IN (?, ''))
AND (? OR NOT EXISTS (SELECT 1 FROM former_facts WHERE source = exchanges.id)
     OR EXISTS (SELECT 1 FROM facts WHERE source = exchanges.id))
"""
"""Not that in which something was said that is otherwise now."""
_DAY_MOMENTS = "SELECT id, moment FROM diary WHERE id IN ({})"


Ranking = Sequence[tuple[int, float]]
"""Ids, each with a value that is the lower the better, in this order; those of one value are of one rank."""


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


def facts_by_words(db: Database, query: str, limit: int, person: str | None, noise: Collection[str]) -> Ranking:
    """Facts that share words with it, best first."""
    terms = " OR ".join(map(words.inflected, words.telling(db, query, words.FACTS, noise)))
    return db.execute(_NEAREST, [terms, person, person, limit]).fetchall() if terms else []


def by_words(db: Database, query: str, span: Span, limit: int, noise: Collection[str]) -> Ranking:
    """What shares words with it, best first; where nothing does, words of the same stem."""
    found = words.telling(db, query, words.ALL, noise)
    expressions = (" OR ".join(map(form, found)) for form in (words.quoted, words.akin)) if found else ()
    rankings = (_ranked(db, terms, span, limit) for terms in expressions)
    return next(filter(None, rankings), [])


def _ranked(db: Database, terms: str, span: Span, limit: int) -> Ranking:
    """Without a span and a person the index alone is read, which is twice as fast; rules are left out of it later."""
    if not span.bounded and span.person is None:
        (rules,) = db.execute(_RULES).fetchone()
        rows = db.execute(_SEARCH, [terms, limit + rules]).fetchall()
    else:
        values = [terms, *span.values, limit]
        rows = [*db.execute(_SEARCH_KNOWN, values), *db.execute(_SEARCH_SAID, values)]
    return sorted(rows, key=lambda row: row[1])


def fused(db: Database, rankings: Iterable[Ranking], span: Span, limit: int) -> list[int]:
    """The best of all rankings that are of the span, best first, of equals the newest; without what is otherwise now
    where no time is asked for."""
    scores = defaultdict[int, float](float)
    for ranking in rankings:
        values = [value for _, value in ranking]
        for number, value in ranking:
            scores[number] += 1 / (_FUSED + values.index(value))
    moments = {number: at for number, at in _moments(db, [*scores], span) if span.since <= at < span.until}
    return sorted(moments, key=lambda number: (-scores[number], -moments[number]))[:limit]


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
    known += [Memory(noon(each.day, each.at), each.text, "day") for each in (diary(*row) for row in rows)]
    return sorted(known, key=lambda memory: memory.at, reverse=True)


def those_there(db: Database, texts: Mapping[int, str]) -> dict[int, str]:
    """Those of the texts that stand so in the full-text index: others went or changed since they were read."""
    rows = db.execute(f"SELECT id, text FROM memories WHERE id IN ({_marks([*texts])})", [*texts])
    return {number: text for number, text in rows if text == texts[number]}


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


def _moments(db: Database, ids: Sequence[int], span: Span) -> Iterator[tuple[int, float]]:
    said = [-number for number in ids if number < 0]
    known = [number for number in ids if 0 < number <= words.DIARY_IDS]
    days = [number for number in ids if number > words.DIARY_IDS]
    whose = [span.person, span.person]
    if known:
        yield from db.execute(_FACT_MOMENTS.format(_marks(known)), [*known, *whose])
    if said:
        yield from db.execute(_SAID_MOMENTS.format(_marks(said)), [*said, *whose, span.bounded])
    if days:
        yield from db.execute(_DAY_MOMENTS.format(_marks(days)), days)


def _told(each: Exchange) -> Memory:
    return Memory(each.at, f'User: "{each.heard}" Answer: "{each.said}"', "exchange", each.person)


def _marks(values: Sequence[int]) -> str:
    return ", ".join("?" * len(values))
