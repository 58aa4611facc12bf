"""What goes wrong while `make soak` runs, in a table: each fault begins, lasts, and ends."""

from __future__ import annotations

import os
import random
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from bench.box import Box
from bench.processes import children, model_process

End = Callable[[], object]
FEW_BYTES = 4_096
"""Longest file that the box may write on a card that refuses."""
LONGEST_STEP_S = 2 * 3_600.0


class Place(NamedTuple):
    box: Box
    database: Path
    rng: random.Random


class Fault(NamedTuple):
    begin: Callable[[Place], End]
    lasts_s: tuple[float, float]
    """Least and most real seconds until it is ended."""
    settles_s: float
    """Real seconds after its end in which a turn may still be slow, or fail: a model is loaded anew."""


def nothing() -> None: ...


def kill_model(place: Place) -> End:
    _signal_model(place, signal.SIGKILL)
    return nothing


def stop_model(place: Place) -> End:
    pid = _signal_model(place, signal.SIGSTOP)

    def go_on() -> None:
        with suppress(ProcessLookupError):  # the box has ended it, and has another
            os.kill(pid, signal.SIGCONT)

    return go_on if pid else nothing


def _signal_model(place: Place, number: signal.Signals) -> int:
    """Its process; 0 where there is none now: one that was lost often is started again after minutes only."""
    with suppress(AssertionError, ProcessLookupError):
        pid = model_process(place.box.process.pid)
        os.kill(pid, number)
        return pid
    return 0


def refuse_writes(place: Place) -> End:
    """By a limit on the length of files, which needs no root; a model process that starts meanwhile has it too."""
    pid = place.box.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (FEW_BYTES, before[1]))

    def allow() -> None:
        for each in (pid, *children(pid)):
            with suppress(ProcessLookupError):
                resource.prlimit(each, resource.RLIMIT_FSIZE, before)

    return allow


def remove_journal(place: Place) -> End:
    place.database.with_name(f"{place.database.name}-wal").unlink(missing_ok=True)
    return nothing


def step_clock(place: Place) -> End:
    """As somebody does who sets it wrong, and then right."""
    seconds = place.rng.uniform(-LONGEST_STEP_S, LONGEST_STEP_S)
    place.box.order(step_clock_s=seconds)
    return lambda: place.box.order(step_clock_s=-seconds)


def pull_microphone(place: Place) -> End:
    place.box.order(plug=False)
    return lambda: place.box.order(plug=True)


TABLE = {
    "model killed": Fault(kill_model, (0, 0), 30),
    "model stopped": Fault(stop_model, (2, 12), 30),
    "card refuses": Fault(refuse_writes, (5, 30), 60),
    "journal removed": Fault(remove_journal, (0, 0), 30),
    "clock stepped": Fault(step_clock, (5, 40), 5),
    "microphone gone": Fault(pull_microphone, (2, 10), 15),
}


class Faults:
    """One after the other, drawn from the table. `disturbed_until_s`: until then a turn may be slow or fail."""

    def __init__(self, place: Place, pause_s: tuple[float, float]) -> None:
        self._place, self._pause_s = place, pause_s
        self.counts = Counter[str]()
        self.disturbed_until_s = 0.0
        self._kinds = list[str]()
        self._end: End | None = None
        self._name, self._next_s = "", 0.0
        self._pause()

    def look(self) -> None:
        """Begin or end one, if it is time."""
        now_s = time.monotonic()
        if now_s < self._next_s:
            return
        if self._end:
            self.stop()
            return
        self._kinds = self._kinds or self._place.rng.sample(list(TABLE), len(TABLE))
        self._name = self._kinds.pop()
        fault = TABLE[self._name]
        self._next_s = now_s + self._place.rng.uniform(*fault.lasts_s)
        self.disturbed_until_s = self._next_s + fault.settles_s
        self._end = fault.begin(self._place)
        self.counts[self._name] += 1

    def stop(self) -> None:
        if self._end:
            self._end()
            self._end = None
            self.disturbed_until_s = time.monotonic() + TABLE[self._name].settles_s
        self._pause()

    def _pause(self) -> None:
        self._next_s = time.monotonic() + self._place.rng.uniform(*self._pause_s)
