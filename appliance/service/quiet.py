"""Quiet hours: softer, and nothing unasked."""

from __future__ import annotations

from datetime import time

from appliance.ports import Clock


class QuietHours:
    """From one time of day until another, over midnight or not; never where one of them is not set, or both are one.

    While the clock is not trusted it may be any hour: then there are none.
    """

    def __init__(self, begin: time | None, end: time | None, clock: Clock) -> None:
        self._begin, self._end, self._clock = begin, end, clock

    def now(self) -> bool:
        if self._begin is None or self._end is None or not self._clock.trusted:
            return False
        at = self._clock.now().time()
        if self._begin <= self._end:
            return self._begin <= at < self._end
        return at >= self._begin or at < self._end
