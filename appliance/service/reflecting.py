"""Has the thread that thinks go over what was said, a piece at a time, for as long as nobody is served."""

from __future__ import annotations

from collections.abc import Callable

Piece = Callable[[], bool]
"""Does one piece of it; whether there was any."""


def reflecting(piece: Piece) -> Callable[[Callable[[], bool]], None]:
    """A `ports.Chore`."""

    def chore(go_on: Callable[[], bool]) -> None:
        while go_on() and piece():
            pass

    return chore
