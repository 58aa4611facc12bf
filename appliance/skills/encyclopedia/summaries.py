"""The summaries of the model store: an index of them in the state folder, made once of the verified file."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from appliance.errors import ApplianceError, PartMissing
from appliance.skills.encyclopedia import passages
from appliance.skills.encyclopedia.passages import Article, Passage
from appliance.skills.encyclopedia.reading import lead, sentences, title_key, without_brackets

log = logging.getLogger(__name__)

T = TypeVar("T")

VERSION = 1
"""Of the index: one of another version is made anew."""
FILE = "summaries.db"


class _Summary(BaseModel):
    title: str
    extract: str
    description: str | None = None


_FILE = TypeAdapter(dict[str, _Summary])


class Summaries:
    def __init__(self, item: Callable[[], Path], state: Path, language: str) -> None:
        """item: the verified file, or raises ApplianceError.  state: folder of the index, made when it is needed."""
        self._item, self._path, self._language = item, state / FILE, language
        self._lock = threading.Lock()
        self._open: sqlite3.Connection | None = None

    @property
    def there(self) -> bool:
        try:
            self._item()
        except ApplianceError:
            return False
        return True

    def prepare(self) -> None:
        """Make the index, where there is none that fits: 1.6 s of a desktop core. Raises ApplianceError."""
        with self._lock:
            self._opened()

    def best(self, words: Sequence[str]) -> list[Passage]:
        """Raises ApplianceError."""
        return self._asked(lambda database: passages.best(database, words))

    def named(self, name: str) -> Article | None:
        """The beginning of the article that is called so; none where several are. Raises ApplianceError."""
        return self._asked(lambda database: _named(database, title_key(name)))

    def _asked(self, ask: Callable[[sqlite3.Connection], T]) -> T:
        """From the index; where it turns out to be damaged, from one that is made anew."""
        with self._lock:
            try:
                return ask(self._opened())
            except sqlite3.DatabaseError as error:
                log.warning("the index of the encyclopedia is made anew (%s)", error)
                self._drop()
                return ask(self._opened())

    def _opened(self) -> sqlite3.Connection:
        if self._open is None:
            item = self._item()
            content = item.read_bytes()
            made_of = f"{VERSION} {self._language} {hashlib.sha256(content).hexdigest()}"
            if not _fits(self._path, made_of):
                self._make(content, made_of)
            self._open = _connect(self._path)
        return self._open

    def _drop(self) -> None:
        if self._open is not None:
            self._open.close()
        self._open = None
        self._path.unlink(missing_ok=True)

    def _make(self, content: bytes, made_of: str) -> None:
        """Whole or not at all: another process may read the one before."""
        part = self._path.with_suffix(f".{threading.get_native_id()}.part")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part.unlink(missing_ok=True)
            _write(part, articles_of(content), made_of, self._language)
            part.replace(self._path)
        except (OSError, sqlite3.Error) as error:
            with contextlib.suppress(OSError):
                part.unlink()
            raise PartMissing(
                f"the index of the encyclopedia cannot be written to {self._path.parent} ({error})",
                remedy="see that the disk has 20 MB of room and that the folder is the service's",
            ) from None


def articles_of(content: bytes) -> dict[str, Article]:
    """Name -> article; an article may have several names. Raises PartMissing."""
    try:
        read = _FILE.validate_json(content)
    except ValidationError as error:
        what = f"the summaries of the encyclopedia are not as expected ({error.error_count()} errors)"
        raise PartMissing(what, remedy="run: appliance models fetch") from None
    return {name: Article(each.title, each.description or "", each.extract) for name, each in read.items()}


def _write(path: Path, articles: dict[str, Article], made_of: str, language: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA journal_mode = OFF")  # a file that is thrown away where this breaks off
        database.execute("CREATE TABLE made_of (it TEXT)")
        database.execute("CREATE TABLE articles (title TEXT PRIMARY KEY, about TEXT, lead TEXT)")
        database.execute("CREATE TABLE names (name TEXT, exact INTEGER, title TEXT)")
        passages.create(database, language)
        each = {article.title: article for article in articles.values()}
        database.executemany(
            "INSERT INTO articles VALUES (?, ?, ?)", [(one.title, one.about, lead(one.text)) for one in each.values()]
        )
        database.executemany("INSERT INTO names VALUES (?, ?, ?)", set(_names(articles)))
        database.execute("CREATE INDEX names_by_name ON names (name)")
        passages.fill(database, each.values(), sentences)
        database.execute("INSERT INTO passages (passages) VALUES ('optimize')")
        database.execute("INSERT INTO made_of VALUES (?)", (made_of,))


def _names(articles: dict[str, Article]) -> Iterator[tuple[str, int, str]]:
    for name, article in articles.items():
        for title in (name, article.title):
            yield title_key(title), 1, article.title
            if title != without_brackets(title):
                yield title_key(without_brackets(title)), 0, article.title


def _named(database: sqlite3.Connection, name: str) -> Article | None:
    rows = database.execute(
        "SELECT DISTINCT exact, title, about, lead FROM names JOIN articles USING (title) WHERE name = ?", (name,)
    ).fetchall()
    for exact in (1, 0):
        if found := [Article(*row) for each, *row in rows if each == exact]:
            return found[0] if len(found) == 1 else None
    return None


def _fits(path: Path, made_of: str) -> bool:
    """Whether it is an index of this very file, and whole."""
    if not path.is_file():
        return False
    try:
        with closing(_connect(path)) as database:
            [(found,)] = database.execute("SELECT it FROM made_of").fetchall()
            return bool(found == made_of and database.execute("PRAGMA quick_check").fetchone() == ("ok",))
    except (sqlite3.Error, ValueError):
        return False


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False)
