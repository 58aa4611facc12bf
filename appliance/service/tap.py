"""A copy of what the microphone hears, for as long as somebody is being listened to."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Lock

from appliance.audio import FRAME_S, Frame, Samples
from appliance.events import Event
from appliance.ports import Attention, Ears

RECENT_S = 2.0
"""Sound that is kept for whoever opens the tap late, as the ears keep it (ears/listen.py)."""


class Tap:
    """Implements ports.Ears: what goes to other ears may also be given on, frame by frame."""

    def __init__(self, ears: Ears) -> None:
        self._ears = ears
        self._recent = deque[Frame](maxlen=round(RECENT_S / FRAME_S))
        self._give: Callable[[Samples], None] | None = None
        self._wanted: Callable[[], bool] = lambda: False
        self._lock = Lock()

    def open(self, since_s: float, wanted: Callable[[], bool], give: Callable[[Samples], None]) -> None:
        """Give all that was captured after `since_s` (monotonic), until `close`.

        wanted: asked before each frame is given; once it is false, nothing is given any more.  give: must not wait.
        """
        with self._lock:
            self._wanted, self._give = wanted, give
            for frame in self._recent:
                if frame.at_s > since_s:
                    self._pass_on(frame)

    def close(self) -> None:
        with self._lock:
            self._give = None

    def attend(self, attention: Attention, turn: int, window_s: float | None = None) -> None:
        self._ears.attend(attention, turn, window_s)

    def begin_anew(self) -> None:
        with self._lock:
            self._recent.clear()
        self._ears.begin_anew()

    def feed(self, frame: Frame) -> list[Event]:
        with self._lock:
            self._recent.append(frame)
            self._pass_on(frame)
        return self._ears.feed(frame)

    def _pass_on(self, frame: Frame) -> None:
        if self._give and not self._wanted():
            self._give = None
        if self._give:
            self._give(frame.samples)
