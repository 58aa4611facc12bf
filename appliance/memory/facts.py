"""Facts and exchanges on disk, found again by their words."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from secrets import token_hex

from sqlite_utils import Database

from appliance.errors import BadArgument
from appliance.memory.store import FORGOT, Store, tried_again
from appliance.memory.verdict import REBUILD
from appliance.ports import Fact, FactKind, Memory

_WORD = re.compile(r"[^\W_]+")
_SHORTEST = 3
"""Letters of a word worth looking for: the content words of the recall gate."""
_MOST_WORDS = 32
"""Words of one query that are looked for. A spoken one has fewer; each costs a look into the index."""
_TINY = 4
"""Rows up to which no word counts as common: half of so few says nothing."""
_FACTS, _ALL = 1, -(2**63)
"""Lowest id in memory_words: an exchange has one below zero."""

_OF_KIND = "SELECT id, text, kind, at FROM facts WHERE kind = ? ORDER BY moment DESC, id DESC LIMIT ?"
_OF_ANY_KIND = "SELECT id, text, kind, at FROM facts ORDER BY moment DESC, id DESC LIMIT ?"
_NO_LIMIT = -1
_COUNT_FACTS = "SELECT count(*) FROM facts"
_COUNT_ALL = "SELECT (SELECT count(*) FROM facts) + (SELECT count(*) FROM exchanges)"
_PRUNE = "DELETE FROM exchanges WHERE id IN (SELECT id FROM exchanges WHERE id <= ? ORDER BY id LIMIT ?)"
_PRUNED_AT_ONCE = 50
"""Exchanges too many that go with each new one: a turn never pays for all that an older release kept."""
_NEAREST = """
SELECT facts.id, facts.text, kind, at FROM memory_words JOIN facts ON facts.id = memory_words.rowid
WHERE memory_words MATCH ? AND kind <> 'rule' ORDER BY rank, moment DESC LIMIT ?
"""
_SEARCH = """
SELECT coalesce(facts.at, exchanges.at), facts.text, heard, said FROM memory_words
LEFT JOIN facts ON facts.id = memory_words.rowid LEFT JOIN exchanges ON exchanges.id = -memory_words.rowid
WHERE memory_words MATCH ? AND kind IS NOT 'rule'
AND coalesce(facts.moment, exchanges.moment) >= ? AND coalesce(facts.moment, exchanges.moment) < ?
ORDER BY rank, coalesce(facts.moment, exchanges.moment) DESC LIMIT ?
"""
_HOLDS = "SELECT rowid FROM memory_words WHERE memory_words MATCH ? AND rowid < 0"
_FORGET_EXCHANGES = "DELETE FROM exchanges WHERE id IN (SELECT -rowid FROM ({}) GROUP BY rowid HAVING count(*) >= ?)"
_WRITTEN_BY_US = {"the", "user", "users"}
"""What stands in a fact and not in the user's own words."""
_INFLECTED = 5
"""Letters of a word from which its last may be another: "I like" is kept as "the user likes", "wohne" as "wohnt"."""

_ENDING = 2
"""Letters in which two words of one stem may differ at their end: allergy, allergic. A judgement."""


class SqliteMemory:
    """Implements ports.MemoryStore. Every method raises StoreUnusable. A `limit` is at least 1."""

    def __init__(self, store: Store, exchanges_max: int | None = None) -> None:
        """exchanges_max: those kept, the newest; None is all."""
        self._store, self._exchanges_max = store, exchanges_max

    @tried_again
    def save(self, text: str, kind: FactKind, at: datetime) -> Fact:
        with self._store.write() as db:
            fact_id = _same(db, text, kind)
            if fact_id is None:
                row = {"text": text, "kind": kind, "at": at.isoformat(), "moment": at.timestamp()}
                fact_id = db.table("facts").insert(row, pk="id").last_pk
            else:
                _rewrite(db, fact_id, text, at)
        assert isinstance(fact_id, int)
        return Fact(fact_id, text, kind, at)

    @tried_again
    def update(self, fact_id: int, text: str, at: datetime) -> Fact:
        """Another fact that says `text` already is taken up into this one."""
        with self._store.write() as db:
            row = db.execute("SELECT kind FROM facts WHERE id = ?", [fact_id]).fetchone()
            if row is None:
                raise self._no_such(fact_id)
            double = _same(db, text, row[0])
            if double not in (None, fact_id):
                db.execute("DELETE FROM facts WHERE id = ?", [double])
            _rewrite(db, fact_id, text, at)
        return Fact(fact_id, text, row[0], at)

    @tried_again
    def forget(self, *fact_ids: int, topic: str = "") -> int:
        with self._store.write() as db:
            terms = _telling(db, topic, _ALL)
            gone = _forget_exchanges(db, [_quoted(word) for word in terms], len(terms))
            for fact_id in fact_ids:
                rows = db.execute("DELETE FROM facts WHERE id = ? RETURNING text", [fact_id]).fetchall()
                if not rows:
                    raise self._no_such(fact_id)
                terms = [word for word in _telling(db, rows[0][0], _ALL) if word.casefold() not in _WRITTEN_BY_US]
                gone += _forget_exchanges(db, [_inflected(word) for word in terms], (len(terms) + 1) // 2)
            db.execute(REBUILD)
            if fact_ids or gone:
                _mark_copies(db)
        self._store.leave_no_trace()
        return gone

    @tried_again
    def forget_all(self) -> None:
        with self._store.write() as db:
            db.execute("DELETE FROM exchanges")
            db.execute("DELETE FROM facts")
            db.execute(REBUILD)
            _mark_copies(db)
        self._store.leave_no_trace()

    @tried_again
    def facts(self, kind: FactKind | None = None, limit: int | None = None) -> list[Fact]:
        query = _OF_KIND if kind else _OF_ANY_KIND
        values = [*([kind] if kind else []), _NO_LIMIT if limit is None else limit]
        with self._store.read() as db:
            return [_fact(*row) for row in db.execute(query, values)]

    @tried_again
    def nearest(self, query: str, limit: int) -> list[Fact]:
        with self._store.read() as db:
            terms = " OR ".join(map(_inflected, _telling(db, query, _FACTS)))
            return [_fact(*row) for row in db.execute(_NEAREST, [terms, limit])] if terms else []

    @tried_again
    def add_exchange(self, conversation: str, heard: str, said: str, at: datetime) -> None:
        row = {"conversation": conversation, "heard": heard, "said": said}
        with self._store.write() as db:
            newest = (
                db.table("exchanges").insert(row | {"at": at.isoformat(), "moment": at.timestamp()}, pk="id").last_pk
            )
            if self._exchanges_max is not None:
                assert isinstance(newest, int)
                db.execute(_PRUNE, [newest - self._exchanges_max, _PRUNED_AT_ONCE])

    @tried_again
    def exchanges(self) -> int:
        with self._store.read() as db:
            return int(db.execute("SELECT count(*) FROM exchanges").fetchone()[0])

    @tried_again
    def search(
        self, query: str, limit: int, since: datetime | None = None, until: datetime | None = None
    ) -> list[Memory]:
        span = [since.timestamp() if since else -math.inf, until.timestamp() if until else math.inf]
        with self._store.read() as db:
            words = _telling(db, query, _ALL)
            expressions = (" OR ".join(map(form, words)) for form in (_quoted, _akin)) if words else ()
            found_by = (db.execute(_SEARCH, [terms, *span, limit]).fetchall() for terms in expressions)
            rows = next(filter(None, found_by), [])
        found = [_memory(*row) for row in rows]
        return sorted(found, key=lambda memory: memory.at, reverse=True)

    def _no_such(self, fact_id: int) -> BadArgument:
        said = self._store.words.no_such.format(id=fact_id)
        return BadArgument(said, remedy="give the number of a fact that is stored")


def _fact(fact_id: int, text: str, kind: FactKind, at: str) -> Fact:
    return Fact(fact_id, text, kind, datetime.fromisoformat(at))


def _memory(at: str, text: str | None, heard: str, said: str) -> Memory:
    return Memory(datetime.fromisoformat(at), f'User: "{heard}" Answer: "{said}"' if text is None else text)


def _mark_copies(db: Database) -> None:
    """They hold what was forgotten, and are to be replaced."""
    db.table("kept_values").upsert({"key": FORGOT, "value": token_hex(8)}, pk="key")


def _rewrite(db: Database, fact_id: int, text: str, at: datetime) -> None:
    row = [text, at.isoformat(), at.timestamp(), fact_id]
    db.execute("UPDATE facts SET text = ?, at = ?, moment = ? WHERE id = ?", row)


def _same(db: Database, text: str, kind: FactKind) -> int | None:
    """The fact of that kind that says the same, whatever its case, punctuation and blanks."""
    said = _said(text)
    rows = db.execute("SELECT id, text FROM facts WHERE kind = ?", [kind])
    return next((fact_id for fact_id, known in rows if _said(known) == said), None)


def _said(text: str) -> str:
    """Its words. A text without any, such as a smiley, is itself."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_WORD.findall(plain)) or plain.strip()


def _quoted(word: str) -> str:
    """As MATCH takes it. A word is letters and digits."""
    return f'"{word}"'


def _inflected(word: str) -> str:
    """For MATCH: the word, and those that end otherwise; of a short one its plural, or what that is of."""
    if len(word) >= _INFLECTED:
        return f'"{word[:-1]}"*'
    return f"({_quoted(word)} OR {_quoted(word.removesuffix('s') if word.endswith('s') else f'{word}s')})"


def _akin(word: str) -> str:
    """For MATCH: the word, and of a long one those of the same stem: an allergy to penicillin is kept as "allergic"."""
    return f'"{word[:-_ENDING]}"*' if len(word) >= _INFLECTED + _ENDING else _inflected(word)


def _forget_exchanges(db: Database, terms: Sequence[str], least: int) -> int:
    """Those that hold at least so many of `terms`, though never by one alone of several. Gives their number."""
    if not terms:
        return 0
    holding = " UNION ALL ".join([_HOLDS] * len(terms))
    least = max(least, min(2, len(terms)))
    return int(db.execute(_FORGET_EXCHANGES.format(holding), [*terms, least]).rowcount)


def _telling(db: Database, query: str, lowest: int) -> list[str]:
    """The query's words that tell it from others.

    Words that stand in more than half of the rows are left out, unless there are no others: a row that shares only
    "the" shares nothing, in any language, and BM25 gives such words no weight (sqlite.org/fts5.html, 5.1.1).
    """
    words = list(dict.fromkeys(_WORD.findall(unicodedata.normalize("NFC", query))))
    words = ([word for word in words if len(word) >= _SHORTEST] or words)[:_MOST_WORDS]
    (rows,) = db.execute(_COUNT_ALL if lowest == _ALL else _COUNT_FACTS).fetchone()
    rare = [word for word in words if rows <= _TINY or _rows_with(db, word, lowest) <= rows / 2]
    return rare or words


def _rows_with(db: Database, word: str, lowest: int) -> int:
    query = "SELECT count(*) FROM memory_words WHERE memory_words MATCH ? AND rowid >= ?"
    (rows,) = db.execute(query, [_quoted(word), lowest]).fetchone()
    return int(rows)
