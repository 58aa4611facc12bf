"""How far a fetch is: bars in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, TaskID, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.progress import Progress as RichProgress

from appliance.models.fetch import Progress

STEPS = 5
"""Lines for each file where there is no terminal."""


@contextmanager
def drawn(console: Console | None = None) -> Iterator[Progress]:
    """A progress callback that draws itself while the block runs. `console`: None is standard output."""
    out = console or Console()
    if not out.is_terminal:
        yield Lines(out)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with RichProgress(*columns, TransferSpeedColumn(), TimeRemainingColumn(), console=out) as bars:
        yield Bars(bars)


class Bars:
    """One bar for each file; notes scroll away above."""

    def __init__(self, bars: RichProgress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}
        self._lock = threading.Lock()

    def __call__(self, name: str, done: int, total: int, note: str) -> None:
        if note:
            _say(self._bars.console, name, note)
        if not total:
            return
        with self._lock:
            if name not in self._tasks:
                self._tasks[name] = self._bars.add_task(name)
        self._bars.update(self._tasks[name], completed=done, total=total)


class Lines:
    """Notes, and a line for every fifth of a file."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told: dict[str, int] = {}
        self._lock = threading.Lock()

    def __call__(self, name: str, done: int, total: int, note: str) -> None:
        with self._lock:
            step = done * STEPS // total if total else 0
            fresh, self._told[name] = 0 < step < STEPS and step != self._told.get(name), step
        if note:
            _say(self._console, name, note)
        elif fresh:
            _say(self._console, name, f"{done / 1e6:,.0f} of {total / 1e6:,.0f} MB")


def _say(console: Console, name: str, note: str) -> None:
    console.print(f"{name}: {note}", markup=False, highlight=False, soft_wrap=True)
