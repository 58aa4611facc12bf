"""The core's end of the other boxes of the house: what is told to them, and what they tell, by the bridge."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Lock, Thread
from types import TracebackType
from typing import Any

from appliance.errors import ApplianceError, logged
from appliance.ports import LINK, Bridge, Told, Wake

log = logging.getLogger(__name__)

PROVIDER = "boxes"
MOST_TOLD = 64
"""Wakes that are kept: two from each of the 16 others that may be set, twice."""
LATE_S = 0.3
"""A wake that could not be told within that is not told any more: it is decided."""
TELL_S = 1.0
"""For the bridge to take it; it does in a millisecond."""

Job = Callable[[], None]


class OthersByBridge:
    """A `ports.OtherBoxes`, and a context manager: with a thread that asks the bridge, so that nobody else waits."""

    def __init__(self, bridge: Bridge, clock: Callable[[], float] = time.monotonic) -> None:
        self._bridge, self._clock = bridge, clock
        self._present: frozenset[str] = frozenset()
        self._told, self._lock = deque[Told](maxlen=MOST_TOLD), Lock()
        self._jobs = SimpleQueue[Job | None]()
        self._thread = Thread(target=self._run, name="boxes", daemon=True)
        self._announced: Callable[[str, str, bool], str] | None = None

    def __enter__(self) -> OthersByBridge:
        self._thread.start()
        self._bridge.follow(PROVIDER, self._hear)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._jobs.put(None)
        self._thread.join(2 * TELL_S)

    @property
    def present(self) -> bool:
        return bool(self._present)

    def tell(self, wake: Wake) -> None:
        ends_s = self._clock() + LATE_S

        def ask() -> None:
            if self._clock() < ends_s:
                self._ask("wake", word=wake.word, score=wake.score, level_db=wake.level_db, took=wake.took)

        self._jobs.put(ask)

    def told(self) -> Sequence[Told]:
        with self._lock:
            return tuple(self._told)

    def obey(self, announced: Callable[[str, str, bool], str]) -> None:
        """From now on what other boxes announce is said here.

        announced: takes the box, the text, and whether quiet hours do not count; returns a code of ANSWERS
        (bridge/boxes_questions.py).
        """
        self._announced = announced

    def _hear(self, kind: str, value: Any) -> None:
        """A `News`."""
        if kind == LINK and not value["up"]:
            self._present = frozenset()
        elif kind == "present":
            self._present = frozenset(value)
        elif kind == "wake":
            with self._lock:
                self._told.append(Told(Wake(**value), self._clock()))
        elif kind == "announce":
            self._jobs.put(lambda: self._announce(value))

    def _announce(self, asked: dict[str, Any]) -> None:
        answer = "not_now"
        if self._announced:
            with logged(log, "an announcement of another box"):
                answer = self._announced(asked["box"], asked["text"], asked["anyway"])
        log.info("announced by %s: %s", asked["box"], answer)
        self._ask("answered", id=asked["id"], answer=answer)

    def _ask(self, what: str, **values: Any) -> None:
        try:
            self._bridge.ask(PROVIDER, what, TELL_S, **values)
        except ApplianceError as error:
            log.debug("nothing is told to other boxes: %s", error)

    def _run(self) -> None:
        while job := self._jobs.get():
            with logged(log, "other boxes"):
                job()
