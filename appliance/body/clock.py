"""Wall time and time that never jumps."""

from __future__ import annotations

import time
from datetime import datetime, timedelta, tzinfo


class SystemClock:
    """The machine's clock, in the box's zone."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone

    def now(self) -> datetime:
        return datetime.now(self._zone)

    def monotonic(self) -> float:
        return time.monotonic()


class ShiftedClock:
    """A clock that shows `start` when it is made or moved, and runs on from there."""

    def __init__(self, start: datetime, zone: tzinfo) -> None:
        self._zone = zone
        self._skipped_s = 0.0
        """What countdowns have to be told passed."""
        self._start, self._at_s = datetime.now(zone), time.monotonic()
        self.move(start)
        self._skipped_s = 0.0

    def move(self, to: datetime) -> None:
        """As if the time until `to` had passed; back is only the wall's. A time without a zone is one of the box's."""
        start = to.replace(tzinfo=self._zone) if to.tzinfo is None else to.astimezone(self._zone)
        self._skipped_s += max(0.0, start.timestamp() - self.now().timestamp())
        self._start, self._at_s = start, time.monotonic()

    def now(self) -> datetime:
        passed = timedelta(seconds=time.monotonic() - self._at_s)
        return datetime.fromtimestamp(self._start.timestamp() + passed.total_seconds(), self._zone)

    def monotonic(self) -> float:
        return time.monotonic() + self._skipped_s
