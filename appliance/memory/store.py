"""One SQLite file that holds everything the appliance must not forget."""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from sqlite_utils import Database

from appliance.errors import StoreUnusable
from appliance.memory.backups import back_up, backups, kept_values, restore
from appliance.memory.migrations import migrations

log = logging.getLogger(__name__)

FORGOT = "forgot"
"""The kept value that marks the last `forget` which the copies of the database do not know of."""

DAMAGED_KEPT = 3
"""Files put aside as damaged: on a card that is dying there is one at each start."""
_BUSY_S = 5.0
"""Longest wait for a reader, such as the owner's own SQLite program."""
_SUFFIXES = ("", "-wal", "-shm")
"""Of the files that are one database."""
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
RESTORED = (
    "My memory was damaged. I am back at my copy of {day}. Facts and timers since then are lost,"
    " and what you had me forget since then I know again."
)
BEGUN_ANEW = "My memory was damaged. I have begun a new one and kept the old file."
_CAUSES = {
    sqlite3.SQLITE_FULL: ("the disk is full", "free some space; nothing that was acknowledged is lost"),
    sqlite3.SQLITE_READONLY: ("it may not be written", "give the appliance's user write access to it and its folder"),
    sqlite3.SQLITE_CANTOPEN: ("it cannot be opened", "give the appliance's user access to it and its folder"),
    sqlite3.SQLITE_BUSY: ("another program is using it", "close that program"),
    sqlite3.SQLITE_IOERR: ("the disk does not answer", "check the disk: journalctl -k"),
    sqlite3.SQLITE_CORRUPT: ("it is damaged", "restart: it is kept aside and the newest copy used"),
    sqlite3.SQLITE_NOTADB: ("it is not a database", "restart: it is kept aside and the newest copy used"),
}
"""SQLite's primary result code -> what is wrong, and what to do."""


class Store:
    """The open database. Safe to use from several threads: they take turns on its one connection.

    One process and one connection write, and all checkpoints run on it: SQLite before 3.51.3, which is what the target
    systems ship, can corrupt a WAL database that two connections write to (sqlite.org/wal.html, "the WAL-reset bug").
    A lock file keeps a second writer out. Readers are welcome.
    """

    notice: str
    """What the owner has to be told about the start, as a sentence; empty when all is well."""

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        """`readonly`: for a look from another process; the file must exist. Raises StoreUnusable."""
        self.path = path
        self.notice = ""
        self._lock = threading.RLock()
        self._guard = None if readonly else _only_writer(path)
        try:
            self._db = self._open_readonly() if readonly else self._open_or_replace()
        except BaseException:
            self._release()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def read(self) -> Iterator[Database]:
        """Raises StoreUnusable."""
        with self._lock, self._explained():
            yield self._db

    @contextmanager
    def write(self) -> Iterator[Database]:
        """One transaction: all of it is on disk when the block ends, none if it raises. Raises StoreUnusable."""
        with self._lock, self._explained():
            self._db.conn.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.conn.execute("COMMIT")
            except BaseException:
                self._db.rollback()
                raise

    def leave_no_trace(self) -> None:
        """Empty the journal of what was written over or deleted; one that another program reads stays, which is logged.

        Raises StoreUnusable.
        """
        with self.read() as db:
            (busy, *_) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            log.warning("%s: another program reads it; what was forgotten stays in its journal for now", self.path)

    def close(self) -> None:
        with self._lock:
            self._db.close()
            self._release()

    def _release(self) -> None:
        if self._guard is not None:
            os.close(self._guard)
            self._guard = None

    def _open_or_replace(self) -> Database:
        with self._explained():
            if not self.path.exists() and backups(self.path):  # the power went between putting it aside and the copy
                _move_aside(self.path)
                return self._recovered()
            try:
                return _open(self.path)
            except sqlite3.DatabaseError as error:
                if _code(error) not in _DAMAGED:
                    raise
                kept = _move_aside(self.path)
                log.error("%s is damaged (%s); kept as %s", self.path, error, kept)
                return self._recovered()

    def _recovered(self) -> Database:
        """The newest copy that can be read, or an empty database; with the small values as they were last."""
        if backup := restore(self.path):
            day = f"{backup.at:%A}, {backup.at:%B} {backup.at.day}"
            self.notice = RESTORED.format(day=day)
            log.error("%s: back at the copy %s", self.path, backup.path.name)
        else:
            self.notice = BEGUN_ANEW
            log.error("%s: there is no copy that can be used; begun anew", self.path)
        db = _open(self.path)
        for key, value in kept_values(self.path).items():
            db.table("kept_values").upsert({"key": key, "value": value}, pk="key")
        return db

    def _open_readonly(self) -> Database:
        with self._explained():
            address = f"{self.path.absolute().as_uri()}?mode=ro"
            connection = sqlite3.connect(address, uri=True, timeout=_BUSY_S, check_same_thread=False)
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
            return Database(connection, execute_plugins=False)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            what, remedy = _CAUSES.get(_code(error), (str(error), "run: appliance doctor"))
            raise StoreUnusable(f"{self.path}: {what}", remedy=remedy) from error


def _code(error: Exception) -> int:
    """SQLite's primary result code: the low byte of the extended one (sqlite.org/rescode.html). -1 for other errors."""
    extended = getattr(error, "sqlite_errorcode", None)
    return extended & 0xFF if extended is not None else -1


def _open(path: Path) -> Database:
    connection = sqlite3.connect(path, timeout=_BUSY_S, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")  # NORMAL loses acknowledged writes at a power cut
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")  # what is forgotten is written over
        verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            damage = sqlite3.DatabaseError(verdict)
            damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damage
        db = Database(connection, execute_plugins=False)
        if migrations.applied(db) and migrations.pending(db):
            _back_up_for_the_way_back(path)
        migrations.apply(db)
    except BaseException:
        connection.close()
        raise
    return db


def _back_up_for_the_way_back(path: Path) -> None:
    """A new release is about to change the tables. A full disk must not keep it from its work."""
    try:
        back_up(path, datetime.now())
    except (sqlite3.Error, OSError) as error:
        log.error("%s: no copy was made before its tables change: %s", path, error)


def _move_aside(path: Path) -> Path:
    """The file and what belongs to it, under a name that says when. Of what was put aside before, the oldest stays, for
    the others may be copies of it, and the newest."""
    kept = path.with_name(f"{path.name}.damaged-{datetime.now():%Y%m%dT%H%M%S%f}")
    for suffix in _SUFFIXES:
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(kept.with_name(kept.name + suffix))
    files = path.parent.glob(f"{path.name}.damaged-*")
    before = {each.name.removesuffix("-wal").removesuffix("-shm") for each in files} - {kept.name}
    for old in sorted(before)[1 : 2 - DAMAGED_KEPT]:
        for suffix in _SUFFIXES:
            with suppress(OSError):  # it takes room, no more
                path.with_name(old + suffix).unlink()
    return kept


def _only_writer(path: Path) -> int:
    """Hold the lock file until its descriptor is closed, at the latest by the process's end. Raises StoreUnusable."""
    guard = -1
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        guard = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(guard)
        remedy = "stop it, or give this one another folder: --state DIR"
        raise StoreUnusable(f"{path}: another appliance is using it", remedy=remedy) from None
    except OSError as error:
        remedy = "name a folder that the appliance may write to: --state DIR"
        raise StoreUnusable(f"{path}: its folder cannot be used ({error.strerror})", remedy=remedy) from None
    return guard
