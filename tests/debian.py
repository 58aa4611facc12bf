"""Debian 12 as it comes from a card: made once by debootstrap, and kept in the cache as a tar."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from platformdirs import user_cache_path

CACHE = user_cache_path("voice-appliance")
PACKAGES = ("python3", "python3-apt", "systemd", "systemd-sysv", "udev")
"""What Raspberry Pi OS brings and the smallest Debian does not."""
MAKE_S = 1_800


def as_it_is(root: Path) -> None:
    """The `finish` of a system to which nothing is done."""


def tar(name: str, more: Sequence[str] = (), finish: Callable[[Path], None] = as_it_is) -> Path:
    """`<name>.tar` in the cache: a system with these packages besides. `finish`: done to its folder before."""
    made = CACHE / f"{name}.tar"
    if not made.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=CACHE) as folder:
            suite = ["--variant=minbase", f"--include={','.join([*PACKAGES, *more])}", "bookworm", f"{folder}/box"]
            subprocess.run(["debootstrap", *suite], check=True, capture_output=True, text=True, timeout=MAKE_S)
            finish(Path(folder, "box"))
            subprocess.run(["tar", "-cf", f"{folder}/box.tar", "-C", f"{folder}/box", "."], check=True)
            Path(folder, "box.tar").replace(made)
    return made


def unpack(made: Path, root: Path) -> None:
    root.mkdir()
    subprocess.run(["tar", "-xf", made, "-C", root], check=True)
