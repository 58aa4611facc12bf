"""What was done, newest last: to tell of it, and to take it back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

from appliance.ports import Reversal
from appliance.reply.plan import Call

KEPT = 20
"""Turns. Nobody takes back more in a row; a judgement."""


@dataclass(frozen=True)
class Deed:
    """What one turn did."""

    calls: tuple[Call, ...]
    said: str
    """What was said of it."""
    reversals: Sequence[Reversal]
    whole: bool
    """The reversals take back all of it."""


class Ledger:
    """Implements ports.Ledger: turns with one who may act, since the start. Safe for several threads."""

    def __init__(self) -> None:
        self._deeds, self._lock = deque[Deed](maxlen=KEPT), Lock()

    def add(self, deed: Deed) -> None:
        with self._lock:
            self._deeds.append(deed)

    @property
    def said(self) -> str:
        last = self._last
        return last.said if last else ""

    @property
    def undoable(self) -> bool:
        last = self._last
        return last is not None and last.whole

    def undo(self) -> None:
        if last := self._last:
            for reversal in reversed(last.reversals):
                reversal()
            with self._lock:
                self._deeds.remove(last)

    @property
    def _last(self) -> Deed | None:
        with self._lock:
            return self._deeds[-1] if self._deeds else None


class CurrentLedger:
    """Implements ports.Ledger: that of the conversation which is taken up."""

    def __init__(self, current: Callable[[], Ledger]) -> None:
        self._current = current

    def add(self, deed: Deed) -> None:
        self._current().add(deed)

    @property
    def said(self) -> str:
        return self._current().said

    @property
    def undoable(self) -> bool:
        return self._current().undoable

    def undo(self) -> None:
        self._current().undo()
