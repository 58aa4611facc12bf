"""The time, who sets it, and the timers that end at one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Protocol


class ClockTrust(Protocol):
    """Whether the time of day can be relied on: an alarm waits until it can, and a timer counts by its length."""

    @property
    def trusted(self) -> bool:
        """Whether something is known to have set the clock since power came back. It stays true."""
        ...

    @property
    def last_seen(self) -> datetime | None:
        """What the clock showed last before this start, up to a minute earlier; None where nobody knows."""
        ...


class Clock(ClockTrust, Protocol):
    def now(self) -> datetime:
        """Local wall time, with its zone. Until it is `trusted` an estimate, late by as long as the power was off."""
        ...

    def monotonic(self) -> float:
        """Seconds that never jump, and count in suspend too."""
        ...

    def keep(self) -> None:
        """Note the time now and then, for `last_seen` after a power cut. To be called often."""
        ...


class ClockSet(Enum):
    """What became of a time that the clock was to be set to."""

    DONE = "done"
    NETWORK = "network"
    """A time server sets the clock, so nobody else does."""
    REFUSED = "refused"
    """It is no time of this century, or the system does not let anybody set it."""
    NOBODY = "nobody"
    """Nothing here may set the clock."""


ClockSetter = Callable[[datetime], ClockSet]
"""Sets the machine's clock to a time with its zone."""


@dataclass(frozen=True)
class Timer:
    id: int
    label: str
    """What it is for, in the user's words; may be empty."""
    seconds: float
    """Its full length."""
    due: datetime
    """Wall time, in UTC; with its own offset what an older release wrote. Of a paused one: when it would have been."""
    paused_s: float | None = None
    """Seconds that are left of it while it is paused; None while it runs."""
    due_trusted: bool = True
    """Whether `due` was counted by a trusted clock. If not, only its distance from `ClockTrust.last_seen` says much."""
    rang: bool = False
    """It rang as long as it may, and nobody came: it is still to be told of."""


class TimerStore(Protocol):
    """Timers on disk: what `add` returned survives a power cut."""

    def add(
        self, label: str, seconds: float, due: datetime, due_trusted: bool = True, paused_s: float | None = None
    ) -> Timer: ...

    def replace(
        self, old: Timer, seconds: float, due: datetime, due_trusted: bool = True, paused_s: float | None = None
    ) -> Timer:
        """A new one with the label of `old`, which is gone; never both, nor none of them."""
        ...

    def move(self, timer_id: int, due: datetime, due_trusted: bool = True) -> None:
        """Give it another due time; it runs from then on, if it was paused."""
        ...

    def pause(self, timer_id: int, left_s: float) -> None:
        """Keep it from ending, with so much left, until it is moved."""
        ...

    def rang(self, *timer_ids: int) -> None:
        """They rang and nobody came."""
        ...

    def remove(self, *timer_ids: int) -> None:
        """All of them or none."""
        ...

    def all(self) -> list[Timer]:
        """Soonest first."""
        ...
