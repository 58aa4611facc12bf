"""What facts, exchanges and days mean, to find them by other words than theirs: a byte a dimension, on disk and in RAM.

They are written with what they are of, and made anew from it where they are missing. All of them are compared with a
query: 100,000 of 128 dimensions take 12.8 MB and 3 ms (x86-64, 2026-11-28), and there is no index to be kept up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlite_utils import Database

from appliance.memory.found import Ranking, Span
from appliance.memory.words import Rows
from appliance.ports import Meanings

SCALE = 127
"""Of a vector of length 1 in bytes."""
LEAST = 0.14
"""Cosine from which two texts may be about the same: nineteen of twenty questions in other words have more in common
with the right fact (bench/recall.yaml). What is handed to a model is looked at once more."""
_DIGITS = 3
"""Of a cosine: what bytes can tell."""
_AT_ONCE = 1_024
"""Rows turned into floats at once: 0.5 MB, which the caches hold. No BLAS multiplies them: its threads wait for each
other where the model has the cores, 50 ms at times."""
_WRITE = "INSERT OR REPLACE INTO vectors (id, made_by, vector) VALUES (?, ?, ?)"
_READ = """
SELECT vectors.id, vector, coalesce(facts.moment, exchanges.moment, diary.moment) FROM vectors
LEFT JOIN facts ON facts.id = vectors.id LEFT JOIN exchanges ON exchanges.id = -vectors.id
LEFT JOIN diary ON diary.id = vectors.id WHERE made_by = ?
"""
_MISSING = (
    "SELECT memories.id, memories.text FROM memories LEFT JOIN vectors ON vectors.id = memories.id AND made_by = ?"
    " WHERE vectors.id IS NULL LIMIT ?"
)
_MOMENT = (
    "SELECT coalesce((SELECT moment FROM facts WHERE id = :id), (SELECT moment FROM exchanges WHERE id = -:id),"
    " (SELECT moment FROM diary WHERE id = :id))"
)
GONE = 0
"""The id of a row in memory whose text went: nothing in the full-text index has it."""
Vector = NDArray[np.int8]
_NONE: Vector = np.zeros((0, 0), np.int8)


class Made(NamedTuple):
    vector: Vector
    moment: float
    """Of its text, in seconds since 1970."""


class Vectors:
    """Of one database at a time; another one's are read when it is first asked. Who hands over a database holds it."""

    def __init__(self, meanings: Meanings) -> None:
        self._meanings, self._lock = meanings, Lock()
        self._of: Database | None = None
        self._ids, self._moments = np.zeros(0, np.int64), np.zeros(0)
        self._rows = _NONE
        self._count = 0

    def write(self, db: Database, texts: Mapping[int, str]) -> dict[int, Made]:
        """Of texts by their ids in the full-text index, in the caller's transaction; behind it they go to `keep`."""
        made = dict[int, Made]()
        for number, text in texts.items():
            (moment,) = db.execute(_MOMENT, {"id": number}).fetchone()
            if moment is not None:  # else the text is empty, and stands nowhere
                vector = np.round(self._meanings.of(text) * SCALE).astype(np.int8)
                db.execute(_WRITE, [number, self._meanings.name, vector.tobytes()])
                made[number] = Made(vector, moment)
        return made

    def keep(self, db: Database, made: Mapping[int, Made]) -> None:
        """In memory as well, once they are on disk."""
        with self._lock:
            for number, each in made.items() if db is self._of else ():  # others are read when somebody asks
                self._place(number, each)

    def drop(self, numbers: Collection[int]) -> None:
        """Their texts went."""
        with self._lock:
            gone = np.flatnonzero(np.isin(self._ids[: self._count], list(numbers)))
            self._ids[gone], self._rows[gone] = GONE, 0

    def forget(self) -> None:
        """All that is in memory; what is left on disk is read again when somebody asks."""
        with self._lock:
            self._of, self._count = None, 0
            self._ids, self._moments, self._rows = np.zeros(0, np.int64), np.zeros(0), _NONE

    def missing(self, db: Database, limit: int) -> list[tuple[int, str]]:
        """Ids and texts, in the full-text index, that have none or one of another table of meanings."""
        return [(number, text) for number, text in db.execute(_MISSING, [self._meanings.name, limit])]

    def nearest(self, db: Database, query: str, limit: int, part: Rows, span: Span) -> Ranking:
        """Ids of what is about the same in a part of the full-text index and a span of time; best first."""
        asked = self._meanings.of(query)
        if not asked.any():
            return []
        with self._lock:
            self._read(db)
            return self._nearest(asked, limit, part, span)

    def _nearest(self, asked: NDArray[np.float32], limit: int, part: Rows, span: Span) -> Ranking:
        ids, moments = self._ids[: self._count], self._moments[: self._count]
        wanted = (ids >= part.lowest) & (ids <= part.highest) & (ids != GONE)
        wanted &= (moments >= span.since) & (moments < span.until)
        places = np.flatnonzero(wanted)
        scores = self._cosines(asked, places)
        best = np.argpartition(-scores, limit)[:limit] if len(scores) > limit else np.arange(len(scores))
        best = best[np.argsort(-scores[best], kind="stable")]
        return [(int(ids[places[at]]), -round(float(scores[at]), _DIGITS)) for at in best if scores[at] >= LEAST]

    def _place(self, number: int, made: Made) -> None:
        """In the place that it has, or behind the others, for which there is room for as many again."""
        known = np.flatnonzero(self._ids[: self._count] == number)
        place = int(known[0]) if known.size else self._count
        if place == len(self._ids):
            more = max(place, _AT_ONCE)
            self._ids = np.concatenate([self._ids, np.zeros(more, np.int64)])
            self._moments = np.concatenate([self._moments, np.zeros(more)])
            self._rows = np.concatenate(
                [self._rows.reshape(-1, made.vector.size), np.zeros((more, made.vector.size), np.int8)]
            )
        self._ids[place], self._rows[place], self._moments[place] = number, *made
        self._count = max(self._count, place + 1)

    def _cosines(self, asked: NDArray[np.float32], places: NDArray[np.intp]) -> NDArray[np.float32]:
        """With the rows in these places; shape (places,)."""
        found, every = np.empty(len(places), np.float32), len(places) == self._count
        for start in range(0, len(places), _AT_ONCE):
            here = slice(start, min(start + _AT_ONCE, len(places)))
            part = self._rows[here if every else places[here]]
            np.einsum("ij,j->i", part.astype(np.float32), asked, out=found[here])
        found /= SCALE
        return found

    def _read(self, db: Database) -> None:
        if db is self._of:
            return
        found = db.execute(_READ, [self._meanings.name])
        parts = [_arrays(rows) for rows in iter(lambda: found.fetchmany(_AT_ONCE), [])] or [_arrays([])]
        self._ids, self._moments, self._rows = (np.concatenate(each) for each in zip(*parts, strict=True))
        self._of, self._count = db, len(self._ids)


def _arrays(rows: Sequence[tuple[int, bytes, float]]) -> tuple[NDArray[np.int64], NDArray[np.float64], Vector]:
    """Ids, moments and vectors, of rows as they are read."""
    joined = np.frombuffer(b"".join(vector for _, vector, _ in rows), np.int8)
    ids, moments = [number for number, _, _ in rows], [moment for _, _, moment in rows]
    return np.array(ids, np.int64), np.array(moments, np.float64), joined.reshape(len(rows), -1) if rows else _NONE
