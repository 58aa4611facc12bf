"""The service's side of its contract with the service manager: loading, ready, alive, stopping."""

from __future__ import annotations

import logging
import time

from appliance.ports import Manager
from appliance.service.states import State
from appliance.service.vitals import Vitals

log = logging.getLogger(__name__)

LOADING_S = 300
"""Longest for one model, or for the first reading of the instructions (24 s on 2 x86-64 cores, minutes on a Pi 4)."""
WORDS = {
    State.STARTING: "starting",
    State.IDLE: "waiting for the wake word",
    State.LISTENING: "listening",
    State.THINKING: "thinking",
    State.SPEAKING: "speaking",
    State.FOLLOW_UP: "listening for more",
    State.RINGING: "ringing",
    State.CALLING: "calling another box",
    State.CALLED: "called by another box",
    State.TALKING: "in a call, listening",
    State.PLAYING: "in a call, speaking",
    State.MUTED: "muted",
    State.FAULTED: "degraded",
    State.RESETTING: "about to erase everything",
}


class Supervision:
    """`each_round` belongs to the service loop: a loop that stops feeds no watchdog."""

    def __init__(self, manager: Manager, vitals: Vitals) -> None:
        self._manager, self._vitals = manager, vitals
        self._told = ""
        self._ready = self._late = False
        self._next_s = 0.0

    def loading(self, what: str) -> None:
        """This may take a while from now on."""
        self._manager.tell(STATUS=what, EXTEND_TIMEOUT_USEC=LOADING_S * 1_000_000)

    def each_round(self) -> None:
        if not self._vitals.settled:
            return
        if not self._ready:
            self._ready = True
            self._manager.tell(READY=1)
            log.info("ready")
        self._tell_status()
        self._feed_watchdog()

    def stopping(self) -> None:
        self._manager.tell(STOPPING=1, STATUS="stopping")

    def _tell_status(self) -> None:
        trouble, words = self._vitals.trouble(), WORDS[self._vitals.state]
        status = f"degraded: {trouble}" if trouble else words
        if status != self._told:
            self._told = status
            self._manager.tell(STATUS=status)

    def _feed_watchdog(self) -> None:
        late = self._vitals.late()
        if late and not self._late:
            log.error("no sign of life from: %s; the watchdog is no longer fed", ", ".join(late))
        self._late = bool(late)
        if late or self._manager.watchdog_s is None or time.monotonic() < self._next_s:
            return
        self._next_s = time.monotonic() + self._manager.watchdog_s / 4  # half would do, were the loop never late
        self._manager.tell(WATCHDOG=1)
