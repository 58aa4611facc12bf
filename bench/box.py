"""A whole service in a process of its own, driven by typed lines (`bench.box_process`)."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

PROCESS = (sys.executable, "-m", "bench.box_process")
READY_S = 300.0
"""Longest start: the first reading of the instructions (models), on a machine that does other things as well."""


class News(NamedTuple):
    at_s: float
    """Monotonic time at which it was read here."""
    kind: str
    """ready, voiced (words of the box, just before they sound), record (of a turn), held, or ended."""
    value: Any


class Box:
    """Started when it is made. `take` hears of everything that it tells, in the thread that calls `next`."""

    def __init__(
        self,
        state: Path,
        config: Path,
        take: Callable[[News], None],
        options: Sequence[str] = (),
        command: Sequence[str] = PROCESS,
    ) -> None:
        """Its log is added to a file beside `state`. command: the program (another one for a broken box)."""
        self._take, self._news = take, queue.SimpleQueue[News]()
        with state.with_suffix(".log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--state", str(state), "--config", str(config), *options],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            )
        Thread(target=self._read, daemon=True).start()

    def order(self, **order: Any) -> None:
        """One of box_process.Orders. Of a box that is dead nothing comes of it."""
        assert self.process.stdin
        with suppress(BrokenPipeError):
            self.process.stdin.write(f"{json.dumps(order)}\n")
            self.process.stdin.flush()

    def next(self, within_s: float) -> News | None:
        """None where it told nothing in that time."""
        try:
            news = self._news.get(timeout=max(0.0, within_s))
        except queue.Empty:
            return None
        self._take(news)
        return news

    def until(self, kind: str, within_s: float) -> News | None:
        """The next of that kind; None where none came in that time, or the box ended before."""
        ends_s = time.monotonic() + within_s
        while news := self.next(ends_s - time.monotonic()):
            if news.kind in (kind, "ended"):
                return news if news.kind == kind else None
        return None

    def listen(self, seconds: float) -> None:
        """Take what it tells for so long."""
        ends_s = time.monotonic() + seconds
        while (left_s := ends_s - time.monotonic()) > 0:
            self.next(left_s)

    def kill(self) -> None:
        """By SIGKILL; then take what it had told before."""
        self.process.kill()
        self.process.wait()
        self.until("ended", READY_S)
        self._close()

    def end(self) -> int:
        """In the orderly way: its exit code."""
        self.process.terminate()
        code = self.process.wait(30)
        self.until("ended", READY_S)
        self._close()
        return code

    def _close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            with suppress(BrokenPipeError):  # of an order that was not flushed
                pipe.close()

    def _read(self) -> None:
        """A line that was cut off by the end of the box was never told."""
        assert self.process.stdout
        for line in self.process.stdout:
            if line.endswith("\n"):
                ((kind, value),) = json.loads(line).items()
                self._news.put(News(time.monotonic(), kind, value))
        self._news.put(News(time.monotonic(), "ended", None))
