"""The words of a query or a text: which of them tell it from others, and how the full-text index is asked for them."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from typing import NamedTuple

from sqlite_utils import Database

TOKENIZER = "unicode61 remove_diacritics 2"
"""That of the full-text index (migrations.py)."""
_WORD = re.compile(r"[^\W_]+")
_SHORTEST = 3
"""Letters of a word worth looking for: the content words of the recall gate."""
_MOST_WORDS = 32
"""Words of one query that are looked for. A spoken one has fewer; each costs a look into the index."""
_TINY = 4
"""Rows up to which no word counts as common: half of so few says nothing."""
_WRITTEN_BY_US = {"the", "user", "users"}
"""What stands in a fact and not in the user's own words."""
_INFLECTED = 5
"""Letters of a word from which its last may be another: "I like" is kept as "the user likes", "wohne" as "wohnt"."""
_ENDING = 2
"""Letters in which two words of one stem may differ at their end: allergy, allergic. A judgement."""


class Rows(NamedTuple):
    """A part of the full-text index: its lowest and highest id, and how its rows are counted."""

    lowest: int
    highest: int
    number: str


DIARY_IDS = 1 << 40
"""Where the ids of the diary begin in the full-text index: far above those of all facts. A day adds its ordinal."""
FACTS = Rows(1, DIARY_IDS - 1, "SELECT count(*) FROM facts")
ALL = Rows(
    *(-(2**63), 2**63 - 1),
    "SELECT (SELECT count(*) FROM facts) + (SELECT count(*) FROM diary)"
    " + coalesce((SELECT max(id) FROM exchanges) - (SELECT min(id) FROM exchanges) + 1, 0)",  # to count takes 5 ms
)
_WITH = "SELECT count(*) FROM memory_words WHERE memory_words MATCH ? AND rowid BETWEEN ? AND ?"


def same_words(text: str) -> str:
    """What two texts that say the same have in common. A text without words, such as a smiley, is itself."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_WORD.findall(plain)) or plain.strip()


def telling(db: Database, query: str, among: Rows, noise: Collection[str] = ()) -> list[str]:
    """The query's words that tell it from others: none of `noise`, unless there are no others.

    Words that stand in more than half of the rows are left out, unless there are no others: a row that shares only
    "the" shares nothing, in any language, and BM25 gives such words no weight (sqlite.org/fts5.html, 5.1.1).
    """
    words = list(dict.fromkeys(_WORD.findall(unicodedata.normalize("NFC", query))))
    words = [word for word in words if len(word) >= _SHORTEST] or words
    words = ([word for word in words if word.casefold() not in noise] or words)[:_MOST_WORDS]
    (rows,) = db.execute(among.number).fetchone()
    rare = [word for word in words if rows <= _TINY or _rows_with(db, word, among) <= rows / 2]
    return rare or words


def of_a_fact(words: Iterable[str]) -> list[str]:
    """Without those that the box writes by itself."""
    return [word for word in words if word.casefold() not in _WRITTEN_BY_US]


def quoted(word: str) -> str:
    """As MATCH takes it. A word is letters and digits."""
    return f'"{word}"'


def inflected(word: str) -> str:
    """For MATCH: the word, and those that end otherwise; of a short one its plural, or what that is of."""
    if len(word) >= _INFLECTED:
        return f'"{word[:-1]}"*'
    return f"({quoted(word)} OR {quoted(word.removesuffix('s') if word.endswith('s') else f'{word}s')})"


def akin(word: str) -> str:
    """For MATCH: the word, and of a long one those of the same stem: an allergy to penicillin is kept as "allergic"."""
    return f'"{word[:-_ENDING]}"*' if len(word) >= _INFLECTED + _ENDING else inflected(word)


def holding(texts: Sequence[str], terms: Sequence[str], least: int) -> set[int]:
    """Places of the texts that hold at least so many of the terms, by the rules of the full-text index."""
    if not (texts and terms):
        return set()
    many = f"SELECT rowid FROM ({' UNION ALL '.join(['SELECT rowid FROM words WHERE words MATCH ?'] * len(terms))})"
    with closing(sqlite3.connect(":memory:")) as beside:
        beside.execute(f"CREATE VIRTUAL TABLE words USING fts5(text, tokenize='{TOKENIZER}')")
        beside.executemany("INSERT INTO words(rowid, text) VALUES (?, ?)", enumerate(texts))
        return {row for (row,) in beside.execute(f"{many} GROUP BY rowid HAVING count(*) >= ?", [*terms, least])}


def _rows_with(db: Database, word: str, among: Rows) -> int:
    (rows,) = db.execute(_WITH, [quoted(word), among.lowest, among.highest]).fetchone()
    return int(rows)
