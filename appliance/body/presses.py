"""What the button's ups and downs mean: one table of how long it is held."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from queue import Empty, SimpleQueue
from threading import Thread

from appliance import events as ev

NEVER_S = 1e6
"""Longer than anybody holds a button, and what a queue can wait."""


@dataclass(frozen=True)
class Hold:
    after_s: float
    """Seconds that the button has been down."""
    reached: type[ev.Event] | None = None
    """What happens then."""
    let_go: type[ev.Event] | None = None
    """What happens when it is let go before the next."""
    felt: bool | None = None
    """Only where a short press was felt since the start, or only where none was: a line that goes low once and stays,
    such as a sound card's interrupt, must not erase anything. None is either."""


HOLDS = (
    Hold(0, let_go=ev.ButtonPressed),
    Hold(1.5, reached=ev.MuteToggled),
    Hold(10, reached=ev.ResetRefused, felt=False),
    Hold(10, reached=ev.ResetWarned, let_go=ev.ResetCancelled, felt=True),
    Hold(22, reached=ev.ResetConfirmed, felt=True),
)
"""docs/design/facts.md; the two of the reset are those of Home Assistant's Voice PE."""


AGAIN_S = 0.5
"""After a short press: a press that begins within it is its second. A judgement, as of a double click."""
SECOND = (Hold(0, let_go=ev.ButtonPressed), Hold(2, reached=ev.PairingAsked))
"""Of such a press, where the box lets devices in. However long it is held, it neither mutes nor erases."""


class Presses:
    """`changed` may be called from any thread and only enqueues; the thread `button` waits for the holds."""

    def __init__(
        self, post: Callable[[ev.Event], None], holds: Sequence[Hold] = HOLDS, second: Sequence[Hold] = ()
    ) -> None:
        """second: of a press that follows a short one at once, where that means anything else."""
        self._post, self._holds, self._second = post, holds, second
        self._pressed_s = float("-inf")
        """When a short press ended."""
        self._felt = False
        """There was a short press."""
        self._changes: SimpleQueue[bool | None] = SimpleQueue()
        self._thread = Thread(target=self._follow, name="button", daemon=True)

    def __enter__(self) -> Presses:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._changes.put(None)
        self._thread.join()

    def changed(self, down: bool) -> None:
        self._changes.put(down)

    def _follow(self) -> None:
        while (down := self._changes.get()) is not None:
            if down and not self._press():
                return

    def _press(self) -> bool:
        """From a down to its up; False when it is the end."""
        began_s = time.monotonic()
        is_second = bool(self._second) and began_s - self._pressed_s <= AGAIN_S
        holds = [hold for hold in (self._second if is_second else self._holds) if hold.felt in (None, self._felt)]
        for hold, following in pairwise((*holds, Hold(NEVER_S))):
            if hold.reached:
                self._post(hold.reached())
            change = self._change_before(began_s + following.after_s)
            if change is None:
                return False
            if change is False:
                if hold is holds[0]:
                    self._felt, self._pressed_s = True, time.monotonic()
                if hold.let_go:
                    self._post(hold.let_go())
                return True
        return True

    def _change_before(self, at_s: float) -> bool | None:
        """The next up or end; True when there is none until then. A further down is one too many: it says nothing."""
        down: bool | None = True
        while down:
            try:
                down = self._changes.get(timeout=max(0.0, at_s - time.monotonic()))
            except Empty:
                return True
        return down
