"""Evaluated prompt heads on disk, so that a start costs milliseconds instead of the seconds of evaluating them again.

A snapshot is named after everything that would make it wrong (model, library, tokens) and after the hash of its own
bytes, so a stale or damaged one is never found. The folder may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)

KEPT = 6
"""Newest snapshots kept: one per prompt kind, and as many for a change of model; on the 1.5B 21, 3 and 1 MB."""


class Snapshots:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, key: str) -> Path | None:
        """The snapshot of `key`, its bytes verified; None where there is none, or the disk does not give it."""
        for path in self._folder.glob(f"{key}.*.kv"):
            try:
                whole = path.name == f"{key}.{_digest(path)}.kv"
            except OSError as error:
                log.warning("snapshot %s cannot be read (%s)", path.name, error)
                continue
            with suppress(OSError):  # of a disk that is read-only, or a file that root made
                if whole:
                    path.touch()
                else:
                    log.warning("snapshot %s is damaged: removed", path.name)
                    path.unlink(missing_ok=True)
            if whole:
                return path
        return None

    def keep(self, key: str, write: Callable[[Path], bool]) -> None:
        """Have `write` fill a file and keep it under `key`. A full disk costs the next start some seconds, no more."""
        draft = self._folder / f"{key}.{os.getpid()}.draft"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if write(draft):
                draft.replace(self._folder / f"{key}.{_digest(draft)}.kv")
            self._prune()
        except OSError as error:
            log.warning("no snapshot kept (%s); the next start will be slower", error)
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)

    def _prune(self) -> None:
        newest_first = sorted(self._folder.glob("*.kv"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in newest_first[KEPT:]:
            path.unlink(missing_ok=True)


def key_of(*invalidators: str, tokens: Sequence[int]) -> str:
    """32 hex digits that differ whenever a snapshot may not be reused."""
    text = "\n".join([*invalidators, ",".join(map(str, tokens))])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:32]
