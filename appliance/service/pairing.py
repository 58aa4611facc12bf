"""Who may come in by the button: for two minutes after it asked for that, one device, once its name was said aloud.

Whatever device of the network may ask. Where a second one does while the first is being let in, nobody can tell which
of them was meant: neither is let in, as with the push button of Wi-Fi Protected Setup.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Event as Flag
from threading import Lock

from appliance import events as ev
from appliance.errors import logged
from appliance.ports.refusals import Refused
from appliance.service.states import State
from appliance.wording import said

log = logging.getLogger(__name__)

OPEN_S = 120.0
REFUSE_S = 5.0
"""After a name was said, in which a press of the button turns it away. A judgement: whoever held it stands there."""
CLOSES = (ev.ButtonPressed, ev.MuteToggled, ev.ResetWarned)
HOW = "press the button of the box shortly, then at once again, and hold it for 2 s"


class ButtonPairing:
    """Safe to use from several threads."""

    def __init__(
        self, aloud: Callable[[str], bool], language: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """aloud: says a text, and waits until it was said: whether it was, to its end. Raises CannotBeDone."""
        self._aloud, self._language, self._clock = aloud, language, clock
        self._until_s = float("-inf")
        self._lock, self._closed = Lock(), Flag()
        self._two = False
        """Another device asked while one was being let in."""

    @property
    def open(self) -> bool:
        return self._clock() < self._until_s

    @property
    def asks(self) -> bool:
        """The name of a device is being said, and a press of the button would turn it away."""
        return self._lock.locked()

    def watch(self, event: ev.Event, state: State) -> None:
        """The service's watcher. Whatever else the button is used for ends it."""
        if isinstance(event, ev.PairingAsked):
            self._closed.clear()
            self._until_s = self._clock() + OPEN_S
            log.info("the button lets one device in, for %.0f s", OPEN_S)
        elif isinstance(event, CLOSES):
            self._until_s = float("-inf")
            self._closed.set()

    def admit(self, name: str, refuse_s: float = REFUSE_S) -> None:
        """Returns where the device of that name is let in, and nobody else is. Raises Refused, CannotBeDone."""
        if not self.open:
            raise Refused("not_allowed", "the button of the box lets nobody in now", remedy=HOW)
        if not self._lock.acquire(blocking=False):
            self._two = True
            self._until_s = float("-inf")
            self._closed.set()
            raise _two()
        try:
            self._two = False
            whole = self._aloud(said("pairing_asks", self._language).format(name=_spoken(name)))
            closed = self._closed.wait(refuse_s)
            if self._two:
                with logged(log, "two devices that ask to come in"):
                    self._aloud(said("pairing_two", self._language))
                raise _two()
            if not whole or closed:
                raise Refused("not_allowed", "it was turned away at the box", remedy=f"if it was yours, {HOW}")
            self._until_s = float("-inf")
        finally:
            self._lock.release()


def _two() -> Refused:
    return Refused("not_allowed", "two devices asked to come in at once, so neither may", remedy=f"to try again, {HOW}")


def _spoken(name: str) -> str:
    return name.translate(str.maketrans("._-", "   "))
