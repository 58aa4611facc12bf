"""What the appliance must not forget: in one SQLite file, or in memory as long as the card refuses."""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import Enum, auto
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from sqlite_utils import Database

from appliance.errors import StoreUnusable
from appliance.memory import database, recovery
from appliance.memory.backups import Damaged
from appliance.memory.causes import OF_THE_CARD, Cause, cause_of, unusable
from appliance.memory.contents import Rows, bring_home, in_memory, rows_of
from appliance.memory.reserve import Reserve
from appliance.memory.sentences import sentences
from appliance.memory.verdict import index_damage
from appliance.ports import about_to_act

log = logging.getLogger(__name__)

FORGOT = "forgot"
"""The kept value that marks the last `forget` which the copies of the database do not know of."""

NO_GUARD = -1


class State(Enum):
    """OPEN -> REOPENED where the file failed and could be opened once more -> MEMORY_ONLY -> OPEN once it can be."""

    LOOKING = auto()
    """Read-only, at the file of another process."""
    OPEN = auto()
    """On the file."""
    REOPENED = auto()
    """On the file again after it failed; nothing was written since."""
    MEMORY_ONLY = auto()
    """The file cannot be used. What is written is lost with the process, unless the file comes back before."""
    CLOSED = auto()


ON_FILE = (State.OPEN, State.REOPENED)
MOVES = 2
"""A failing file is left at most so often in one call: OPEN -> REOPENED -> MEMORY_ONLY, where no file can fail."""


class StoreMoved(StoreUnusable):
    """The file failed, and the store goes on elsewhere; what was asked of it was not done."""


P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S")


def tried_again(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """For what works on a Store: once more where it has moved, so that a failing file loses nothing that was asked."""

    @wraps(method)
    def tried(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(MOVES):
            with suppress(StoreMoved):
                return method(self, *args, **kwargs)
        return method(self, *args, **kwargs)

    return tried


class Store:
    """The open database. Safe to use from several threads: they take turns on its one connection.

    One process and one connection write, and all checkpoints run on it: SQLite before 3.51.3, which is what the target
    systems ship, can corrupt a WAL database that two connections write to (sqlite.org/wal.html, "the WAL-reset bug").
    A lock file keeps a second writer out. Readers are welcome.
    """

    state: State
    cause: Cause | None
    """What is wrong with the file; None when all is well."""

    def __init__(
        self, path: Path, *, readonly: bool = False, language: str = "en", caches: Sequence[Path] = ()
    ) -> None:
        """`readonly`: for a look from another process; the file must exist.  language: of the notices.

        caches: folders that may be emptied when the disk is full. Raises StoreUnusable where the card is not to blame.
        """
        self.path = path
        self.words, self._reserve = sentences(language), Reserve(path, caches)
        self._lock, self._guard = threading.RLock(), NO_GUARD
        self._notices, self._unsaved = list[str](), False
        self._db, self._before = Database(memory=True), Rows()
        self.state, self.cause = State.LOOKING if readonly else State.OPEN, None
        try:
            with suppress(StoreMoved), self._minded():
                self._db = database.for_reading(path) if readonly else self._taken()
        except BaseException:
            self._release()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def on_file(self) -> bool:
        return self.state in ON_FILE

    @property
    def notice(self) -> str:
        """What the owner has to be told and was not yet, as sentences; empty when all is well."""
        return " ".join(self._notices)

    def tell(self, sentence: str) -> None:
        """The owner has to be told this."""
        if sentence and sentence not in self._notices:
            self._notices.append(sentence)

    def told(self, notice: str) -> None:
        """`notice` was heard."""
        self._notices = [sentence for sentence in self._notices if sentence not in notice]

    @property
    def trouble(self) -> str:
        """What is wrong with the file now and what to do, as sentences; empty when all is well."""
        if self.cause is None:
            return ""
        return self.words.trouble[self.cause.value] if self.state is State.MEMORY_ONLY else self.words.nearly_full

    def unsaved(self) -> str:
        """What to say if anything was written since the last call that is lost with the process; else empty."""
        with self._lock:
            written, self._unsaved = self._unsaved, False
            return self.words.until_off[self.cause.value] if written and self.cause else ""

    @contextmanager
    def read(self) -> Iterator[Database]:
        """Raises StoreMoved, StoreUnusable."""
        with self._lock, self._minded():
            yield self._db

    @contextmanager
    def write(self) -> Iterator[Database]:
        """One transaction: all of it is on disk when the block ends, or in MEMORY_ONLY in memory; none if it raises.

        Raises StoreMoved, StoreUnusable, and Cancelled in a call that nobody waits for any more.
        """
        with self._lock, self._minded():
            with database.transaction(self._db):
                yield self._db
                about_to_act()
            self._unsaved = self._unsaved or self.state is State.MEMORY_ONLY
            self.state = State.OPEN if self.state is State.REOPENED else self.state

    def leave_no_trace(self) -> None:
        """Empty the journal of what was written over or deleted; one that another program reads stays, which is logged.

        Raises StoreMoved, StoreUnusable.
        """
        with self.read() as db:
            (busy, *_) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            log.warning("%s: another program reads it; what was forgotten stays in its journal for now", self.path)

    def doubt(self, error: sqlite3.Error) -> None:
        """Somebody else found the file damaged: it is opened again, which mends what can be mended."""
        with self._lock, suppress(StoreUnusable), self._minded():
            raise error

    def look_after(self) -> None:
        """What a file needs now and then while it is used: its journal, and room on the disk for a bad day."""
        if not self.on_file:
            return
        with self._lock, suppress(StoreUnusable), self._minded():
            if database.journal_is_gone(self.path):  # SQLite still has it open: closing brings it home
                raise Damaged("its journal was removed")
            self._reserve.set_aside()
            self.cause = Cause.FULL if self._reserve.spent else None
            self.tell(self.trouble)

    def come_back(self) -> bool:
        """From memory to the file, with what was written meanwhile, each of it once. Whether the store is on the file.

        A slow disk holds up the caller alone until the rows are written. Raises StoreUnusable.
        """
        if self.state is not State.MEMORY_ONLY:
            return self.on_file
        try:
            self._bring_home(self._taken())
        except (sqlite3.Error, OSError) as error:
            self._still_away(error)
            return False
        log.warning("%s can be used again", self.path)
        self.tell(self.words.back)
        return True

    def close(self) -> None:
        with self._lock:
            self.state = State.CLOSED
            self._db.close()
            self._release()

    def _taken(self) -> Database:
        """The file, for this process alone. Raises StoreUnusable when another has it, sqlite3.Error, OSError."""
        if self._guard == NO_GUARD:
            self._guard = database.only_writer(self.path)
        db, notice = recovery.opened(self.path, self.words)
        self.tell(notice)
        return db

    def _release(self) -> None:
        if self._guard != NO_GUARD:
            os.close(self._guard)
            self._guard = NO_GUARD

    @contextmanager
    def _minded(self) -> Iterator[None]:
        """An error of the card's moves the store elsewhere, any other is explained."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            cause = self._cause_of(error)
            explained = unusable(self.path, cause, error)
            if not self.on_file or cause not in OF_THE_CARD:
                raise explained from error
            log.error("%s (%s)", explained, error)
            self._leave(cause)
            raise StoreMoved(explained.what, remedy=explained.remedy) from error

    def _cause_of(self, error: sqlite3.Error | OSError) -> Cause:
        """An error that nobody expects, such as "constraint failed", may come of a damaged index."""
        cause = cause_of(error, self.path)
        if cause is Cause.UNKNOWN and self.on_file:
            with suppress(sqlite3.Error):
                return Cause.DAMAGED if index_damage(self._db.conn) else cause
        return cause

    def _leave(self, cause: Cause) -> None:
        """Open the file once more where that may help; after a second failure go on in memory."""
        with suppress(sqlite3.Error):
            self._db.close()
        if self.state is State.OPEN and self._may_help(cause):
            try:
                self._db = self._taken()
                self.state, self.cause = State.REOPENED, Cause.FULL if cause is Cause.FULL else self.cause
                return
            except (sqlite3.Error, OSError) as error:
                log.error("%s: nor can it be opened again: %s", self.path, error)
                again = cause_of(error, self.path)
                cause = again if again in OF_THE_CARD else cause
        contents = recovery.readable(self.path)
        self._db, self._before = in_memory(contents), contents.rows
        self.state, self.cause = State.MEMORY_ONLY, cause
        self.tell(self.trouble)

    def _may_help(self, cause: Cause) -> bool:
        if cause is Cause.FULL:
            return self._reserve.spend()
        return cause is not Cause.READ_ONLY

    def _bring_home(self, file: Database) -> None:
        """Raises sqlite3.Error, OSError; then all is as it was."""
        try:
            self._reserve.set_aside()
            if self.cause is Cause.FULL and self._reserve.spent:
                raise OSError(errno.ENOSPC, "there is still no room")
            with self._lock:
                with database.transaction(file):
                    bring_home(self._before, rows_of(self._db), file)
                self._db.close()
                self._db, self.state, self.cause = file, State.OPEN, None
        except BaseException:
            file.close()
            raise
        self.leave_no_trace()

    def _still_away(self, error: sqlite3.Error | OSError) -> None:
        cause = cause_of(error, self.path)
        log.warning("%s (%s)", unusable(self.path, cause, error), error)
        self.cause = cause if cause in OF_THE_CARD else self.cause
        if self.cause is Cause.FULL:
            self._reserve.spend()
