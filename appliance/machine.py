"""What the machine has that it runs on: cores, and a time zone."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

LOCALTIME = Path("/etc/localtime")
SPINS = "1000"
"""Few enough that a core which is taken costs little, and enough for a quiet machine (docs/measured.md)."""


def at_most_cores(threads: int) -> int:
    """As many as this process may use: llama.cpp and whisper.cpp wait for all of theirs at every step, and one that has
    no core holds up the rest."""
    return min(threads, len(os.sched_getaffinity(0)))


def sleep_at_barriers() -> None:
    """Have threads of llama.cpp and whisper.cpp sleep soon where they wait for each other; called before they load.

    By default they look 300,000 times before they sleep (GOMP_SPINCOUNT of the OpenMP runtime, which reads it once).
    Beside a process that keeps a core busy, whoever has none is then waited for at full load: docs/measured.md says
    what that costs. What the owner has set stays.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", SPINS)


def local_zone() -> tzinfo:
    """The system's, as libc finds it (man tzset): of $TZ, which names a zone or a file, else of /etc/localtime.

    Both know when summer time begins and ends. What is in force now does not, and is taken where neither can be read;
    also where $TZ is a rule ("CET-1CEST"), for libc goes by that and not by the file.
    """
    name = os.environ.get("TZ", "").removeprefix(":") or str(LOCALTIME)
    with suppress(OSError, ValueError, KeyError):
        if not Path(name).is_absolute():
            return ZoneInfo(name)
        with Path(name).open("rb") as file:
            return ZoneInfo.from_file(file)
    local = datetime.now().astimezone().tzinfo
    assert local is not None
    return local
