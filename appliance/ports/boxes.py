"""What a box has of the other boxes of its house."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


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
