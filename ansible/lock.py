"""What requirements.txt asks for on a box of some kind, and the same of a folder of wheels."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename


def surroundings(machine: str, python: str) -> dict[str, str]:
    """What a requirement's marker asks about there. `python`: 3.11."""
    return {
        "implementation_name": "cpython",
        "os_name": "posix",
        "platform_machine": machine,
        "platform_python_implementation": "CPython",
        "platform_system": "Linux",
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": "linux",
    }


def locked(lock: str, machine: str, python: str) -> dict[str, str]:
    """Name -> `name==version` and its hashes, in one line, of everything that the lock asks for there."""
    found = {}
    for block in re.findall(r"^[a-z].*(?:\n .*)*", lock, re.MULTILINE):
        head, *hashes = re.split(r" *\\\n +", re.sub(r"\n +#.*", "", block))
        wanted = Requirement(head)
        if wanted.marker is None or wanted.marker.evaluate(surroundings(machine, python)):
            found[str(canonicalize_name(wanted.name))] = " ".join([f"{wanted.name}{wanted.specifier}", *hashes])
    return found


def hashed(folder: Path) -> str:
    """A line of a requirements file for every wheel."""
    lines = []
    for wheel in sorted(folder.glob("*.whl")):
        name, version, *_ = parse_wheel_filename(wheel.name)
        lines.append(f"{name}=={version} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n")
    return "".join(lines)
