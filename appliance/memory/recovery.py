"""What is made of a database on a bad day: what can be saved, else the newest copy, else a new one."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sqlite_utils import Database

from appliance.memory import database
from appliance.memory.backups import backups, create, kept_values, put, restore
from appliance.memory.causes import Cause, cause_of
from appliance.memory.contents import Contents, contents_of, fill, nothing_read
from appliance.memory.sentences import Sentences
from appliance.memory.verdict import page_damage

log = logging.getLogger(__name__)

WAYS_TO_READ = (("?mode=rw", "EXCLUSIVE"), ("?mode=ro", "NORMAL"), ("?immutable=1", "NORMAL"))
"""URI parameters, locking mode. On a full disk SQLite needs no -shm for itself alone; on a read-only one it uses the
-shm that a power cut left; where neither a -shm nor a -wal is left, the file is all there is (3.40 on tmpfs)."""


def opened(path: Path, words: Sentences) -> tuple[Database, str]:
    """And what the owner has to be told of it; mostly nothing. Raises sqlite3.Error, OSError."""
    if not path.exists() and backups(path):  # the power went between putting it aside and the copy
        database.move_aside(path)
        return _restored(path, words)
    gone = database.journal_is_gone(path)
    if db := _opened_if_whole(path):
        return db, words.tail_lost if gone else ""
    return _restored(path, words)


def readable(path: Path) -> Contents:
    """What can be read where nothing may be written: of the database, else of its newest copy, else nothing."""
    with suppress(OSError):  # not even the folder can be
        found = (_read(file) for file in (path, *(backup.path for backup in backups(path))))
        return next(filter(None, found), None) or nothing_read()
    return nothing_read()


def _opened_if_whole(path: Path) -> Database | None:
    """Written anew where its tables alone are; None where not even they are, and it was put aside."""
    try:
        return database.opened(path)
    except sqlite3.DatabaseError as error:
        if cause_of(error, path) is not Cause.DAMAGED:
            raise
        whole, kept = _whole(path), database.move_aside(path)
        log.error("%s is damaged (%s); kept as %s", path, error, kept)
    if whole is None:
        return None
    log.error("%s: its tables are whole; written anew from them", path)
    _write_anew(path, whole)
    return database.opened(path)


def _read(file: Path) -> Contents | None:
    for how, mode in WAYS_TO_READ:
        with suppress(sqlite3.Error), closing(database.connected(file, how)) as db:
            db.execute(f"PRAGMA locking_mode = {mode}")
            return contents_of(db)
    return None


def _whole(path: Path) -> Contents | None:
    """All rows, when what is damaged is not among them but in the full-text index."""
    with suppress(sqlite3.Error), closing(database.connected(path)) as db:
        return None if page_damage(db.conn) else contents_of(db)
    return None


def _write_anew(path: Path, contents: Contents) -> None:
    """A new database with these rows, where nothing lies any more. Raises sqlite3.Error, OSError."""
    draft = path.with_name(f"{path.name}.draft")
    create(draft, b"")
    with closing(database.connected(draft)) as db:
        fill(db, contents)
    put(draft, path)


def _restored(path: Path, words: Sentences) -> tuple[Database, str]:
    """The newest copy that can be read, or an empty database; with the small values as they were last."""
    if backup := restore(path):
        notice = words.restored.format(at=backup.at)
        log.error("%s: back at the copy %s", path, backup.path.name)
    else:
        notice = words.begun_anew
        log.error("%s: there is no copy that can be used; begun anew", path)
    db = _opened_if_whole(path) or database.opened(path)
    for key, value in kept_values(path).items():
        db.table("kept_values").upsert({"key": key, "value": value}, pk="key")
    return db, notice
