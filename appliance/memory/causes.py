"""What is wrong with the memory's file: an error of SQLite or of the system -> its cause -> what to say and do."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import suppress
from enum import Enum
from pathlib import Path

from appliance.errors import StoreUnusable

PROBE_BYTES = 40 * 1024
"""What opening needs at least: the 32 KiB of SQLite's -shm, and a page of its -wal."""


class Cause(Enum):
    """The value is the key in wording/."""

    FULL = "full"
    READ_ONLY = "read_only"
    DAMAGED = "damaged"
    NOT_ANSWERING = "not_answering"
    FOLDER = "folder"
    NOT_WRITABLE = "not_writable"
    NOT_OPENABLE = "not_openable"
    BUSY = "busy"
    UNKNOWN = "unknown"


OF_THE_CARD = {Cause.FULL, Cause.READ_ONLY, Cause.DAMAGED, Cause.NOT_ANSWERING}
"""What a card does by itself: the box goes on in memory. Of the others, the owner hears at the start."""

_EXPLAINED = {
    Cause.FULL: ("the disk is full", "free some space; nothing that was acknowledged is lost"),
    Cause.READ_ONLY: ("the disk is read-only", "check it: journalctl -k; a worn card has to be replaced"),
    Cause.DAMAGED: ("it is damaged", "nothing: it is kept aside, and the newest copy used; see journalctl -k"),
    Cause.NOT_ANSWERING: ("the disk does not answer", "check it: journalctl -k; a worn card has to be replaced"),
    Cause.FOLDER: ("its folder cannot be used", "name a folder that the appliance may write to: --state DIR"),
    Cause.NOT_WRITABLE: ("it may not be written", "give the appliance's user write access to it and its folder"),
    Cause.NOT_OPENABLE: ("it cannot be opened", "give the appliance's user access to it and its folder"),
    Cause.BUSY: ("another program is using it", "close that program"),
}
_BY_SQLITE = {
    sqlite3.SQLITE_FULL: Cause.FULL,
    sqlite3.SQLITE_CORRUPT: Cause.DAMAGED,
    sqlite3.SQLITE_NOTADB: Cause.DAMAGED,
    sqlite3.SQLITE_BUSY: Cause.BUSY,
}
"""By SQLite's primary result code."""
_UNLESS_THE_DISK_SAYS = {
    sqlite3.SQLITE_IOERR: Cause.NOT_ANSWERING,
    sqlite3.SQLITE_READONLY: Cause.NOT_WRITABLE,
    sqlite3.SQLITE_CANTOPEN: Cause.NOT_OPENABLE,
}
"""These come from a full or a read-only disk as well (measured with 3.40 on tmpfs): the disk itself is asked first."""
_BY_SYSTEM = {
    errno.ENOSPC: Cause.FULL,
    errno.EDQUOT: Cause.FULL,
    errno.EROFS: Cause.READ_ONLY,
    errno.EIO: Cause.NOT_ANSWERING,
}


def cause_of(error: sqlite3.Error | OSError, path: Path) -> Cause:
    """`path`: of the database. May write a small file beside it for a moment."""
    if isinstance(error, OSError):
        return _BY_SYSTEM.get(error.errno or 0, Cause.FOLDER)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the primary one (sqlite.org/rescode.html)
    if code in _UNLESS_THE_DISK_SAYS:
        return _BY_SYSTEM.get(_refusal(path), _UNLESS_THE_DISK_SAYS[code])
    return _BY_SQLITE.get(code, Cause.UNKNOWN)


def unusable(path: Path, cause: Cause, error: Exception) -> StoreUnusable:
    what, remedy = _EXPLAINED.get(cause, (str(error), "run: appliance doctor"))
    return StoreUnusable(f"{path}: {what}", remedy=remedy)


def _refusal(path: Path) -> int:
    """The system's error number when so much is written beside the database; 0 when it takes it."""
    probe = path.with_name(f"{path.name}.probe")
    try:
        descriptor = os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.posix_fallocate(descriptor, 0, PROBE_BYTES)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        return error.errno or 0
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
    return 0
