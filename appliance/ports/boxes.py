"""What a box has of the other boxes of its house."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True)
class Wake:
    """That a box heard its wake word."""

    box: str
    """Its name among the boxes of the house."""
    word: str
    score: float
    """0 to 1, the wake detector's own."""
    level_db: float
    """How far the word stood over the quiet before it, 0 to 100; so microphones of unlike gain can be compared."""
    took: bool = False
    """It answers, whoever else heard it."""


@dataclass(frozen=True)
class Told:
    """A wake of another box, as it came in."""

    wake: Wake
    at_s: float
    """Monotonic time of this box."""


class OtherBoxes(Protocol):
    """Safe to use from several threads; no method waits for the network."""

    @property
    def present(self) -> bool:
        """Whether any other box was there just now."""
        ...

    def tell(self, wake: Wake) -> None: ...

    def told(self) -> Sequence[Told]:
        """What they told in the last seconds, in its order."""
        ...


CallOrder = Literal["end", "refuse", "take"]
"""What a line is to a call: it ends whatever there is, refuses the one that rings, or takes it."""


class Calls(Protocol):
    """Calls with other boxes of the house."""

    def ring(self, box: str) -> str:
        """Have that box ring, for somebody who asked this one for it by voice: what came of it, as a code of ANSWERS in
        bridge/boxes_questions.py, or "remote" for whoever does not stand here, or "busy_here". Waits for the network.
        """
        ...

    def end(self) -> bool:
        """Hang up. Whether there was a call."""
        ...


class _NoCalls:
    """Implements Calls where no service runs that could make one."""

    def ring(self, box: str) -> str:
        return "remote"

    def end(self) -> bool:
        return False


NO_CALLS: Calls = _NoCalls()
