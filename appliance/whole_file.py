"""A file that is whole, or as it was before, also after a power cut: what was acknowledged is on the disk."""

from __future__ import annotations

import os
from pathlib import Path

PRIVATE, READABLE = 0o600, 0o666
"""Modes of a new file, less the umask: for its owner's eyes alone, and as any file is made."""


def write(path: Path, content: bytes, mode: int = PRIVATE) -> None:
    """In the place of what is there; a link at its name is replaced and not followed. Raises OSError."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Names that came or went are on the disk when this returns. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
