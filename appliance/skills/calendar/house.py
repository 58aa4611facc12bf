"""The calendars that Home Assistant exposes, copied into a file that is read like the owner's others.

They are fetched in the background: a question is answered from the file, also while Home Assistant is away.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import icalendar
from pydantic import BaseModel, TypeAdapter, ValidationError, field_validator

from appliance.errors import ApplianceError, CannotBeDone
from appliance.ports import LINK, Bridge, Clock
from appliance.skills.calendar.box import content_of, write_file
from appliance.skills.home_assistant import PROVIDER, call

log = logging.getLogger(__name__)

EVERY_S = 900.0
"""Between two fetches where nothing tells of a change, as often as the CalDAV server is asked."""
BEFORE, AHEAD = timedelta(days=1), timedelta(days=366)
"""What is fetched, from now: as far as an event is looked for."""
MOST_EVENTS = 5_000
"""Of all calendars together; more are left out."""
WAIT_S = 30.0
"""For Home Assistant, which may have to ask a server of its own. Nobody waits for it."""
DOMAIN = "calendar."


class _Event(BaseModel):
    """As calendar.get_events gives it: both moments with a zone, or both days, of which the last is not part of it."""

    start: str
    end: str
    summary: str = ""

    @field_validator("start", "end")
    @classmethod
    def _readable(cls, text: str) -> str:
        datetime.fromisoformat(text)
        return text


_EVENTS = TypeAdapter(list[dict[str, Any]])


class HouseCalendars:
    def __init__(self, bridge: Bridge, file: Path, reached: Path, clock: Clock) -> None:
        """file: where they are kept.  reached: its time of change is when they were last fetched."""
        self._bridge, self._file, self._reached, self._clock = bridge, file, reached, clock
        self._lock = threading.Lock()
        self._names: tuple[str, ...] = ()
        self._up, self._fetched_s = False, float("-inf")
        bridge.follow(PROVIDER, self._heard)

    def chore(self, goes_on: Callable[[], bool]) -> None:
        """Fetch them where it is time to. Raises OSError."""
        with self._lock:
            names, due = self._names, self._up and time.monotonic() - self._fetched_s >= EVERY_S
        if not due or not goes_on():
            return
        self._fetched(time.monotonic())  # what is told from now on is fetched the next time
        try:
            told = self._told(names)
        except ApplianceError as error:
            log.warning("the calendars of Home Assistant were not read: %s", error)
            self._fetched(float("-inf"))
            return
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_file(self._file, content_of([*_components(told)][:MOST_EVENTS]))
        self._reached.touch()

    def _fetched(self, at_s: float) -> None:
        with self._lock:
            self._fetched_s = at_s

    def _told(self, names: tuple[str, ...]) -> dict[str, Any]:
        """Calendar -> what it answers. Raises ApplianceError."""
        if not names:
            return {}
        now = self._clock.now()
        span = {"start_date_time": (now - BEFORE).isoformat(), "end_date_time": (now + AHEAD).isoformat()}
        answer = call(self._bridge, "calendar.get_events", names, span, WAIT_S, response=True)
        response = answer.get("response") if isinstance(answer, dict) else None
        if not isinstance(response, dict):
            raise CannotBeDone("it answered with nonsense")
        return response

    def _heard(self, kind: str, value: Any) -> None:
        """From the bridge's thread. Any news of a calendar is a reason to fetch all of them."""
        with self._lock:
            if kind == LINK:
                self._up = bool(value.get("up"))
            elif kind == "house":
                self._names = tuple(each["id"] for each in value["entities"] if each["id"].startswith(DOMAIN))
                self._fetched_s = float("-inf")
            elif kind == "states" and any(name.startswith(DOMAIN) for name in value):
                self._fetched_s = float("-inf")


def _components(told: dict[str, Any]) -> Iterator[icalendar.Event]:
    for name, answer in sorted(told.items()):
        for event in _readable(name, answer):
            yield _component(name, event)


def _readable(name: str, answer: Any) -> Iterable[_Event]:
    """Of one calendar; an event that cannot be read is left out, and logged."""
    try:
        events = _EVENTS.validate_python(answer.get("events") if isinstance(answer, dict) else None)
    except ValidationError:
        log.error("%s is left out: it answered with nonsense", name)
        return
    for each in events:
        try:
            yield _Event.model_validate(each)
        except ValidationError as error:
            log.error("an event of %s is left out (%d errors)", name, error.error_count())


def _component(name: str, told: _Event) -> icalendar.Event:
    """It has no id of its own there: its calendar, begin and title stand for one."""
    event = icalendar.Event()
    event.add("uid", hashlib.sha256(f"{name}\n{told.start}\n{told.summary}".encode()).hexdigest()[:32])
    event.add("dtstamp", datetime(1970, 1, 1, tzinfo=UTC))  # the same content is not written again
    event.add("summary", told.summary)
    event.add("dtstart", _moment(told.start))
    event.add("dtend", _moment(told.end))
    return event


def _moment(text: str) -> date:
    moment = datetime.fromisoformat(text)
    if len(text) == len("2026-11-28"):
        return moment.date()
    return moment.astimezone(UTC) if moment.tzinfo else moment
