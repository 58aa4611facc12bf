"""Documents read in a process of their own: what a strange file does to it, it does to that process alone."""

from __future__ import annotations

import json
import logging
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from appliance.skills.documents.passage import LeftOut, Passage

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-I" if sys.flags.isolated else "-P", "-m", "appliance.skills.documents.child")
SILENT_S = 120.0
"""Without a passage: more than its own limit of processor time, for it has the lowest priority."""
END_S = 2.0
"""Longest for the process to end once the connection has."""
LINE_BYTES = 100_000
"""Of a line from it, at most: a passage has 700 characters."""
_ENDED = {-signal.SIGXCPU: "slow", -signal.SIGKILL: "too_large"}
"""How the kernel ends it -> why."""


class Reader:
    """Of one thread. A context manager; the process is started for the first file, and again where one ended it."""

    def __init__(self) -> None:
        self._child: _Child | None = None

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        if self._child:
            self._child.end()
        self._child = None

    def read(self, path: Path) -> Iterator[Passage]:
        """Raises LeftOut where there is more, or anything at all, that cannot be read; OSError without a process.

        Whoever does not read to the end closes the reader.
        """
        self._child = child = self._child or _Child()
        try:
            yield from child.passages(path)
        except LeftOut:
            if child.lost:
                self.close()
            raise


class _Child:
    def __init__(self) -> None:
        """Raises OSError."""
        self._ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(COMMAND, stdin=theirs.fileno(), stdout=subprocess.DEVNULL)
        self._ours.settimeout(SILENT_S)
        self._held = bytearray()
        self.lost = False
        """It has ended, or does not answer."""

    def passages(self, path: Path) -> Iterator[Passage]:
        """Raises LeftOut."""
        try:
            self._ours.sendall(json.dumps(str(path)).encode() + b"\n")
            while "end" not in (message := json.loads(self._line())):
                yield Passage(**message)
        except TimeoutError:
            self._lose("slow")
        except (OSError, ValueError, TypeError):
            self._lose("damaged")
        if message["end"]:
            raise LeftOut(message["end"])

    def _line(self) -> bytes:
        """Raises OSError, also where the process has ended, TimeoutError among them."""
        while (at := self._held.find(b"\n")) < 0:
            block = self._ours.recv(65_536)
            if not block or len(self._held) > LINE_BYTES:
                raise ConnectionResetError
            self._held += block
        line = bytes(self._held[:at])
        del self._held[: at + 1]
        return line

    def _lose(self, why: str) -> None:
        """Raises LeftOut with why: how the process ended, or else `why`."""
        self.lost = True
        with suppress(subprocess.TimeoutExpired):
            why = _ENDED.get(self._process.wait(0.0 if why == "slow" else END_S), why)
        raise LeftOut(why)

    def end(self) -> None:
        """At once, whatever it is at; one that the kernel holds is left to it."""
        self._ours.close()
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_S)
