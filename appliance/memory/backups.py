"""Copies of the database beside it, under its name, so that a factory reset takes them along.

SQLite writes each copy itself (VACUUM INTO) while the database goes on being used: readers never wait for it, the
writer neither, and nothing that was deleted comes along. A copy bears its name only once it was read through and is on
the disk. Copying the file as such would give half a transaction (sqlite.org/howtocorrupt.html, 1.2).
"""

from __future__ import annotations

import json
import logging
import os
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from appliance.memory.verdict import damage, page_damage
from appliance.whole_file import sync_folder

log = logging.getLogger(__name__)

GENERATIONS = 3
"""Copies kept: damage that nobody notices for a day or two is still behind one of them."""
_NAMED = re.compile(r"\.backup-(\d{6,})-(\d{8}T\d{6})")
_TIME = "%Y%m%dT%H%M%S"


@dataclass(frozen=True)
class Backup:
    path: Path
    number: int
    """Counts up, for a clock may be set back."""
    at: datetime
    """When it was made, by the box's clock; without a zone."""


def backups(database: Path) -> list[Backup]:
    """Newest first."""
    found = (named(path, database.name) for path in database.parent.glob(f"{database.name}.backup-*"))
    return sorted(filter(None, found), key=lambda backup: backup.number, reverse=True)


def named(path: Path, database: str) -> Backup | None:
    """What the name of a copy of the file `database` tells; None for what is not called like one."""
    if parts := _NAMED.fullmatch(path.name.removeprefix(database)):
        with suppress(ValueError):  # digits that are no time: not one of ours
            return Backup(path, int(parts[1]), datetime.strptime(parts[2], _TIME))
    return None


def told(database: Path) -> str:
    """How many there are, of when, and which of them cannot be used, for `doctor`: each is read through."""
    found = backups(database)
    if not found:
        return "no copy of it yet"
    damaged = [backup.path.name for backup in found if fault_of(backup.path)]
    verdict = f"damaged: {', '.join(damaged)}" if damaged else "all whole"
    return f"{len(found)} copies of it, the newest of {found[0].at:%Y-%m-%d %H:%M}, {verdict}"


class Damaged(sqlite3.DatabaseError):
    """A database that is damaged, found in other ways than by using it."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def back_up(database: Path, at: datetime) -> Backup:
    """Make one and remove those that are too many. Raises sqlite3.Error, OSError; the others are untouched then.

    Damaged where the database is: damage takes the place of no good copy.
    """
    older = backups(database)
    number = older[0].number + 1 if older else 1
    made = Backup(database.with_name(f"{database.name}.backup-{number:06}-{at.strftime(_TIME)}"), number, at)
    draft = database.with_name(f"{database.name}.draft")
    try:
        create(draft, b"")
        with closing(_read_only(database)) as connection:
            connection.execute("VACUUM INTO ?", [str(draft)])
        if found := fault_of(draft):
            raise Damaged(f"the copy cannot be used: {found}")
        put(draft, made.path)
    finally:
        draft.unlink(missing_ok=True)
    for backup in older[GENERATIONS - 1 :]:
        backup.path.unlink(missing_ok=True)
    return made


def remove_older(newest: Backup, database: Path) -> None:
    """Every other copy, and files that were once put aside as damaged: for what must be forgotten stands there too.

    Raises OSError.
    """
    others = [backup.path for backup in backups(database) if backup.path != newest.path]
    for path in [*others, *database.parent.glob(f"{database.name}.damaged-*")]:
        path.unlink(missing_ok=True)
    sync_folder(database.parent)


def restore(database: Path) -> Backup | None:
    """Put the newest copy that can be read in the place of the database, of which nothing may lie there any more.

    None when there is no such copy. Raises OSError, such as for a full disk: the copies are as good the next time.
    """
    for backup in backups(database):
        if found := fault_of(backup.path, page_damage):  # the index is made anew when it is opened
            log.error("%s cannot be used: %s", backup.path, found)
            continue
        draft = database.with_name(f"{database.name}.draft")
        create(draft, backup.path.read_bytes())
        put(draft, database)
        return backup
    return None


def keep_values(database: Path, values: dict[str, str]) -> None:
    """Beside the database as well: a box that was muted this morning is not unmuted by yesterday's copy."""
    draft = database.with_name(f"{database.name}.values-draft")
    create(draft, json.dumps(values).encode())
    put(draft, _values_of(database))


def kept_values(database: Path) -> dict[str, str]:
    """As they were last kept; none when that file is absent or damaged too."""
    try:
        return {str(key): str(value) for key, value in json.loads(_values_of(database).read_text()).items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError) as error:
        log.error("%s cannot be read (%s)", _values_of(database), error)
        return {}


def _values_of(database: Path) -> Path:
    return database.with_name(f"{database.name}.values")


def create(path: Path, content: bytes) -> None:
    """For its owner's eyes only. Raises OSError."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
        file.write(content)


def put(draft: Path, path: Path) -> None:
    """The whole draft under its name, or what was there before, also after a power cut. Raises OSError."""
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    draft.rename(path)
    sync_folder(path.parent)


def _read_only(path: Path, more: str = "") -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro{more}", uri=True, timeout=5)


def fault_of(copy: Path, look: Callable[[sqlite3.Connection], str] = damage) -> str:
    """What is wrong with it; empty when nothing is. Nobody writes to a copy."""
    try:
        with closing(_read_only(copy, "&immutable=1")) as connection:
            connection.execute("SELECT count(*) FROM _sqlite_migrations").fetchone()  # an empty file is no copy
            return look(connection)
    except sqlite3.Error as error:
        return str(error)
