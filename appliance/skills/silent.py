"""For a box of whose skills none rings."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.ports import Rings, Timer


class _NoAlarms:
    def all(self) -> list[Timer]:
        return []

    due = ringing = missed = all

    def next_due_in(self) -> float | None:
        return None

    def done(self, *timers: Timer) -> None:
        """There are none."""

    def miss(self, *timers: Timer, rang: bool) -> None:
        """There are none."""


class _NoWords:
    def sentence(self, timer: Timer) -> str:
        return ""

    def missed(self, timers: Sequence[Timer]) -> str:
        return ""


SILENT = Rings(_NoAlarms(), _NoWords())
