"""What a hand touches and an eye sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Light(Protocol):
    """One lamp, of one colour or of three."""

    def set(self, red: float, green: float, blue: float) -> None:
        """Each 0 to 1; a lamp of one colour shows the brightest, one that cannot be dimmed is lit by any of them.

        Raises DeviceMissing.
        """

    def close(self) -> None:
        """Dark. May be repeated."""


class Button(Protocol):
    def listen(self, changed: Callable[[bool], None]) -> None:
        """From now on tell of each change, in any thread: True when it goes down. Bounces are left out."""

    def close(self) -> None: ...
