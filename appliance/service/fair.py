"""Work of many conversations for the one thread that thinks: in turn, one piece at a time, behind the box's own."""

from __future__ import annotations

import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Any, TypeVar

from appliance.errors import ApplianceError, outcome_of
from appliance.ports.refusals import Refused

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST = 32
"""Pieces that wait, of all conversations: at some seconds each the last one has waited for minutes. A judgement."""

Between = Callable[[Callable[[], None]], Future[None]]
"""Has the thread that thinks do something behind what it has been asked. Raises RuntimeError once that has ended,
ApplianceError as long as there is none."""


class Fair:
    """Whoever thinks gets the next piece when it is done with one, so that what the box itself hears comes in between.

    Of the conversations that wait, each has one piece done before any has a second one. Safe for several threads.
    """

    def __init__(self, between: Between, most: int = MOST) -> None:
        self._between, self._most, self._lock = between, most, Lock()
        self._waiting = OrderedDict[str, deque[tuple[Callable[[Future[Any]], None], Future[Any]]]]()
        """By conversation, in the order in which they are served."""
        self._count, self._busy = 0, False

    @property
    def waits(self) -> bool:
        """Whether anything waits."""
        return self._count > 0

    def put(self, key: str, work: Callable[[Future[T]], None]) -> Future[T]:
        """What comes of `work`, which is to set it: it may go on with what nobody waits for. Raises Refused."""
        answer = Future[T]()
        with self._lock:
            if self._count >= self._most:
                raise Refused("busy", "too many lines wait already; nothing was done", remedy="try again in a moment")
            self._waiting.setdefault(key, deque()).append((work, answer))
            self._count += 1
            begins, self._busy = not self._busy, True
        if begins:
            self._next()
        return answer

    def _next(self) -> None:
        with self._lock:
            if not self._waiting:
                self._busy = False
                return
            key, pieces = self._waiting.popitem(last=False)
            work, answer = pieces.popleft()
            self._count -= 1
            if pieces:
                self._waiting[key] = pieces
        try:
            done = self._between(lambda: _do(work, answer))
        except RuntimeError:
            self._end(answer)
        except ApplianceError as error:  # nobody thinks yet
            answer.set_exception(error)
            self._next()
        else:
            done.add_done_callback(lambda _: self._end(answer) if done.cancelled() else self._done(answer))

    def _done(self, answer: Future[Any]) -> None:
        if not answer.done():
            answer.set_exception(Refused("failed", "nothing came of it", remedy="see: journalctl -u va"))
        self._next()

    def _end(self, answer: Future[Any]) -> None:
        """There is nobody any more who thinks: what ends that must not be asked for more, for it holds a lock."""
        with self._lock:
            waiting = [each for pieces in self._waiting.values() for _, each in pieces]
            self._waiting.clear()
            self._count, self._busy = 0, False
        for each in (answer, *waiting):
            each.set_exception(Refused("failed", "the service is ending", remedy="try again in a moment"))


def _do(work: Callable[[Future[Any]], None], answer: Future[Any]) -> None:
    failure = outcome_of(lambda: work(answer))
    if isinstance(failure, Exception) and not answer.done():
        answer.set_exception(failure)
    elif isinstance(failure, Exception):
        log.error("behind a turn of the hub", exc_info=failure)
