"""python wheelhouse.py FOLDER: closes a folder of wheels, so that a box can be built from it and from nothing else.

FOLDER is called <board>-cp<Python>, such as pi5-cp311. Written into it: `requirements.txt`, every wheel by its
hash; `python` and `glibc`, the version the box must have and the oldest that will do. Beside it: FOLDER.tar, which is
what travels. Refused if a wheel is missing, stray or for another machine.
"""

from __future__ import annotations

import platform
import re
import sys
import tarfile
import zipfile
from pathlib import Path

from lock import hashed, locked
from packaging.utils import parse_wheel_filename

ROOT = Path(__file__).resolve().parents[1]
APPLIANCE = "voice-appliance"
MACHINES = ("x86_64", "aarch64")


def wanted(lock: str, machine: str, python: str) -> dict[str, str]:
    """Name -> version of everything that `requirements.txt` asks for there."""
    return {name: line.split()[0].partition("==")[2] for name, line in locked(lock, machine, python).items()}


def here(folder: Path) -> dict[str, str]:
    """Name -> version of the wheels in the folder."""
    return {str(name): str(version) for name, version, *_ in map(parse_wheel_filename, names(folder))}


def names(folder: Path) -> list[str]:
    return sorted(wheel.name for wheel in folder.glob("*.whl"))


def machine_of(folder: Path) -> str:
    """The one that the compiled wheels are for. Raises SystemExit where they are for several."""
    found: dict[str, str] = {}
    for name in names(folder):
        for tag in parse_wheel_filename(name)[3]:
            found |= {machine: name for machine in MACHINES if tag.platform.endswith(f"_{machine}")}
    if len(found) > 1:
        raise SystemExit(f"{folder} mixes machines: {', '.join(found.values())}; make these wheels again")
    return next(iter(found), platform.machine())


def oldest_glibc(folder: Path) -> str:
    """The newest version of a glibc symbol that a compiled part asks for."""
    versions = {(2, 17)}
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as content:
            for name in content.namelist():
                if ".so" in name:
                    asked = re.findall(rb"\0GLIBC_(\d+)\.(\d+)", content.read(name))
                    versions.update((int(major), int(minor)) for major, minor in asked)
    return "{}.{}".format(*max(versions))


def close(folder: Path, lock: str) -> None:
    """Write what a box needs to know. Raises SystemExit naming what is wrong with the wheels."""
    digits = folder.name.rpartition("-cp")[2]
    python = f"{digits[:1]}.{digits[1:]}"
    want, have = wanted(lock, machine_of(folder), python), here(folder)
    have.pop(APPLIANCE, None)
    if wrong := {*want.items()} ^ {*have.items()}:
        listed = ", ".join(f"{name}=={version}" for name, version in sorted(wrong))
        raise SystemExit(f"{folder} does not hold what requirements.txt asks for: {listed}; make these wheels again")
    if len(list(folder.glob(f"{APPLIANCE.replace('-', '_')}-*.whl"))) != 1:
        raise SystemExit(f"{folder} must hold the appliance's own wheel, once; run: make wheelhouse")
    (folder / "requirements.txt").write_text(hashed(folder))
    (folder / "python").write_text(f"{python}\n")
    (folder / "glibc").write_text(f"{oldest_glibc(folder)}\n")
    with tarfile.open(folder.with_name(f"{folder.name}.tar"), "w") as tar:
        tar.add(folder, "wheels")


if __name__ == "__main__":
    close(Path(sys.argv[1]).resolve(), (ROOT / "requirements.txt").read_text())
