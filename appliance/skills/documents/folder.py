"""The owner's folder of documents: what is in it, and what each is called. Nothing here opens a file."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from appliance.skills.documents.passage import KINDS

MOST_FILES = 20_000
"""What is beyond that is passed over: a look at so many took 0.8 s of a busy EPYC core."""
SETTLED_S = 5.0
"""Since its last change: one that is still being copied is left for the next look."""


def look(folder: Path, settled_s: float = SETTLED_S) -> dict[str, str]:
    """Each document, by its path below `folder` -> its mark: what tells that it is another than before.

    Links are not followed, and hidden files are none. Raises OSError where the folder itself cannot be read.
    """
    found = dict[str, str]()
    os.listdir(folder)  # os.walk is silent of it
    for path in _files(folder):
        try:
            status = path.lstat()
        except OSError:  # it went a moment ago
            continue
        if stat.S_ISREG(status.st_mode) and abs(time.time() - status.st_mtime) >= settled_s:
            readable = os.access(path, os.R_OK)
            key = os.fsencode(path.relative_to(folder)).decode(errors="replace")
            found[key] = f"{status.st_size} {status.st_mtime_ns} {readable:d} {status.st_ino}"
        if len(found) >= MOST_FILES:
            break
    return found


def _files(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not name.startswith((".", "~$")) and Path(name).suffix.casefold() in KINDS:
                yield Path(root, name)


def is_same(mark: str, other: str) -> bool:
    """Whether a file under one path did not change. Its number does not count: some drives give new ones each time."""
    return mark.rpartition(" ")[0] == other.rpartition(" ")[0]


def called(path: str) -> str:
    """What a document is called, by the name of its file: Washing_machine-manual.pdf is a Washing machine manual."""
    return " ".join(re.split(r"[\s_.\-–]+", Path(path).stem)).strip() or path
