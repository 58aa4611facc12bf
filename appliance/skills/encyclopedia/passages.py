"""Sentences of articles in an FTS5 table, and those of them that are about a question.

A row is one sentence, not an article: what the model can read is some 600 characters, and for 300 questions of a quiz
they hold the answer 113 times so, against 97 times where whole summaries are ranked (2026-11-28).
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

TITLE_WEIGHT = 3
"""Of a word in the title, in one of the text; between 3 and 10 the quiz changes by 2 of 300."""
RANKED = 40
"""Sentences that are looked at: more than fit into an answer."""
STEMMED = {"en"}
"""Languages whose endings FTS5 takes off (Porter's rules)."""


@dataclass(frozen=True)
class Article:
    title: str
    about: str
    """What it is, in a few words; empty where nothing says so."""
    text: str


@dataclass(frozen=True)
class Passage:
    """One sentence of an article."""

    title: str
    text: str
    covered: float
    """Weight of the question's words that it or its title holds, in that of all of them: 0 to 1."""


Weigh = Callable[[str, int, int], float]
"""How much a word tells, by the number of sentences that hold it, of so many."""


def rarity(word: str, holding: int, every: int) -> float:
    """A `Weigh`: BM25's inverse document frequency."""
    return math.log(1 + (every - holding + 0.5) / (holding + 0.5))


def create(database: sqlite3.Connection, language: str) -> None:
    stem = "porter " if language in STEMMED else ""
    database.execute(
        "CREATE VIRTUAL TABLE passages USING fts5(title, about, text, "
        f"tokenize = '{stem}unicode61 remove_diacritics 2')"
    )


def fill(database: sqlite3.Connection, articles: Iterable[Article], split: Callable[[str], Iterable[str]]) -> None:
    rows = ((each.title, each.about, sentence) for each in articles for sentence in split(each.text))
    database.executemany("INSERT INTO passages VALUES (?, ?, ?)", rows)


def best(database: sqlite3.Connection, words: Sequence[str], weigh: Weigh = rarity) -> list[Passage]:
    """Those that hold any of the words, best first (BM25). words: letters and digits only, at least one.

    Raises sqlite3.DatabaseError where the table is damaged.
    """
    found: list[tuple[int, str, str]] = database.execute(
        f"SELECT rowid, title, text FROM passages WHERE passages MATCH ? "
        f"ORDER BY bm25(passages, {TITLE_WEIGHT}, 1, 1) LIMIT {RANKED}",
        (" OR ".join(f'"{word}"' for word in words),),
    ).fetchall()
    every = int(database.execute("SELECT count(*) FROM passages_docsize").fetchone()[0]) if found else 0
    holding = {word: _holding(database, word) for word in words}
    weights = {word: weigh(word, len(rows), every) for word, rows in holding.items()}
    return [Passage(title, text, _covered(row, holding, weights)) for row, title, text in found]


def _holding(database: sqlite3.Connection, word: str) -> set[int]:
    rows = database.execute("SELECT rowid FROM passages WHERE passages MATCH ?", (f'"{word}"',))
    return {row for (row,) in rows}


def _covered(row: int, holding: Mapping[str, set[int]], weights: Mapping[str, float]) -> float:
    whole = math.fsum(weights.values())
    return math.fsum(weights[word] for word, rows in holding.items() if row in rows) / whole if whole else 0.0
