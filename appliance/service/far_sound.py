"""What was said at the other end of a call, from when it comes in until it is played."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from threading import Condition

from appliance.audio import RATE_HZ, Samples, Speech, Stale

AHEAD_S = 0.5
"""Sound that is there before it is played, for what comes late on Wi-Fi: two pieces (ears/talk.py). A judgement."""
LATE_S = 1.0
"""For a piece to come: with more it is over, whatever is missing."""
MOST_S = 60.0
"""Sound that is kept while it cannot be played; the oldest makes room."""
LOOK_S = 0.05
"""Between two looks at whether somebody still wants it: that has no bell."""


class FarSound:
    """Written by the bridge's thread, read by the loop's and by the one that plays."""

    def __init__(self) -> None:
        self._pieces = deque[Samples]()
        self._whole = False
        """Nothing is to be waited for: who spoke has finished."""
        self._changed = Condition()

    @property
    def ready(self) -> bool:
        """Enough of it is there to begin."""
        with self._changed:
            return bool(self._pieces) and (self._whole or self._seconds() >= AHEAD_S)

    def add(self, samples: Samples) -> None:
        with self._changed:
            self._pieces.append(samples)
            self._whole = False
            while self._seconds() > MOST_S:
                self._pieces.popleft()
            self._changed.notify_all()

    def end(self) -> None:
        with self._changed:
            self._whole = True
            self._changed.notify_all()

    def clear(self) -> None:
        with self._changed:
            self._pieces.clear()
            self._whole = False

    def pieces(self, stale: Stale) -> Iterator[Speech]:
        """Each as it comes, until who spoke has finished."""
        while (samples := self._next(stale)) is not None:
            yield Speech(samples, RATE_HZ)

    def _next(self, stale: Stale) -> Samples | None:
        waited_s = 0.0
        with self._changed:
            while not (self._pieces or self._whole or stale() or waited_s >= LATE_S):
                waited_s += 0 if self._changed.wait(LOOK_S) else LOOK_S
            return self._pieces.popleft() if self._pieces and not stale() else None

    def _seconds(self) -> float:
        return sum(map(len, self._pieces)) / RATE_HZ
