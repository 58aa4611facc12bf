"""What a skill rings with: its alarms, the words for them, and what may sound in the place of the chime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol

from appliance.ports.service import Alarms, E, Said, Telling

JUST_S = 60.0
"""How long after its end a ring can still be snoozed: the wake word before the order ends it."""


class KeptAlarms(Alarms[E], Protocol[E]):
    """Alarms that can also be listed, and of which some rang where nobody could hear it."""

    def all(self) -> list[E]:
        """Running or ringing, soonest first."""
        ...

    def missed(self) -> list[E]:
        """Those that ended too long ago to ring now, and those that rang in vain."""
        ...

    def can_snooze(self) -> bool:
        """Whether any rings, or did a moment ago: the wake word before the order ends it."""
        ...

    def snooze(self, seconds: float) -> int:
        """Those are silent, and ring again in so many seconds; how many there were. Raises StoreUnusable, Cancelled."""
        ...


class Wording(Telling[Said], Protocol[Said]):
    def missed(self, ended: Sequence[Said], /) -> str:
        """What to tell of those that were missed; empty for none."""
        ...


@dataclass(frozen=True)
class Rings(Generic[E]):
    """What ends at a time and rings then, and the words for it."""

    alarms: KeptAlarms[E]
    telling: Wording[E]
    running: Callable[[], Sequence[str]] = tuple
    """What the user calls those that run; none of one without a name."""
    plays: Callable[[E], str] = lambda ended: ""
    """What is to play in place of the chime, as the user said it (WakeSounds); empty is the chime."""


class WakeSounds(Protocol):
    """What can play in place of the chime, such as music. `start` and `stop` return at once, whatever hangs."""

    def named(self, what: str) -> str:
        """The name of what somebody means; empty where there is nothing of that name.

        Raises CannotBeDone where nobody can tell now.
        """
        ...

    def start(self, what: str) -> None:
        """Play it until `stop`, softly at first, then rising to as loud as it is set."""
        ...

    @property
    def sounding(self) -> bool:
        """Whether it is seen to play: not yet for a moment after `start`, and no longer once it came to its end."""
        ...

    def stop(self) -> None: ...
