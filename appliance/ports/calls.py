"""A call that somebody waits for, may give up on before it has done anything that lasts, and may take back."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from enum import Enum, auto
from threading import Lock

from appliance.errors import Cancelled

Reversal = Callable[[], object]


class Stage(Enum):
    RUNNING = auto()
    ACTING = auto()
    ABANDONED = auto()


class WaitedCall:
    """Running, then either acting or abandoned: whichever comes first holds. Safe to use from two threads."""

    def __init__(self) -> None:
        self._lock, self._stage = Lock(), Stage.RUNNING
        self.reversals = list[Reversal]()
        """What takes back what it did, in the order in which it was done."""

    def act(self) -> None:
        """From now on it does what lasts, and is seen through. Raises Cancelled where nobody waits any more."""
        with self._lock:
            if self._stage is Stage.ABANDONED:
                raise Cancelled
            self._stage = Stage.ACTING

    def abandon(self) -> bool:
        """Nobody waits any more: it will do nothing. False where it acts already."""
        with self._lock:
            if self._stage is Stage.RUNNING:
                self._stage = Stage.ABANDONED
            return self._stage is Stage.ABANDONED


current_call: ContextVar[WaitedCall | None] = ContextVar("current_call", default=None)
"""That of the thread which runs it; None where nobody gives up."""


def about_to_act() -> None:
    """To be called right before anything that lasts, such as a commit. Raises Cancelled; nothing may then be done."""
    if call := current_call.get():
        call.act()


def undoable(reversal: Reversal) -> None:
    """To be called once something was done: `reversal` takes it back, and raises ApplianceError where it cannot."""
    if call := current_call.get():
        call.reversals.append(reversal)
