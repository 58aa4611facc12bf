"""Power cuts while timers are being acknowledged, and what is left of these after each."""

from __future__ import annotations

import json
import random
import threading
import time
from pathlib import Path
from subprocess import Popen
from typing import Any

from vm import Machine

PROGRAM = Path(__file__).with_name("acknowledge.py")
PLACE = "/opt/acknowledge"
"""Of the program on the box."""
WRITTEN = (20, 300)
"""Least and most timers that are acknowledged before the cut, drawn anew for each."""
AFTER_S = 0.3
"""Longest, after the last of these, until the cut: in it the box goes on writing."""
SILENT_S = 1_800
"""A box that says nothing for so long does not start any more."""


def prepare(machine: Machine) -> None:
    """Bring the program onto a box that is on, and a folder for the database that is not the appliance's own."""
    shebang = "#!/opt/va/current/bin/python -I\n"
    machine.run(f"cat > {PLACE} && chmod 755 {PLACE}", sent=shebang + PROGRAM.read_text())
    machine.run("install -d -o va -g va -m 700 /var/lib/va/normal")


def cut(machine: Machine, synchronous: str, times: int) -> dict[str, Any]:
    """Figures of so many cuts: how many timers were acknowledged, and of these how many the next start did not find."""
    acknowledged, lost, wrong = 0, list[int](), list[str]()
    told, new = set[str](), set[str]()
    for number in range(times + 1):  # the last start only looks
        found, began = _round(machine, synchronous, number)
        missing = (told | new) - set(found["held"])
        acknowledged += len(new)
        told, new = (told | new) - missing, began
        lost.append(len(missing))
        if found["integrity"] != "ok" or found["notice"]:
            wrong.append(found["notice"] or found["integrity"])
    return {"cuts": times, "acknowledged": acknowledged, "lost": sum(lost), "lost_at_each": lost[1:], "wrong": wrong}


def _round(machine: Machine, synchronous: str, number: int) -> tuple[dict[str, Any], set[str]]:
    """Start, look, write for a while, cut: what was found, and the names that were acknowledged before the end."""
    process = machine.start(f"init={PLACE} -- {synchronous} {number}")
    patience = threading.Timer(SILENT_S, process.kill)
    patience.start()
    found = json.loads(_line(process, machine))
    names = [_line(process, machine) for _ in range(random.randint(*WRITTEN))]
    patience.cancel()
    time.sleep(random.uniform(0, AFTER_S))
    process.kill()
    assert process.stdout
    names += [line for line in process.stdout if line.endswith("\n")]
    machine.cut()
    return found, {name.strip() for name in names}


def _line(process: Popen[str], machine: Machine) -> str:
    assert process.stdout
    line = process.stdout.readline()
    if not line.endswith("\n"):
        raise AssertionError(f"the box did not start: {machine.console.read_text()[-2_000:]}")
    return line
