"""The database as a file: opened and proven, looked at read-only, put aside, and kept for one writer."""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from sqlite_utils import Database

from appliance.errors import StoreUnusable
from appliance.memory.backups import Damaged, back_up
from appliance.memory.migrations import migrations
from appliance.memory.verdict import REBUILD, index_damage, page_damage

log = logging.getLogger(__name__)

DAMAGED_KEPT = 3
"""Files put aside as damaged: on a card that is dying there is one at each start."""
LOCK_S = 3.0
"""Longest wait for another writer: a command from a terminal takes 1 s, and the service is not to fail for that."""
LOCK_LOOK_S = 0.05
BUSY_S = 5.0
"""Longest wait for a reader, such as the owner's own SQLite program."""
SUFFIXES = ("", "-wal", "-shm")
"""Of the files that are one database."""


def opened(path: Path) -> Database:
    """Proven to be whole, and to be written to. Raises sqlite3.Error, OSError."""
    db = connected(path)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")  # NORMAL loses acknowledged writes at a power cut
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA secure_delete = ON")  # what is forgotten is written over
        if damage := page_damage(db.conn):
            raise Damaged(damage)
        if migrations.applied(db) and migrations.pending(db):
            _back_up_for_the_way_back(path)
        migrations.apply(db)
        _mend_index(db, path)  # whose check is a write: on a read-only disk all the rest may pass
    except BaseException:
        db.close()
        raise
    return db


def for_reading(path: Path) -> Database:
    """For a look from another process. Raises sqlite3.Error."""
    db = connected(path, "?mode=ro")
    db.execute("SELECT 1 FROM sqlite_master").fetchone()
    return db


def connected(path: Path, how: str = "") -> Database:
    """`how`: SQLite's URI parameters. Nothing is proven yet."""
    address = f"{path.absolute().as_uri()}{how}"
    connection = sqlite3.connect(address, uri=True, timeout=BUSY_S, check_same_thread=False)
    return Database(connection, execute_plugins=False)


@contextmanager
def transaction(db: Database) -> Iterator[None]:
    """All of the block, or none of it if it raises. Raises sqlite3.Error."""
    db.conn.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.conn.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # the first error tells more
            db.conn.rollback()
        raise


def move_aside(path: Path) -> Path:
    """The file and what belongs to it, under a name that says when. Of what was put aside before, the oldest stays, for
    the others may be copies of it, and the newest."""
    kept = path.with_name(f"{path.name}.damaged-{datetime.now():%Y%m%dT%H%M%S%f}")
    for suffix in SUFFIXES:
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(kept.with_name(kept.name + suffix))
    files = path.parent.glob(f"{path.name}.damaged-*")
    before = {each.name.removesuffix("-wal").removesuffix("-shm") for each in files} - {kept.name}
    for old in sorted(before)[1 : 2 - DAMAGED_KEPT]:
        for suffix in SUFFIXES:
            with suppress(OSError):  # it takes room, no more
                path.with_name(old + suffix).unlink()
    return kept


def journal_is_gone(path: Path) -> bool:
    """Somebody removed the -wal: SQLite itself removes the -shm before it (wal.c, sqlite3WalClose)."""
    return path.with_name(f"{path.name}-shm").exists() and not path.with_name(f"{path.name}-wal").exists()


def only_writer(path: Path) -> int:
    """Hold the lock file until its descriptor is closed, at the latest by the process's end.

    Raises StoreUnusable when another goes on holding it, OSError.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    guard = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    ends_s = time.monotonic() + LOCK_S
    while not _locked(guard):
        if time.monotonic() >= ends_s:
            os.close(guard)
            remedy = "stop it, or give this one another folder: --state DIR"
            raise StoreUnusable(f"{path}: another appliance is using it", remedy=remedy)
        time.sleep(LOCK_LOOK_S)
    return guard


def _locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _mend_index(db: Database, path: Path) -> None:
    """Raises Damaged where that is not possible."""
    if not (damage := index_damage(db.conn)):
        return
    log.error("%s: its full-text index is damaged (%s); made anew from what it indexes", path, damage)
    try:
        with db.conn:
            db.execute(REBUILD)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_ERROR:
            raise
        raise Damaged(str(error)) from error
    if damage := index_damage(db.conn):
        raise Damaged(damage)


def _back_up_for_the_way_back(path: Path) -> None:
    """A new release is about to change the tables. A full disk must not keep it from its work."""
    try:
        back_up(path, datetime.now())
    except (sqlite3.Error, OSError) as error:
        log.error("%s: no copy was made before its tables change: %s", path, error)
