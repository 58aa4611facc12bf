"""Timers that are due, and the sound they make until somebody stops it. Touches no model: it rings while one hangs."""

from __future__ import annotations

import time

from appliance.ports import Alarms, Timer, Voice


class Ringing:
    def __init__(self, alarms: Alarms, voice: Voice, longest_s: float) -> None:
        self._alarms, self._voice, self._longest_s = alarms, voice, longest_s
        self._ringing: dict[int, Timer] = {}
        self._ends_s = float("inf")

    @property
    def on(self) -> bool:
        return bool(self._ringing)

    def has_new(self) -> bool:
        return any(timer.id not in self._ringing for timer in self._alarms.due())

    def is_over(self) -> bool:
        """Nobody stopped it and it has rung long enough."""
        return time.monotonic() >= self._ends_s

    def wait_s(self) -> float:
        """Seconds until something is due here; infinite when nothing is set."""
        next_s = self._alarms.next_due_in()
        return min(float("inf") if next_s is None else next_s, self._ends_s - time.monotonic())

    def ring(self) -> None:
        fresh = [timer for timer in self._alarms.due() if timer.id not in self._ringing]
        self._ringing |= {timer.id: timer for timer in fresh}
        self._ends_s = time.monotonic() + self._longest_s
        self._voice.ring([self._alarms.sentence(timer) for timer in fresh])

    def silence(self) -> None:
        """The timers that rang are done with."""
        self._voice.silence()
        for timer in self._ringing.values():
            self._alarms.done(timer)
        self._ringing, self._ends_s = {}, float("inf")
