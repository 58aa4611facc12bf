"""Bytes from elsewhere into a `.part` file: from a publisher's URL, or from the packages of an index."""

from __future__ import annotations

import http.client
import threading
import urllib.error
import urllib.request
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO

from appliance.models import packages
from appliance.models.manifest import Part
from appliance.models.packages import SourceFailed

Advance = Callable[[int], None]
"""Told how many bytes of the file are there."""

CHUNK = 1 << 16
"""Bytes between two looks at the stop signal, and the most that a kill loses."""
STALL_S = 30
"""A server that sends nothing for so long is given up."""
TRIES = 5
"""Resumptions of one transfer, as long as each brings something."""
AHEAD = 2
"""Packages of one file fetched at a time; two hide a client's start-up and keep the disk small."""


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


class Packages:
    """Packages in a temporary folder, each downloaded once and deleted after the last member wanted of it."""

    def __init__(self, folder: Path, wanted: Iterable[str]) -> None:
        """`wanted`: package and version, once for each member that will be taken."""
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
                with packages.member(package, self._path(package), member, size) as data:
                    _copy(data, out, size, advance)
                self._done_with(package)

    def _ready(self, entry: Part) -> None:
        with self._locks[entry[0]]:
            if not self._path(entry[0]).exists():
                packages.bring(entry[0], self._path(entry[0]))

    def _done_with(self, package: str) -> None:
        with self._locks[package]:
            self._left[package] -= 1
            if self._left[package] <= 0:
                self._path(package).unlink(missing_ok=True)

    def _path(self, package: str) -> Path:
        return self._folder / package.replace("/", "-") / "package"


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
