"""The core's end of the other boxes of the house: what is told to them, and what they tell, by the bridge."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Lock, Thread
from types import TracebackType
from typing import Any, Protocol

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

RING_S = 5.5
"""For the other box to say whether it rings: it does within 4.5 s or is given up (bridge/boxes_post.py)."""

OF_A_CALL = ("took", "sound", "spoke")
"""What is said in a call that somebody has taken: where the bridge holds none by then, it is lost. A box that is called
says "alive" as soon as it rings, when its bridge may not hold the call yet."""

Job = Callable[[], None]


class Called(Protocol):
    """What is done with the calls of other boxes."""

    def take(self, call: str, box: str) -> str:
        """Another box calls: what comes of it, as a code of ANSWERS (bridge/boxes_questions.py)."""
        ...

    def hear(self, call: str, kind: str, pcm: str = "", why: str = "") -> None:
        """What happens at the other end; see InCall there."""
        ...

    def lose(self) -> None:
        """The bridge is gone."""
        ...


class OthersByBridge:
    """A `ports.OtherBoxes`, and a context manager: with a thread that asks the bridge, so that nobody else waits."""

    def __init__(self, bridge: Bridge, clock: Callable[[], float] = time.monotonic) -> None:
        self._bridge, self._clock = bridge, clock
        self._present: frozenset[str] = frozenset()
        self._told, self._lock = deque[Told](maxlen=MOST_TOLD), Lock()
        self._jobs = SimpleQueue[Job | None]()
        self._thread = Thread(target=self._run, name="boxes", daemon=True)
        self._announced: Callable[[str, str, bool], str] | None = None
        self._calls: Called | None = None

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

    def answer(self, calls: Called) -> None:
        """From now on other boxes may call this one."""
        self._calls = calls

    def ring(self, box: str, call: str) -> str:
        """Have that box ring: what came of it, as a code of ANSWERS. Waits for the network."""
        try:
            return str(self._bridge.ask(PROVIDER, "call", RING_S, to=box, call=call))
        except ApplianceError as error:
            log.debug("%s is not called: %s", box, error)
            return "unknown"

    def say(self, call: str, kind: str, **more: str) -> None:
        """What happens here in a call; see InCall (bridge/boxes_questions.py). Waits for nothing."""

        def ask() -> None:
            there = self._ask("in_call", call=call, kind=kind, **more)
            if there is False and kind in OF_A_CALL and self._calls:
                self._calls.hear(call, "ended", why="lost")

        self._jobs.put(ask)

    def _hear(self, kind: str, value: Any) -> None:
        """A `News`."""
        if kind == LINK and not value["up"]:
            self._present = frozenset()
            if self._calls:
                self._calls.lose()
        elif kind == "present":
            self._present = frozenset(value)
        elif kind == "wake":
            with self._lock:
                self._told.append(Told(Wake(**value), self._clock()))
        elif kind == "announce":
            self._jobs.put(lambda: self._announce(value))
        elif kind == "call":
            self._jobs.put(lambda: self._take(value))
        elif kind == "in_call" and self._calls:
            self._calls.hear(**value)

    def _announce(self, asked: dict[str, Any]) -> None:
        answer = "not_now"
        if self._announced:
            with logged(log, "an announcement of another box"):
                answer = self._announced(asked["box"], asked["text"], asked["anyway"])
        log.info("announced by %s: %s", asked["box"], answer)
        self._ask("answered", id=asked["id"], answer=answer)

    def _take(self, asked: dict[str, Any]) -> None:
        answer = "not_now"
        if self._calls:
            with logged(log, "a call of another box"):
                answer = self._calls.take(asked["call"], asked["box"])
        log.info("called by %s: %s", asked["box"], answer)
        self._ask("answered", id=asked["id"], answer=answer)

    def _ask(self, what: str, **values: Any) -> Any:
        """What the bridge answers; None where it does not."""
        try:
            return self._bridge.ask(PROVIDER, what, TELL_S, **values)
        except ApplianceError as error:
            log.debug("nothing is told to other boxes: %s", error)
            return None

    def _run(self) -> None:
        while job := self._jobs.get():
            with logged(log, "other boxes"):
                job()
