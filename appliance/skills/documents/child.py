"""`python -m appliance.skills.documents.child`: reads documents, in a process of its own that may not take much.

At its standard input is a socket: a line with a path in, the passages out as lines of JSON, then a line with the end.
It ends with whoever started it, and where a file takes it beyond its memory or its time the kernel ends it: that costs
the one file.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import IO

from appliance.errors import outcome_of
from appliance.skills.documents.formats import passages
from appliance.skills.documents.passage import LeftOut, Passage

NICENESS = 19
OOM_SCORE = 1000
"""Of -1000 to 1000: where memory runs out, this process goes first."""
MEMORY_BYTES = 300_000_000
"""Beyond what it has at its start, a judgement: with a PDF of 500 pages of text the whole process had 71 MB
(2026-11-28)."""
STEP_S, FILE_S = 30, 900
"""Of a processor: from passage to passage, and for a whole file. Those 500 pages took 2.2 s of an EPYC core."""
FILE_CHARS = 10_000_000
"""Read of one file: the Bible has 4 million."""
_WHY = {MemoryError: "too_large", OSError: "unreadable", Exception: "damaged"}
"""Of what reading raises, the first that fits: the libraries trust what they read."""
_VM_DATA = "VmData:"


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # they are sent to all: the end of the connection is what counts
        signal.signal(number, signal.SIG_IGN)
    logging.disable()  # pypdf tells of each fault of a file
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(OOM_SCORE))
    with suppress(OSError):  # a jail may forbid it
        os.nice(NICENESS)
    memory = _data_bytes() + MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    connection = socket.socket(fileno=0)
    with suppress(BrokenPipeError, ConnectionResetError), connection.makefile("rw", encoding="utf-8") as wire:
        for line in wire:
            _send(wire, {"end": _read(wire, Path(json.loads(line)))})


def _read(wire: IO[str], path: Path) -> str:
    """Send its passages. Returns why not all of it, or nothing, could be read; empty where it was."""
    outcome = outcome_of(lambda: _send_passages(wire, path))
    if isinstance(outcome, BrokenPipeError | ConnectionResetError):
        raise outcome
    if isinstance(outcome, LeftOut):
        return str(outcome)
    return next((why for kind, why in _WHY.items() if isinstance(outcome, kind)), "")


def _send_passages(wire: IO[str], path: Path) -> None:
    """Raises LeftOut, and whatever a damaged file makes the libraries raise."""
    began_s, chars = _used_s(), 0
    for passage in _paced(passages(path)):
        chars += len(passage.text)
        if chars > FILE_CHARS:
            raise LeftOut("long")
        if _used_s() - began_s > FILE_S:
            raise LeftOut("slow")
        _send(wire, vars(passage))
    if not chars:
        raise LeftOut("empty")


def _paced(found: Iterator[Passage]) -> Iterator[Passage]:
    """Each in its time, or the kernel ends the process."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    while True:
        resource.setrlimit(resource.RLIMIT_CPU, (int(_used_s()) + STEP_S, hard))
        some = [*islice(found, 1)]
        if not some:
            return
        yield from some


def _send(wire: IO[str], message: dict[str, object]) -> None:
    wire.write(json.dumps(message) + "\n")
    wire.flush()


def _used_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _data_bytes() -> int:
    """What RLIMIT_DATA counts, of this process now."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(next(line for line in status.splitlines() if line.startswith(_VM_DATA)).split()[1])


if __name__ == "__main__":
    main()
