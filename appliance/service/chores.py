"""What skills do in the background: on threads of the lowest priority, and only while nobody is served."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event, Thread, get_native_id

from appliance.errors import logged
from appliance.ports import Chore

log = logging.getLogger(__name__)

EVERY_S = 60.0
"""Between two runs of a chore; the first is so long after the start."""
LOOK_S = 0.2
"""Between two looks whether somebody is still served."""
JOIN_S = 3.0
"""Longest wait for a chore when the service ends."""
NICENESS = 19


class Chores:
    """Each on a thread of its own. A context manager: at its end they are told to end."""

    def __init__(self, chores: Sequence[Chore], at_rest: Callable[[], bool], every_s: float = EVERY_S) -> None:
        """at_rest: whether nobody is served now."""
        self._at_rest, self._every_s, self._closing = at_rest, every_s, Event()
        self._threads = [Thread(target=self._run, args=[each], name="chore", daemon=True) for each in chores]

    def __enter__(self) -> Chores:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Waits for what is being done, for a moment. May be repeated."""
        self._closing.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(JOIN_S)

    def _run(self, chore: Chore) -> None:
        with suppress(OSError):  # a jail may forbid it
            os.setpriority(os.PRIO_PROCESS, get_native_id(), NICENESS)  # of this thread alone, on Linux
        while not self._closing.wait(self._every_s):
            if self._go_on():
                with logged(log, "what a skill does in the background failed"):
                    chore(self._go_on)

    def _go_on(self) -> bool:
        while not self._at_rest() and not self._closing.wait(LOOK_S):
            pass
        return not self._closing.is_set()
