"""The owner's ZIM files: what there is, one more, one fewer."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from appliance.errors import BadSettings, PartMissing, WrongUse
from appliance.skills.encyclopedia.shelf import SUFFIX
from appliance.skills.encyclopedia.zim import Zim

CHUNK = 1 << 20
"""Bytes between two reports."""
ROOM_LEFT = 200_000_000
"""Bytes of the disk that a new file has to leave, for the box itself."""
SUM = ".sha256"
"""Behind the name: the file's hash as `sha256sum` and Kiwix write it."""

Progress = Callable[[str, int, int, str], None]
"""Told the name, how many bytes of how many are done, and a note."""


@dataclass(frozen=True)
class Book:
    """One file, as `library list` shows it."""

    name: str
    bytes: int
    state: str
    """here or damaged."""
    title: str = ""
    licence: str = ""
    source: str = ""
    date: str = ""
    articles: int = 0
    full_text: bool = False
    sha256: str = ""
    """As it was found when the file was added; empty for one that was put there by other means."""
    what: str = ""
    """What is wrong with it."""


class Library:
    def __init__(self, folder: Path | None) -> None:
        """Raises BadSettings where none is set."""
        if folder is None:
            raise BadSettings(
                "no folder of ZIM files is set", remedy='set folder = "/var/lib/va/zim" in [encyclopedia]'
            )
        self._folder = folder

    def books(self) -> Iterator[Book]:
        for path in sorted(self._folder.glob(f"*{SUFFIX}")):
            yield _book(path)

    def add(self, source: Path, progress: Progress) -> Book:
        """A link to the file where it lies on the same disk, else a copy, which goes on where one was broken off.

        Raises WrongUse, PartMissing.
        """
        if not source.is_file() or source.suffix != SUFFIX:
            raise WrongUse(f"{source} is no file that ends in {SUFFIX}", remedy="name the file that you downloaded")
        place = self._folder / source.name
        if place.exists():
            raise WrongUse(f"{source.name} is there already", remedy=f"say first: library remove {source.name}")
        expected = _noted(source)
        Zim(source)  # which raises PartMissing
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            found = self._bring(source, place, progress)
        except OSError as error:
            what = f"{source.name} cannot be brought to {self._folder} ({error.strerror})"
            raise PartMissing(what, remedy="see that the service's user may read the one and write the other") from None
        part = _part(place)
        if expected not in ("", found):
            part.unlink()
            raise PartMissing(f"{source.name} is not what {source.name}{SUM} names", remedy="download it again")
        _sum(place).write_text(f"{found}  {place.name}\n")
        part.replace(place)
        return _book(place)

    def remove(self, name: str) -> Book:
        """Raises WrongUse."""
        known = {book.name: book for book in self.books()}
        if name not in known:
            raise WrongUse(f"there is no {name!r}", remedy=f"choose one of: {', '.join(known) or 'none is there'}")
        for path in (self._folder / name, _sum(self._folder / name), _part(self._folder / name)):
            path.unlink(missing_ok=True)
        return known[name]

    def _bring(self, source: Path, place: Path, progress: Progress) -> str:
        """The whole file at `place`'s part; its sha256. Raises OSError, PartMissing."""
        part, size = _part(place), source.stat().st_size
        if not part.exists():
            self._link(source, part)
        linked = part.exists() and part.samefile(source)
        if not linked:
            self._check_room(size - (part.stat().st_size if part.exists() else 0), place.name)
        with source.open("rb") as data, part.open("rb" if linked else "r+b" if part.exists() else "w+b") as out:
            digest = hashlib.sha256()
            for chunk in iter(lambda: data.read(CHUNK), b""):
                digest.update(chunk)
                if not linked:
                    _write(chunk, out)
                progress(place.name, data.tell(), size, "")
            if not linked:
                out.truncate()
                out.flush()
                os.fsync(out.fileno())
        return digest.hexdigest()

    def _link(self, source: Path, part: Path) -> None:
        try:
            part.hardlink_to(source)
        except OSError:  # another disk, a file of somebody else's, or a file system without links
            return

    def _check_room(self, missing: int, name: str) -> None:
        free = shutil.disk_usage(self._folder).free
        if missing + ROOM_LEFT > free:
            raise PartMissing(
                f"{name} needs {missing / 1e6:,.0f} MB more in {self._folder}, and {free / 1e6:,.0f} MB are free",
                remedy="free some, leaving 200 MB, or set encyclopedia.folder to another disk",
            )


def _write(chunk: bytes, out: IO[bytes]) -> None:
    """What an earlier attempt wrote stays as far as it is the same."""
    at = out.tell()
    if out.read(len(chunk)) != chunk:
        out.seek(at)
        out.write(chunk)
        out.truncate()


def _book(path: Path) -> Book:
    size, sha256 = path.stat().st_size, _noted(path)
    try:
        zim = Zim(path)
    except PartMissing as error:
        return Book(path.name, size, "damaged", sha256=sha256, what=str(error))
    about = (zim.title, zim.licence, zim.source, zim.date, zim.articles, zim.full_text)
    return Book(path.name, size, "here", *about, sha256=sha256)


def _noted(path: Path) -> str:
    """The hash in the file beside it; empty without one."""
    try:
        return _sum(path).read_text().split()[0].lower()
    except (OSError, IndexError, UnicodeDecodeError):
        return ""


def _sum(path: Path) -> Path:
    return path.with_name(path.name + SUM)


def _part(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")
