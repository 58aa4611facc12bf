"""A kernel that runs as a process: User-mode Linux of Debian's sources, built once and kept in the cache.

`python kernel.py` builds it, some 6 minutes on 2 cores. Debian's own package, 6.1, has no sound, dies on a processor
with AMX, and takes 80 to 100 microseconds for a page that a process touches first; this one 5 for a page of a file,
40 for another.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

import debian_packages
from debian import CACHE

SUITE, SOURCE = "trixie-backports", "linux-source-7.2"
"""Has what 6.1 and 6.12 have not: processes that are watched by seccomp instead of ptrace. When Debian has dropped
it, name the next."""
OPTIONS = Path(__file__).with_name("kernel.config")
MAKE_S = 3_600


def kernel() -> Path:
    """The program, built first where the cache has none with these options. Raises CalledProcessError, ValueError."""
    depends = f"{SOURCE}\n{OPTIONS.read_text()}"
    made = CACHE / f"kernel-{hashlib.sha256(depends.encode()).hexdigest()[:12]}"
    if not made.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as folder:
            _build(Path(folder))
            Path(folder, "linux").replace(made)
    return made


def _build(folder: Path) -> None:
    root = debian_packages.unpacked(SUITE, [SOURCE], "amd64")
    with tarfile.open(root / f"usr/src/{SOURCE}.tar.xz") as packed:
        packed.extractall(folder, filter="tar")
    shutil.rmtree(root)
    (source,) = folder.iterdir()
    make = ["make", "--quiet", "-C", str(source), "ARCH=um", f"KCONFIG_ALLCONFIG={OPTIONS}"]
    for target in ("allnoconfig", f"-j{os.cpu_count()}"):
        subprocess.run([*make, target], check=True, capture_output=True, text=True, timeout=MAKE_S)
    if refused := set(OPTIONS.read_text().split()) - set((source / ".config").read_text().splitlines()):
        raise ValueError(f"{SOURCE} does not take {', '.join(sorted(refused))}; Remedy: see {OPTIONS.name}")
    (source / "linux").rename(folder / "linux")


if __name__ == "__main__":
    print(kernel())
