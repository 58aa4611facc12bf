"""Whoever is told of what the service does."""

from __future__ import annotations

from collections.abc import Callable

from appliance import events as ev
from appliance.service.states import State

Watcher = Callable[[ev.Event, State], None]
"""Told of every event that mattered, with the state it led to."""


def nobody(event: ev.Event, state: State) -> None:
    """The watcher of a service that nobody watches."""


def all_of(*watchers: Watcher) -> Watcher:
    """One that tells each of these."""

    def watch(event: ev.Event, state: State) -> None:
        for watcher in watchers:
            watcher(event, state)

    return watch
