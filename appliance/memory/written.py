"""How a fact, an exchange or a day is written, in the caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime

from sqlite_utils import Database

from appliance.memory.found import noon
from appliance.memory.words import DIARY_IDS, same_words
from appliance.ports import FactKind, ToolUse

_RENEW = (
    "UPDATE facts SET text = ?, at = ?, moment = ?, confidence = max(confidence, ?), source = coalesce(?, source)"
    " WHERE id = ?"
)
_REPLACE = "UPDATE facts SET text = ?, at = ?, moment = ?, confidence = ?, source = ? WHERE id = ?"
_TO_HISTORY = "INSERT INTO former_facts (fact_id, text, since, until, source) VALUES (?, ?, ?, ?, ?)"
_LAST = "SELECT id, text, since, source FROM former_facts WHERE fact_id = ? ORDER BY id DESC LIMIT 1"


def write_fact(
    db: Database, text: str, kind: FactKind, at: datetime, person: str, confidence: float, source: int | None
) -> int:
    """A new one, or the one that says the same made new again. Gives its id."""
    known = same(db, text, kind, person)
    if known is not None:
        db.execute(_RENEW, [text, at.isoformat(), at.timestamp(), confidence, source, known])
        return known
    return insert_fact(db, text, kind, at, person, confidence, source)


def insert_fact(
    db: Database, text: str, kind: FactKind, at: datetime, person: str, confidence: float, source: int | None
) -> int:
    """One of which the caller knows that none says the same. Gives its id."""
    row = {"text": text, "kind": kind, "at": at.isoformat(), "moment": at.timestamp()}
    more = {"person": person, "confidence": float(confidence), "source": source}
    number = db.table("facts").insert(row | more, pk="id").last_pk
    assert isinstance(number, int)
    return number


def replace_fact(
    db: Database, fact_id: int, text: str, at: datetime, source: int | None, confidence: float = 1.0
) -> bool:
    """What it said becomes its history, and another fact that says `text` already is taken up. Whether it is there."""
    row = db.execute("SELECT text, at, kind, person, source FROM facts WHERE id = ?", [fact_id]).fetchone()
    if row is None:
        return False
    before, since, kind, person, before_source = row
    double = same(db, text, kind, person)
    if double not in (None, fact_id):
        db.execute("UPDATE former_facts SET fact_id = ? WHERE fact_id = ?", [fact_id, double])
        db.execute("DELETE FROM facts WHERE id = ?", [double])
    if same_words(before) == same_words(text):
        db.execute(_RENEW, [text, at.isoformat(), at.timestamp(), confidence, source, fact_id])
        return True
    last = db.execute(_LAST, [fact_id]).fetchone()
    if last and (last[1], last[2]) == (text, at.isoformat()):  # an undo
        db.execute("DELETE FROM former_facts WHERE id = ?", [last[0]])
        source = last[3]
    else:
        db.execute(_TO_HISTORY, [fact_id, before, since, at.isoformat(), before_source])
    db.execute(_REPLACE, [text, at.isoformat(), at.timestamp(), confidence, source, fact_id])
    return True


def write_exchange(
    db: Database, conversation: str, heard: str, said: str, at: datetime, person: str, tools: Sequence[ToolUse]
) -> int:
    row = {"conversation": conversation, "heard": heard, "said": said, "at": at.isoformat(), "moment": at.timestamp()}
    more = {"person": person, "tools": json.dumps([*map(dict, tools)], ensure_ascii=False)}
    number = db.table("exchanges").insert(row | more, pk="id").last_pk
    assert isinstance(number, int)
    return number


def write_day(db: Database, day: date, text: str, at: datetime) -> int:
    """In the place of what stood there; nothing stands there with an empty text. Gives its id in the index."""
    number = DIARY_IDS + day.toordinal()
    row = {"id": number, "day": day.isoformat(), "text": text, "at": at.isoformat()}
    if text:
        db.table("diary").upsert(row | {"moment": noon(day, at).timestamp()}, pk="id")
    else:
        db.execute("DELETE FROM diary WHERE id = ?", [number])
    return number


def same(db: Database, text: str, kind: FactKind, person: str) -> int | None:
    """The fact of that kind and person that says the same, whatever its case, punctuation and blanks."""
    said = same_words(text)
    rows = db.execute("SELECT id, text FROM facts WHERE kind = ? AND person = ?", [kind, person])
    return next((fact_id for fact_id, known in rows if same_words(known) == said), None)
