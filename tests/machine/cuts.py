"""Power cuts while timers, or whole turns, are being acknowledged, and what is left of these after each."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path
from typing import IO, Any, NamedTuple

from playing import ROOT
from vm import Machine


class Load(NamedTuple):
    """A program of the box that acknowledges one thing after the other."""

    program: str
    """Its file here, and in /opt on the box."""
    arguments: str
    """Before the number of the round."""
    written: tuple[int, int]
    """Least and most things that are acknowledged before the cut, drawn anew for each."""


FULL, NORMAL = (Load("acknowledge.py", name, (20, 300)) for name in ("FULL", "NORMAL"))
TURNS = Load("take_turns.py", "", (5, 60))
"""A turn takes some tens of milliseconds, and the service seconds to start."""
AFTER_S = 0.3
"""Longest, after the last of these, until the cut: in it the box goes on writing."""
BUILD_S = 600
SILENT_S = 120
"""A box that says nothing for so long does not start any more."""


def prepare(root: Path, wheels: Path) -> None:
    """Build a release into a system's folder, as it is built on a box, with the program and a database of each kind."""
    work = root / "var/tmp/release"
    shutil.copytree(wheels, work / "wheels")
    shutil.copy(ROOT / "systemd/release", work)
    _within(root, "bash", "/var/tmp/release/release", "build", "/var/tmp/release/wheels")
    shutil.rmtree(work)
    (release,) = (root / "opt/va/releases").iterdir()
    (root / "opt/va/current").symlink_to(f"releases/{release.name}")
    for load in (FULL, TURNS):
        program = root / "opt" / load.program
        program.write_text(f"#!/opt/va/current/bin/python -I\n{Path(__file__).with_name(load.program).read_text()}")
        program.chmod(0o755)
    _within(root, "useradd", "--system", "va")
    folders = [f"/var/lib/va/{name}" for name in ("", "normal", "turns")]
    _within(root, "install", "-d", "-o", "va", "-g", "va", "-m", "700", *folders)


def _within(root: Path, *command: str) -> None:
    subprocess.run(["chroot", root, *command], check=True, timeout=BUILD_S)


def cut(machine: Machine, load: Load, times: int) -> dict[str, Any]:
    """Figures of so many cuts: how much was acknowledged, and how much of it the next start did not find, or twice."""
    acknowledged, lost, twice, wrong = 0, list[int](), list[str](), list[str]()
    told, new = set[str](), set[str]()
    for number in range(times + 1):  # the last start only looks
        found, began = _round(machine, load, number)
        missing = (told | new) - set(found["held"])
        twice += [name for name, count in Counter(found["held"]).items() if count > 1]
        acknowledged += len(new)
        told, new = (told | new) - missing, began
        lost.append(len(missing))
        if found["integrity"] != "ok" or found["notice"]:
            wrong.append(found["notice"] or found["integrity"])
    figures = {"cuts": times, "acknowledged": acknowledged, "lost": sum(lost), "lost_at_each": lost[1:]}
    return figures | {"twice": twice, "wrong": wrong}


def _round(machine: Machine, load: Load, number: int) -> tuple[dict[str, Any], set[str]]:
    """Start, look, write for a while, cut: what was found, and the names that were acknowledged before the end."""
    said = machine.start(f"init=/opt/{load.program} -- {load.arguments} {number}")
    patience = threading.Timer(SILENT_S, machine.pull)
    patience.start()
    found = json.loads(_line(said, machine))
    names = [_line(said, machine) for _ in range(random.randint(*load.written))]
    patience.cancel()
    time.sleep(random.uniform(0, AFTER_S))
    machine.pull()
    names += [line for line in said if line.endswith("\n")]
    machine.cut()
    return found, {name.strip() for name in names}


def _line(said: IO[str], machine: Machine) -> str:
    line = said.readline()
    if not line.endswith("\n"):
        raise AssertionError(f"the box did not start: {machine.console.read_text()[-2_000:]}")
    return line
