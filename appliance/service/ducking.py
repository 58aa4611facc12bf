"""What plays in the room goes quieter while the box hears, thinks, speaks or rings."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread

from appliance import events as ev
from appliance.errors import logged
from appliance.service.states import QUIET, State

log = logging.getLogger(__name__)

Duck = Callable[[bool], None]
"""Be quieter, or as loud as before. May take seconds: whoever plays may be hanging."""


class Ducking:
    """The service's watcher, on a thread of its own. Of changes that come faster than they are carried out, the newest
    counts."""

    def __init__(self, players: Sequence[Duck]) -> None:
        self._players = players
        self._wanted = SimpleQueue[bool]()
        self._quiet = False
        if players:
            Thread(target=self._carry_out, name="ducking", daemon=True).start()

    def watch(self, event: ev.Event, state: State) -> None:
        quiet = state not in (State.STARTING, *QUIET)
        if quiet != self._quiet:
            self._quiet = quiet
            self._wanted.put(quiet)

    def _carry_out(self) -> None:
        while True:
            wanted = self._wanted.get()
            while not self._wanted.empty():
                wanted = self._wanted.get()
            for duck in self._players:
                with logged(log, "what plays keeps its volume"):
                    duck(wanted)
