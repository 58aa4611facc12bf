"""The box as a device of the house, by MQTT: what it shows is told to the bridge, and orders are heard from there."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from threading import Event, Thread
from types import TracebackType
from typing import Any

from appliance import events as ev
from appliance.errors import ApplianceError
from appliance.ports import Bridge
from appliance.service.states import State

log = logging.getLogger(__name__)

PROVIDER = "mqtt"
AGAIN_S = 30.0
"""Between two times that the same is shown: the bridge takes a service for gone that is silent for 90 s."""
RETRY_S = 5.0
"""After an attempt that failed."""
SHOW_S = 3.0
"""For the bridge to take it."""
SHOWN_AS = {State.FOLLOW_UP: State.LISTENING}
"""A state that is another one to whoever looks from outside."""
CLOSED = (State.MUTED, State.RESETTING)
"""States with a closed microphone."""

SAME = timedelta(seconds=2)
"""An alarm whose moment differs by less is the same one: it is reckoned from how long it is until then."""

Orders = Mapping[str, Callable[[Any], None]]
"""What may be ordered -> what does it, of the value that the bridge has checked. Raises CannotBeDone."""


class Device:
    """A context manager, with a thread that tells the bridge: nobody else waits for it."""

    def __init__(self, bridge: Bridge, volume: Callable[[], int], next_alarm: Callable[[], datetime | None]) -> None:
        self._bridge, self._volume, self._next_alarm = bridge, volume, next_alarm
        self._latency: int | None = None
        self._alarm: datetime | None = None
        self._now: dict[str, Any] = {}
        self._changed, self._closing = Event(), Event()
        self._thread = Thread(target=self._run, name="device", daemon=True)

    def obey(self, orders: Orders) -> None:
        """From now on, in a thread of the bridge."""

        def heard(kind: str, value: Any) -> None:
            if kind != "order" or (do := orders.get(value["do"])) is None:
                return
            log.info("ordered by MQTT: %s", value["do"])
            try:
                do(value["to"])
            except ApplianceError as error:
                log.warning("%s was ordered by MQTT, and is not done: %s", value["do"], error)

        self._bridge.follow(PROVIDER, heard)

    def __enter__(self) -> Device:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._changed.set()
        self._thread.join(2 * SHOW_S)

    def watch(self, event: ev.Event, state: State) -> None:
        """The service's watcher."""
        if isinstance(event, ev.ReplyEnded) and event.record and event.record.ms.first_audio is not None:
            self._latency = event.record.ms.first_audio

    def look(self, state: State) -> None:
        """In each round of the service."""
        alarm = self._next_alarm()
        if not (alarm and self._alarm and abs(alarm - self._alarm) < SAME):
            self._alarm = alarm
        now = {
            "state": SHOWN_AS.get(state, state).name.lower(),
            "muted": state in CLOSED,
            "volume": self._volume(),
            "latency": self._latency,
            "next_alarm": self._alarm.isoformat(timespec="seconds") if self._alarm else None,
        }
        if now != self._now:
            self._now = now
            self._changed.set()

    def _run(self) -> None:
        shown: dict[str, Any] = {}
        next_s = 0.0
        while not self._closing.is_set():
            self._changed.wait(max(next_s - time.monotonic(), 0))
            self._changed.clear()
            now = self._now
            if now and (now != shown or time.monotonic() >= next_s):
                shown = now if self._show(now) else {}
                next_s = time.monotonic() + (AGAIN_S if shown else RETRY_S)
        self._show({})  # it is gone

    def _show(self, values: dict[str, Any]) -> bool:
        """Whether the bridge took it."""
        try:
            self._bridge.ask(PROVIDER, "show", SHOW_S, **values)
        except ApplianceError as error:
            log.debug("nothing is shown by MQTT: %s", error)
            return False
        return True
