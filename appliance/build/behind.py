"""Parts that another thread loads while the service runs: whoever needs one before it is there waits for it.

A timer rings from the first second on, whatever the models take to load, and a part that could not be loaded is tried
again when it is next asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Lock
from typing import Generic, TypeVar

from appliance.audio import Frame, Speech, Stale, never
from appliance.events import Event
from appliance.ports import Attention, Ears, Mouth, Order, OrderOutcome, Synthesizer, Thinker
from appliance.records import TurnRecord

T = TypeVar("T")


class Late(Generic[T]):
    """Made once, by the thread that first asks for it."""

    def __init__(self, make: Callable[[], T]) -> None:
        """`make` may raise PartMissing, each time."""
        self._make, self._lock = make, Lock()
        self._made: list[T] = []

    def get(self) -> T:
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]


class LateEars:
    """Implements ports.Ears."""

    def __init__(self, ears: Late[Ears]) -> None:
        self._ears = ears

    def attend(self, attention: Attention, turn: int, window_s: float | None = None) -> None:
        self._ears.get().attend(attention, turn, window_s)

    def begin_anew(self) -> None:
        self._ears.get().begin_anew()

    def feed(self, frame: Frame) -> list[Event]:
        return self._ears.get().feed(frame)


class LateSynthesizer:
    """Implements ports.Synthesizer. Raises PartMissing where there is no voice."""

    def __init__(self, synthesizer: Late[Synthesizer]) -> None:
        self._synthesizer = synthesizer

    def synthesize(self, clause: str, stale: Stale = never, hurried: bool = False) -> Iterator[Speech]:
        return self._synthesizer.get().synthesize(clause, stale, hurried)


class LateThinker:
    """Implements ports.Thinker."""

    def __init__(self, thinker: Late[Thinker]) -> None:
        self._thinker = thinker

    def expect(self, stale: Stale, heard: str = "", aloud: bool = True) -> None:
        self._thinker.get().expect(stale, heard, aloud)

    def reply(self, turn: int, heard: str, channel: str, mouth: Mouth, stale: Stale, speaker: str = "") -> TurnRecord:
        return self._thinker.get().reply(turn, heard, channel, mouth, stale, speaker)

    def carry_out(self, order: Order) -> tuple[OrderOutcome, str]:
        return self._thinker.get().carry_out(order)

    def await_answer(self, order: Order) -> None:
        self._thinker.get().await_answer(order)

    def after(self, stale: Stale) -> None:
        self._thinker.get().after(stale)

    def reflect(self, stale: Stale) -> bool:
        return self._thinker.get().reflect(stale)
