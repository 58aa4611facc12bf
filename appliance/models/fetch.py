"""Model files into the store: several at a time, each from the first source that gives the right bytes."""

from __future__ import annotations

import fcntl
import shutil
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from appliance.errors import Cancelled, ModelDamaged, ModelMissing, PartMissing
from appliance.models import ggml
from appliance.models.download import Packages, from_url
from appliance.models.manifest import File, Source
from appliance.models.packages import SourceFailed
from appliance.models.store import ModelStore, sha256_of

AT_ONCE = 4
"""Files under way together."""
DISK_MARGIN = 1.1
"""Of what is still missing; file systems need some of it themselves."""


class Progress(Protocol):
    def __call__(self, name: str, done: int, total: int, note: str) -> None:
        """`done` of `total` bytes of `name` are there. Called from several threads."""
        ...


@dataclass(frozen=True)
class Wanted:
    name: str
    """As progress shows it."""
    file: File


def fetch(store: ModelStore, wanted: Sequence[Wanted], progress: Progress) -> None:
    """Every wanted file that is not here. Raises PartMissing (disk) or ModelMissing naming what no source gave.

    The last note of a file tells which source gave it, and why those before it did not. What was fetched stays, and
    what was begun goes on at the next call.
    """
    if not _missing(store, wanted):  # then nothing is written, and a store of root's is fine too
        return
    with _alone(store.folder, progress):
        missing = _missing(store, wanted)
        work = store.folder / "tmp"
        shutil.rmtree(work / "wheels", ignore_errors=True)
        work.mkdir(exist_ok=True)
        _check_disk(store.folder, [one.file for one in missing], work)
        run = _Run(store, work, Packages(work / "wheels", [p for one in missing for p in one.file.packages]), progress)
        try:
            run.all(missing)
        finally:
            shutil.rmtree(work / "wheels", ignore_errors=True)


@contextmanager
def _alone(folder: Path, progress: Progress) -> Iterator[None]:
    """One fetch at a time for each store, also between processes."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = (folder / "lock").open("w")
    except OSError as error:
        raise PartMissing(
            f"the model folder {folder} cannot be written ({error.strerror})",
            remedy="run as its owner, or set `models` to another folder",
        ) from None
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("models", 0, 0, "waiting for another fetch to finish")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _missing(store: ModelStore, wanted: Sequence[Wanted]) -> list[Wanted]:
    """Each file once: models may share one."""
    missing = []
    for one in {one.file.sha256: one for one in wanted}.values():
        try:
            store.find(one.file)
        except (ModelMissing, ModelDamaged):
            missing.append(one)
    return missing


def _check_disk(folder: Path, files: Sequence[File], work: Path) -> None:
    begun = sum(part.stat().st_size for part in work.glob("*.part"))
    need = int(sum(file.bytes + file.bytes_aside for file in files) * DISK_MARGIN) - begun
    free = shutil.disk_usage(folder).free
    if need > free:
        raise PartMissing(
            f"the models need {need / 1e6:,.0f} MB on the disk of {folder} and {free / 1e6:,.0f} MB are free",
            remedy="free some, or set `models` to a folder on another disk",
        )


class _Run:
    """What the files of one fetch share."""

    def __init__(self, store: ModelStore, work: Path, packages: Packages, progress: Progress) -> None:
        self._store = store
        self._work = work
        self._packages = packages
        self._progress = progress
        self._stopped = threading.Event()

    def all(self, wanted: Sequence[Wanted]) -> None:
        """The largest start first, so that none is left to run alone at the end."""
        failed: list[ModelMissing] = []
        largest_first = sorted(wanted, key=lambda one: -one.file.bytes)
        with ThreadPoolExecutor(AT_ONCE, "fetch") as pool:
            try:
                for done in as_completed([pool.submit(self._one, one) for one in largest_first]):
                    try:
                        done.result()
                    except ModelMissing as error:
                        failed.append(error)
            except BaseException:  # such as Ctrl-C: what is under way stops at its next bytes
                self._stopped.set()
                pool.shutdown(cancel_futures=True)
                raise
        if failed:
            raise failed[0]

    def _one(self, one: Wanted) -> None:
        refused: list[str] = []
        for source in one.file.sources:
            sha256 = one.file.sha256_from(source)
            try:
                part = self._obtain(one.name, one.file, source)
            except SourceFailed as error:
                refused.append(f"{source}: {error}")
                continue
            self._store.put(part, one.file, sha256)
            for other in one.file.sources:
                self._part_of(one.file, other).unlink(missing_ok=True)
            answer = f"from {source}" + (f" ({'; '.join(refused)})" if refused else "")
            self._progress(one.name, one.file.bytes, one.file.bytes, answer)
            return
        raise ModelMissing(
            f"no source gave model file {one.file.name} ({'; '.join(refused)})",
            remedy="check the network, then run: appliance models fetch",
        )

    def _obtain(self, name: str, file: File, source: Source) -> Path:
        """The verified file as a `.part`. One that an earlier fetch began and that turns out wrong is begun anew."""
        sha256 = file.sha256_from(source)
        part = self._part_of(file, source)
        for resumed in (part.exists(), False):
            self._fill(name, file, source, part)
            if part.stat().st_size == file.bytes and sha256_of(part) == sha256:
                return part
            part.unlink()
            if not resumed:
                break
        raise SourceFailed("gives a file that the manifest does not name")

    def _part_of(self, file: File, source: Source) -> Path:
        return self._work / f"{file.sha256}.{file.sources.index(source)}.part"

    def _fill(self, name: str, file: File, source: Source, part: Path) -> None:
        advance = partial(self._advance, name, file.bytes)
        if source.url:
            from_url(source.url, part, file.bytes, advance)
        elif source.parts:
            self._packages.join(source.parts, part, advance)
        else:
            inputs = [self._input(name, one) for one in source.input]
            self._progress(name, 0, file.bytes, source.convert)
            _convert(CONVERTERS[source.convert], inputs, part)

    def _input(self, name: str, file: File) -> Path:
        reasons = []
        for source in file.sources:
            try:
                return self._obtain(name, file, source)
            except SourceFailed as error:
                reasons.append(f"{source}: {error}")
        raise SourceFailed("; ".join(reasons))

    def _advance(self, name: str, total: int, done: int) -> None:
        if self._stopped.is_set():
            raise Cancelled
        self._progress(name, done, total, "")


CONVERTERS: dict[str, Callable[..., None]] = {"whisper-ct2-to-ggml": ggml.convert}


def _convert(converter: Callable[..., None], inputs: Sequence[Path], part: Path) -> None:
    """Inputs are verified by then, so a failure here means the manifest names files of another kind."""
    try:
        converter(*inputs, part)
    except (ValueError, KeyError, IndexError, struct.error, OSError) as error:
        raise SourceFailed(f"cannot be converted: {type(error).__name__}: {error}") from None
    for path in inputs:
        path.unlink()
