"""What is forgotten, in the caller's transaction: facts, their history, what was said of them, also in the diary."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from secrets import token_hex
from typing import NamedTuple

from sqlite_utils import Database

from appliance.errors import BadArgument
from appliance.memory import words
from appliance.memory.store import FORGOT
from appliance.memory.verdict import REBUILD

_HOLDS = "SELECT rowid FROM memory_words WHERE memory_words MATCH ? AND rowid < 0"
_WHOSE = "(? IS NULL OR person = nullif(?, ''))"
"""Everybody's, or those with one person; without a name, none."""
_FORGET_EXCHANGES = (
    "DELETE FROM exchanges WHERE id IN (SELECT -rowid FROM ({}) GROUP BY rowid HAVING count(*) >= ?) AND " + _WHOSE
)
_WITH_TOOLS = f"SELECT id, heard || ' ' || said || ' ' || tools FROM exchanges WHERE tools <> '[]' AND {_WHOSE}"
_FORMER = (
    "SELECT id, text FROM former_facts WHERE ? IS NULL OR fact_id IN (SELECT id FROM facts WHERE person IN (?, ''))"
)
_FACT = "SELECT text, source FROM facts WHERE id = ? UNION ALL SELECT text, source FROM former_facts WHERE fact_id = ?"
_SENTENCES = re.compile(r"(?<=\w{3}[.!?])\s+|\n")
"""Between two sentences of the diary; a stop behind fewer than three letters is part of a name, as in "Dr. Wren"."""


class Terms(NamedTuple):
    """An exchange or a sentence is about something when it holds at least so many of the terms."""

    terms: Sequence[str]
    least: int


def forget(
    db: Database,
    fact_ids: Sequence[int],
    topic: str,
    no_such: Callable[[int], BadArgument],
    person: str | None = None,
) -> int:
    """The number of exchanges that went. Raises what `no_such` makes for a fact that is not there.

    person: see ports.MemoryStore.
    """
    about, before = _whole(words.telling(db, topic, words.ALL)), db.conn.total_changes
    gone = _forget_what_holds(db, about, person)
    _forget_history(db, about, person)
    for fact_id in fact_ids:
        said = db.execute(_FACT, [fact_id, fact_id]).fetchall()
        if not db.execute("DELETE FROM facts WHERE id = ?", [fact_id]).rowcount:
            raise no_such(fact_id)
        for text, source in said:
            gone += db.execute("DELETE FROM exchanges WHERE id = ?", [source]).rowcount
            gone += _forget_what_holds(db, _half(words.of_a_fact(words.telling(db, text, words.ALL))))
    if db.conn.total_changes > before:
        db.execute(REBUILD)
        mark_copies(db)
    return gone


def forget_all(db: Database) -> None:
    for table in ("exchanges", "facts", "former_facts", "diary", "vectors"):
        db.execute(f"DELETE FROM {table}")
    db.execute(REBUILD)
    mark_copies(db)


def forget_all_of(db: Database, person: str, no_such: Callable[[int], BadArgument]) -> None:
    rows = db.execute("SELECT id FROM facts WHERE person IN (?, '')", [person]).fetchall()
    forget(db, [number for (number,) in rows], "", no_such)
    db.execute("DELETE FROM exchanges WHERE person = nullif(?, '')", [person])
    db.execute(REBUILD)
    mark_copies(db)


def mark_copies(db: Database) -> None:
    """They hold what was forgotten, and are to be replaced."""
    db.table("kept_values").upsert({"key": FORGOT, "value": token_hex(8)}, pk="key")


def _whole(found: Sequence[str]) -> Terms:
    return Terms([words.quoted(word) for word in found], len(found))


def _half(found: Sequence[str]) -> Terms:
    """Half of the words, though never one alone of several."""
    return Terms([words.inflected(word) for word in found], max((len(found) + 1) // 2, min(2, len(found))))


def _forget_what_holds(db: Database, about: Terms, person: str | None = None) -> int:
    """Exchanges, also by what their tools did, and sentences of the diary, which are everybody's. Gives the number of
    exchanges."""
    if not about.terms:
        return 0
    holding = " UNION ALL ".join([_HOLDS] * len(about.terms))
    gone = int(db.execute(_FORGET_EXCHANGES.format(holding), [*about.terms, about.least, person, person]).rowcount)
    rows = db.execute(_WITH_TOOLS, [person, person]).fetchall()
    held = words.holding([text for _, text in rows], *about)
    for row in held:
        gone += db.execute("DELETE FROM exchanges WHERE id = ?", [rows[row][0]]).rowcount
    for number, left in _without(db, about) if person is None else ():
        if left:
            db.execute("UPDATE diary SET text = ? WHERE id = ?", [left, number])
        else:
            db.execute("DELETE FROM diary WHERE id = ?", [number])
    return gone


def _without(db: Database, about: Terms) -> Iterator[tuple[int, str]]:
    """The days of the diary that lose a sentence, with what is left of them."""
    rows = db.execute("SELECT id, text FROM diary").fetchall()
    sentences = [(number, sentence) for number, text in rows for sentence in _SENTENCES.split(text)]
    held = words.holding([sentence for _, sentence in sentences], *about)
    for number in {sentences[place][0] for place in held}:
        left = [text for place, (day, text) in enumerate(sentences) if day == number and place not in held]
        yield number, "\n".join(filter(None, left))


def _forget_history(db: Database, about: Terms, person: str | None) -> None:
    """What facts said before about a topic, though they say something else now."""
    rows = db.execute(_FORMER, [person, person]).fetchall()
    for row in words.holding([text for _, text in rows], *about):
        db.execute("DELETE FROM former_facts WHERE id = ?", [rows[row][0]])
