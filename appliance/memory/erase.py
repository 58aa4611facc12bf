"""A factory reset of what was remembered."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from appliance.errors import ApplianceError, NotErased
from appliance.memory.sentences import sentences
from appliance.whole_file import sync_folder

log = logging.getLogger(__name__)


def erase(database: Path, *folders: Path) -> None:
    """The database with all that stands beside it under its name (journal, lock, copies, damaged ones), and `folders`.

    The process that holds the database goes on with a file without a name, and has to end soon. Flash keeps what was
    written until it is written over: gone here is what can be read by a name, also after a power cut. What cannot be
    removed keeps nothing else from going. Raises NotErased, which names what is left.
    """
    mark = _mark(database)
    with suppress(OSError):  # a disk that takes no mark may still let go of files
        mark.touch(mode=0o600)
        sync_folder(mark.parent)
    left = list[str]()
    try:
        left += _remove(_beside(database, mark))
        left += _remove(path for folder in folders for path in _within(folder))
        sync_folder(database.parent)
        if not left:
            left += _remove([mark])
    except OSError as error:
        left.append(f"{database.parent} ({error.strerror})")
    if left:
        raise NotErased(f"not erased: {', '.join(left)}", remedy="remove it by hand, and check the disk: journalctl -k")


def resume(database: Path, *folders: Path, language: str = "en") -> str:
    """Go on with a reset that was cut short, by a power cut or a disk that refused. What to say of it, if anything."""
    if not os.path.lexists(_mark(database)):
        return ""
    try:
        erase(database, *folders)
    except ApplianceError as error:
        log.error("%s", error)
        return sentences(language).still_there
    log.warning("the rest was erased, as the button asked")
    return ""


def _mark(database: Path) -> Path:
    return database.with_name(f"{database.name}.erasing")


def _beside(database: Path, mark: Path) -> list[Path]:
    """The database last: while it is there, no copy takes its place."""
    return sorted({*database.parent.glob(f"{database.name}*")} - {mark}, reverse=True)


def _within(folder: Path) -> Iterator[Path]:
    """What a folder holds, from the inside out, and the folder."""
    for inner, folders, files in os.walk(folder, topdown=False):
        yield from (Path(inner, name) for name in [*files, *folders])
    if os.path.lexists(folder):
        yield folder


def _remove(paths: Iterable[Path]) -> Iterator[str]:
    """Those that could not be removed, each with why."""
    for path in paths:
        try:
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
        except OSError as error:
            yield f"{path} ({error.strerror})"
