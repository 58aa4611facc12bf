"""Where model files lie: `<folder>/<sha256>/<file name>`. Nothing in it is visible before it is whole and verified."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

from appliance.errors import ModelDamaged, ModelMissing
from appliance.models.manifest import File

FETCH = "run: appliance models fetch"


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class ModelStore:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place_of(self, file: File, sha256: str) -> Path:
        return self.folder / sha256 / file.name

    def find(self, file: File, *, fully: bool = False) -> Path:
        """The verified file. `fully` reads it all, even if nothing about it changed since it last was.

        Raises ModelMissing or ModelDamaged.
        """
        for sha256 in file.accepted:
            path = self.place_of(file, sha256)
            if path.is_file():
                try:
                    self._verify(path, file, sha256, fully)
                except OSError as error:
                    raise ModelDamaged(f"model file {path} cannot be read ({error.strerror})", remedy=FETCH) from None
                return path
        raise ModelMissing(f"model file {file.name} is not in {self.folder}", remedy=FETCH)

    def hashed_at(self, path: Path) -> datetime | None:
        """When all of a file was last read and found right; None when that was never noted."""
        with contextlib.suppress(OSError):
            return datetime.fromtimestamp(_stamp_of(path).stat().st_mtime, UTC)
        return None

    def put(self, part: Path, file: File, sha256: str) -> Path:
        """Move a finished, verified file to its place; after a power cut it is there whole or not at all."""
        path = self.place_of(file, sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        _sync(part)
        os.replace(part, path)
        _sync(path.parent)
        _sync(self.folder)
        self._stamp(path)
        for other in file.accepted:
            if other != sha256:  # the same file by another way: a damaged one would be found first
                shutil.rmtree(self.folder / other, ignore_errors=True)
        return path

    def _verify(self, path: Path, file: File, sha256: str, fully: bool) -> None:
        size = path.stat().st_size
        if size != file.bytes:
            raise ModelDamaged(f"model file {path} has {size:,} bytes, not {file.bytes:,}", remedy=FETCH)
        if not fully and _read(_stamp_of(path)) == _fingerprint(path):
            return
        if sha256_of(path) != sha256:
            with contextlib.suppress(OSError):  # or it would pass at the next start, which looks at the stamp alone
                _stamp_of(path).unlink(missing_ok=True)
            raise ModelDamaged(f"model file {path} is not what the manifest names", remedy=FETCH)
        self._stamp(path)

    def _stamp(self, path: Path) -> None:
        """Note that this very file was hashed, so that opening it again costs nothing."""
        with contextlib.suppress(OSError):  # a store that only root may write is hashed again each time
            _stamp_of(path).write_text(_fingerprint(path))


def _stamp_of(path: Path) -> Path:
    return path.with_name("verified")


def _fingerprint(path: Path) -> str:
    stat = path.stat()
    return f"{stat.st_size} {stat.st_mtime_ns} {stat.st_ino}"


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
