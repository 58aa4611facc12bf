"""What was read of the documents: a SQLite file of its own, made anew where it is damaged or of another form."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from appliance.skills.documents.passage import LeftOut, Passage

log = logging.getLogger(__name__)

FOLDER, NAME = "documents", "index.db"
FORM = 1
"""Of its tables: an index of another one is made anew."""
BUSY_S = 5.0
_TABLES = """
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    mark TEXT NOT NULL,
    state TEXT NOT NULL,
    why TEXT NOT NULL,
    pages INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL
) STRICT;
CREATE VIRTUAL TABLE passages USING fts5(
    name, text, page UNINDEXED, part UNINDEXED, tokenize = 'porter unicode61 remove_diacritics 2'
);
"""
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
NAME_WEIGHT = 2.0
"""Of a word in the name of a document, where one in its text has 1."""

WAITING, READ, PARTLY, LEFT_OUT = "waiting", "read", "partly", "left out"


@dataclass(frozen=True)
class File:
    path: str
    """Below the folder of the documents."""
    mark: str
    """What tells that it is another than before; see folder.py."""
    state: str = WAITING
    why: str = ""
    """Why it is left out, or only partly read; a key under `why` in phrases/."""
    pages: int = 0


@dataclass(frozen=True)
class Found:
    """A passage, and the name of the document that it is of."""

    name: str
    text: str
    page: int
    part: str


class Index:
    """Of any threads. Methods raise sqlite3.Error, OSError; where the file is damaged, the next call begins anew."""

    def __init__(self, state: Path) -> None:
        """state: the folder of the appliance's own files; a folder in it is made when needed."""
        self._folder = state / FOLDER

    @property
    def path(self) -> Path:
        return self._folder / NAME

    def erase(self) -> None:
        """The folder with all that is in it. Raises OSError."""
        with suppress(FileNotFoundError):
            shutil.rmtree(self._folder)

    def files(self) -> list[File]:
        """By path. Empty where nothing was ever looked at."""
        if not self.path.exists():
            return []
        with self._opened() as db:
            rows = db.execute("SELECT path, mark, state, why, pages FROM files ORDER BY path")
            return [File(*row) for row in rows]

    def await_reading(self, files: Sequence[File]) -> None:
        """These are new, or changed: what is known of them is told until they were read."""
        with self._opened() as db, db:
            db.executemany(
                "INSERT INTO files (path, mark, state, why, pages, first, last) VALUES (?, ?, ?, '', 0, 1, 0)"
                " ON CONFLICT (path) DO UPDATE SET mark = excluded.mark, state = excluded.state, why = ''",
                [(each.path, each.mark, WAITING) for each in files],
            )

    def put(self, path: str, name: str, passages: Iterator[Passage]) -> File:
        """In the place of what is known of that file, up to where LeftOut is raised; nothing where anything else is."""
        with self._opened() as db, db:
            _forget_passages(db, path)
            first, pages, why = 1 + db.execute("SELECT max(last) FROM files").fetchone()[0], 0, ""
            rowid = first - 1
            try:
                for rowid, each in enumerate(passages, first):
                    pages = max(pages, each.page)
                    values = (rowid, name, each.text, each.page, each.part)
                    db.execute("INSERT INTO passages (rowid, name, text, page, part) VALUES (?, ?, ?, ?, ?)", values)
            except LeftOut as error:
                why = str(error)
            state = READ if not why else PARTLY if rowid >= first else LEFT_OUT
            db.execute(
                "UPDATE files SET state = ?, why = ?, pages = ?, first = ?, last = ? WHERE path = ?",
                (state, why, pages, first, rowid, path),
            )
            return File(path, "", state, why, pages)

    def rename(self, path: str, other: str, name: str) -> None:
        with self._opened() as db, db:
            first, last = _range(db, path)
            db.execute("UPDATE passages SET name = ? WHERE rowid BETWEEN ? AND ?", (name, first, last))
            db.execute("UPDATE files SET path = ? WHERE path = ?", (other, path))

    def remove(self, path: str) -> None:
        with self._opened() as db, db:
            _forget_passages(db, path)
            db.execute("DELETE FROM files WHERE path = ?", [path])

    def search(self, query: str, most: int) -> list[Found]:
        """The passages closest to it, best first.  query: as FTS5 reads it."""
        if not self.path.exists():
            return []
        with self._opened() as db:
            rows = db.execute(
                "SELECT name, text, page, part FROM passages WHERE passages MATCH ?"
                " ORDER BY bm25(passages, ?, 1.0) LIMIT ?",
                (query, NAME_WEIGHT, most),
            )
            return [Found(*row) for row in rows]

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(self._connected()) as db:
                yield db
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED:
                log.error(
                    "the index of the documents, %s, is damaged (%s); it is made anew by itself", self.path, error
                )
                self.erase()
            raise

    def _connected(self) -> sqlite3.Connection:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        db = sqlite3.connect(self.path, timeout=BUSY_S)
        try:
            if _form(db) not in (0, FORM):
                db.close()
                self.erase()
                return self._connected()
            if _form(db) == 0:
                db.executescript(
                    f"PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {FORM}; COMMIT;"
                )
            db.execute("PRAGMA synchronous = NORMAL")  # what a power cut takes is read again
        except BaseException:
            db.close()
            raise
        return db


def _form(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _range(db: sqlite3.Connection, path: str) -> tuple[int, int]:
    row = db.execute("SELECT first, last FROM files WHERE path = ?", [path]).fetchone()
    return (row[0], row[1]) if row else (1, 0)


def _forget_passages(db: sqlite3.Connection, path: str) -> None:
    db.execute("DELETE FROM passages WHERE rowid BETWEEN ? AND ?", _range(db, path))
