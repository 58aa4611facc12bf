"""The processes that a process has started."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

PATIENCE_S = 30.0


def children(pid: int | None = None) -> list[int]:
    """Of `pid`, by default of this process; those that have ended and are still to be reaped do not count."""
    parent = os.getpid() if pid is None else pid
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*") if _parent(folder) == parent]


def model_process(pid: int | None = None) -> int:
    """The one that has the language model."""
    ends_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends_s:
        for child in children(pid):
            with suppress(OSError):  # it has ended since it was listed
                if b"appliance.llm.child" in Path(f"/proc/{child}/cmdline").read_bytes():
                    return child
        time.sleep(0.05)
    raise AssertionError("there is none")


def opened(pid: int | None = None) -> list[str]:
    """What the file descriptors of `pid`, by default of this process, lead to."""
    names = list[str]()
    for descriptor in Path(f"/proc/{pid or 'self'}/fd").iterdir():
        with suppress(FileNotFoundError):  # another thread, or the listing itself, has closed it since it was listed
            names.append(os.readlink(descriptor))
    return names


def is_gone(pid: int, within_s: float) -> bool:
    ends_s = time.monotonic() + within_s
    while _parent(Path(f"/proc/{pid}")) is not None:
        if time.monotonic() > ends_s:
            return False
        time.sleep(0.02)
    return True


def _parent(folder: Path) -> int | None:
    """Fields behind the name, which may hold blanks and brackets: state, parent, ... (man proc_pid_stat)."""
    try:
        state, parent, *_ = (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if state in "ZX" else int(parent)
