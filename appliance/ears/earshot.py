"""Ears that share a room with those of other boxes: a wake word counts here only if no other box heard it better."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from appliance.audio import FRAME_S, Frame
from appliance.ears.contest import WINDOW_S, winner
from appliance.events import Event, WakeHeard
from appliance.ports import Attention, Ears, OtherBoxes, Wake

log = logging.getLogger(__name__)


class Earshot:
    """Implements ports.Ears. While nobody else is there, nothing waits for anything."""

    def __init__(
        self,
        ears: Ears,
        name: str,
        others: OtherBoxes,
        serves: Callable[[], bool | None],
        clock: Callable[[], float],
        gave_way: Callable[[], None] = lambda: None,
    ) -> None:
        """name: of this box.  serves: whether it is busy with somebody, who means this box when they call; None while
        it answers nobody, as when it is faulted.  clock: monotonic seconds, as `others` has them."""
        self._ears, self._name, self._others = ears, name, others
        self._serves, self._clock, self._gave_way = serves, clock, gave_way
        self._held: tuple[WakeHeard, Wake, float] | None = None
        """What was heard, as it was told, and when."""

    def attend(self, attention: Attention, turn: int, window_s: float | None = None) -> None:
        self._ears.attend(attention, turn, window_s)

    def begin_anew(self) -> None:
        self._held = None
        self._ears.begin_anew()

    def feed(self, frame: Frame) -> list[Event]:
        """A wake event comes up to WINDOW_S late. What is said meanwhile is kept by the ears (RECENT_S)."""
        events: list[Event] = []
        for event in self._ears.feed(frame):
            events += self._called(event) if isinstance(event, WakeHeard) else [event]
        return events + self._decided()

    def _called(self, event: WakeHeard) -> list[Event]:
        serves = self._serves()
        if serves is None or not self._others.present:
            return [event]
        wake = Wake(self._name, event.word, min(max(event.score, 0.0), 1.0), event.level_db, took=serves)
        self._others.tell(wake)
        if serves:
            return [event]
        self._held = event, wake, self._clock()
        return []

    def _decided(self) -> list[Event]:
        if self._held is None:
            return []
        event, wake, at_s = self._held
        if other := winner(wake, at_s, self._others.told()):
            self._held = None
            log.info("%s heard the wake word better, or was first: this box gives way", other.box)
            self._gave_way()
            return []
        if self._clock() - at_s < WINDOW_S - FRAME_S:
            return []
        self._held = None
        self._others.tell(replace(wake, took=True))
        return [event]
