"""What plays in the room goes quieter while the box hears, thinks, speaks or rings."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread

from appliance import events as ev
from appliance.errors import logged
from appliance.service.states import QUIET, State
from appliance.service.watcher import Watcher

log = logging.getLogger(__name__)

Duck = Callable[[bool], None]
"""Be quieter, or as loud as before. May take seconds: whoever plays may be hanging."""


def hushing(hush: Callable[[], None]) -> Watcher:
    """The service's watcher: the box itself is quieter for a moment once something sounded like "stop".

    What follows is heard better then, and whoever says it knows that it was heard.
    """

    def watch(event: ev.Event, state: State) -> None:
        if isinstance(event, ev.StopSounded):
            hush()

    return watch


JOIN_S = 3.0
"""Longest wait for whoever plays when the service ends."""


class Ducking:
    """The service's watcher, on a thread of its own. Of changes that come faster than they are carried out, the newest
    counts. A context manager: at its end all is as loud as before."""

    def __init__(self, players: Sequence[Duck]) -> None:
        self._players = players
        self._wanted = SimpleQueue[bool | None]()
        self._quiet = False
        self._thread = Thread(target=self._carry_out, name="ducking", daemon=True)

    def __enter__(self) -> Ducking:
        if self._players:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._wanted.put(None)
        if self._thread.is_alive():
            self._thread.join(JOIN_S)

    def watch(self, event: ev.Event, state: State) -> None:
        quiet = state not in (State.STARTING, *QUIET)
        if quiet != self._quiet:
            self._quiet = quiet
            self._wanted.put(quiet)

    def _carry_out(self) -> None:
        wanted: bool | None = False
        while wanted is not None:
            wanted = self._wanted.get()
            while wanted is not None and not self._wanted.empty():
                wanted = self._wanted.get()
            for duck in self._players:
                with logged(log, "what plays keeps its volume"):
                    duck(bool(wanted))
