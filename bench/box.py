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
from types import TracebackType
from typing import Any, NamedTuple

PROCESS = (sys.executable, "-m", "bench.box_process")
READY_S = 1_800.0
"""Longest start: the 1.5B model reads its instructions for the first time in 60 s on two idle cores."""
ANSWER_S = 120.0
"""Longest for anything else."""


class News(NamedTuple):
    at_s: float
    """Monotonic time at which it was read here."""
    kind: str
    """ready, voiced (words of the box, just before they sound), record (of a turn), held, or ended."""
    value: Any


class Box:
    """Started when it is made, and killed at the end of a `with`, if it is still there."""

    def __init__(
        self,
        state: Path,
        config: Path,
        take: Callable[[News], None],
        options: Sequence[str] = (),
        command: Sequence[str] = PROCESS,
    ) -> None:
        """Its log is added to a file beside `state`. command: the program (another one for a broken box).

        take: hears of everything that it tells, in the thread that waits for it.
        """
        self._take, self._news = take, queue.SimpleQueue[News]()
        self._log = state.with_suffix(".log")
        self.process = subprocess.Popen(
            [*command, "--state", str(state), "--config", str(config), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        for read in (self._read, self._keep_log):
            Thread(target=read, daemon=True).start()

    def __enter__(self) -> Box:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.kill()

    def ready(self) -> News:
        """The moment from which it would answer. Raises TimeoutError, with the end of its log."""
        return self._surely("ready", READY_S)

    def held(self) -> dict[str, Any]:
        """What it knows now: `things` (labels of timers, texts of facts), `trouble`. Raises TimeoutError."""
        self.order(held=True)
        return dict(self._surely("held", ANSWER_S).value)

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

    def _surely(self, kind: str, within_s: float) -> News:
        if news := self.until(kind, within_s):
            return news
        raise TimeoutError(f"the box told nothing ({kind}); its log ends: {self._log.read_text()[-2_000:]}")

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
        self.until("ended", ANSWER_S)
        self._close()

    def end(self) -> int:
        """In the orderly way: its exit code."""
        self.process.terminate()
        code = self.process.wait(30)
        self.until("ended", ANSWER_S)
        self._close()
        return code

    def _close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            with suppress(BrokenPipeError):  # of an order that was not flushed
                pipe.close()

    def _keep_log(self) -> None:
        """Here, for a file that the box wrote itself would be held up with its card (bench/faults.py)."""
        assert self.process.stderr
        with self._log.open("a") as log:
            log.writelines(iter(self.process.stderr.readline, ""))

    def _read(self) -> None:
        """A line that was cut off by the end of the box was never told."""
        assert self.process.stdout
        for line in self.process.stdout:
            if line.endswith("\n"):
                ((kind, value),) = json.loads(line).items()
                self._news.put(News(time.monotonic(), kind, value))
        self._news.put(News(time.monotonic(), "ended", None))
