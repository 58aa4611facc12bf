"""A program that is killed and started again, and answers a line of JSON with another."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Lock, Thread

LATE_S = 180.0
"""For an answer, or a start, on a machine that does other things as well; beyond it, that is wrong."""


class Process:
    """One that is started again whenever it was killed."""

    def __init__(self, command: list[str], log: Path) -> None:
        self._command, self._log = command, log
        self._starting, self.ready, self._closed = Lock(), Event(), Event()
        self.answers = 0
        """Since it was started."""
        self._running: subprocess.Popen[str] | None = None
        self._lines: Queue[str] = Queue()

    def start(self) -> None:
        """And wait until it says that it is there; one that runs is killed. Raises TimeoutError."""
        with self._starting:
            self.kill()
            self.answers = 0
            self._lines = Queue()
            pipe = subprocess.PIPE
            with self._log.open("ab") as log:
                self._running = subprocess.Popen(self._command, stdin=pipe, stdout=pipe, stderr=log, text=True)
            Thread(target=self._read, args=(self._running, self._lines), daemon=True).start()
            if self._closed.is_set():
                self.kill()
            elif not self.read():
                raise TimeoutError(f"it does not start; see {self._log}")
            else:
                self.ready.set()

    def close(self) -> None:
        """For good."""
        self._closed.set()
        self.kill()

    def kill(self) -> None:
        self.ready.clear()
        if running := self._running:
            running.kill()
            running.wait()

    def ask(self, told: dict[str, object]) -> dict[str, str] | None:
        """None where it was killed. Raises TimeoutError."""
        running = self._running
        assert running
        assert running.stdin
        try:
            running.stdin.write(json.dumps(told) + "\n")
            running.stdin.flush()
        except OSError:
            return None
        line = self.read()
        return json.loads(line) if line else None

    def read(self) -> str:
        """A line; empty where it ended. Raises TimeoutError."""
        try:
            return self._lines.get(timeout=LATE_S)
        except Empty:
            raise TimeoutError(f"no answer within {LATE_S:.0f} s; see {self._log}") from None

    @staticmethod
    def _read(running: subprocess.Popen[str], lines: Queue[str]) -> None:
        assert running.stdout
        for line in running.stdout:
            lines.put(line)
        lines.put("")
