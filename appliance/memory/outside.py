"""Copies of the database outside of its card, and the way back from there onto a new one."""

from __future__ import annotations

import errno
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from appliance.errors import StoreUnusable
from appliance.memory.backups import Backup, backups, create, fault_of, named, put, restore
from appliance.whole_file import sync_folder

log = logging.getLogger(__name__)

_MAY_NOT = "let the user that runs this write there: a disk by chown, a stick by uid= and gid= as it is mounted"
_REMEDIES = {
    errno.EACCES: _MAY_NOT,
    errno.EPERM: _MAY_NOT,
    errno.EROFS: "mount it so that it can be written to",
    errno.ENOSPC: "make room there",
}


def newest_good(database: Path) -> Backup:
    """Of the copies beside it, read through once more. Raises StoreUnusable."""
    for backup in backups(database):
        if fault := fault_of(backup.path):
            log.error("%s cannot be used: %s", backup.path, fault)
        else:
            return backup
    raise StoreUnusable(
        "there is no copy of the memory that can be used", remedy="let the service run: it makes one a day"
    )


def copy_out(database: Path, folder: Path) -> Path:
    """The newest good copy, under its own name in `folder`; what the box has no copy of any more goes from there.

    So what was forgotten is gone there too. Raises StoreUnusable, also where `folder` holds copies of another memory.
    """
    newest = newest_good(database)
    with _explained(folder):
        outside = backups(folder / database.name)
        if outside and (outside[0].number, outside[0].at) > (newest.number, newest.at):
            raise StoreUnusable(
                f"{folder} holds newer copies than this box, of another memory",
                remedy="bring that memory back (appliance restore), or empty the folder",
            )
        target = folder / newest.path.name
        if not target.exists():
            _put(newest.path.read_bytes(), target)
        kept = {backup.path.name for backup in backups(database)}
        for backup in outside:
            if backup.path.name not in kept:
                backup.path.unlink()
        sync_folder(folder)
    return target


def bring_in(database: Path, copy: Path) -> datetime:
    """In the place of a database that is not there, and beside it under its own name. Returns when it was made.

    Raises StoreUnusable, also where the box has a memory.
    """
    own = [*filter(Path.exists, [database]), *(backup.path for backup in backups(database))]
    if own:
        remedy = f"if it may go: stop the service, and remove {database}*"
        raise StoreUnusable(f"this box has a memory of its own, {own[0]}", remedy=remedy)
    with _explained(copy):
        found = named(copy, database.name)
        if found is None:
            raise StoreUnusable(f"{copy} is not called as a copy is", remedy="give it the name that it was made with")
        database.parent.mkdir(parents=True, exist_ok=True)
        _put(copy.read_bytes(), database.with_name(copy.name))
        restore(database)
    return found.at


def _put(content: bytes, target: Path) -> None:
    """Whole and proven, or not at all. Raises StoreUnusable, OSError."""
    draft = target.with_name(f"{target.name}.draft")
    try:
        create(draft, content)
        if fault := fault_of(draft):
            raise StoreUnusable(f"the copy for {target} cannot be used: {fault}", remedy="take an older one")
        put(draft, target)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        remedy = _REMEDIES.get(error.errno or 0, "see that it is there, and has room")
        raise StoreUnusable(f"{place} cannot be used: {error.strerror}", remedy=remedy) from None
