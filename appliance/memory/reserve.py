"""Room on the disk that is kept for a bad day, and what may go then: only what the appliance can make again."""

from __future__ import annotations

import errno
import logging
import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)

RESERVE_BYTES = 1 << 20
"""For SQLite's -shm and some hundred transactions: the way out of a full disk."""
FREE_FACTOR = 4
"""So many times the reserve must be free before it is set aside: it does not fill the disk itself."""


class Reserve:
    """A file beside the database, under its name. `caches`: folders whose files can be made again."""

    def __init__(self, database: Path, caches: Sequence[Path] = ()) -> None:
        self._path, self._caches = database.with_name(f"{database.name}.reserve"), caches

    @property
    def spent(self) -> bool:
        return not self._path.exists()

    def set_aside(self) -> None:
        """If there is plenty of room. Raises OSError where that is not what the disk lacks."""
        if not self.spent or shutil.disk_usage(self._path.parent).free < FREE_FACTOR * RESERVE_BYTES:
            return
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.posix_fallocate(descriptor, 0, RESERVE_BYTES)
        except OSError as error:
            self._path.unlink()
            if error.errno != errno.ENOSPC:
                raise
        finally:
            os.close(descriptor)

    def spend(self) -> bool:
        """Make room: the reserve, and once that is gone, the caches. Whether anything went."""
        if not self.spent:
            with suppress(OSError):
                self._path.unlink()
                log.warning("the disk is full: the reserve of %d kB was given up", RESERVE_BYTES >> 10)
                return True
        return any([_removed(file) for folder in self._caches for file in folder.rglob("*") if file.is_file()])


def _removed(file: Path) -> bool:
    try:
        file.unlink()
    except OSError:
        return False
    log.warning("the disk is full: %s was removed; it is made again when there is room", file)
    return True
