"""The calendar's own file: what was added by voice, and what still has to be told to the server.

Two processes write to it, the box and the synchronisation, each under a lock and each time as a whole: it is either the
old file or the new one, whenever the power is cut.
"""

from __future__ import annotations

import fcntl
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import icalendar

from appliance import whole_file
from appliance.errors import ApplianceError, WrongUse, explained
from appliance.skills.calendar.files import uid_of

log = logging.getLogger(__name__)

NAME = "box.ics"
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
Events = Sequence[icalendar.Event]


class BoxFile:
    def __init__(self, folder: Path, synchronised: bool = False) -> None:
        """synchronised: there is a server that has to be told of what is deleted. The folder is made when needed."""
        self.path, self._lock, self._synchronised = folder / NAME, folder / ".lock", synchronised

    def events(self) -> list[icalendar.Event]:
        """Those to be deleted elsewhere are cancelled. Raises ApplianceError where the file cannot be used."""
        if not self.path.exists():
            return []
        with explained(self._unusable, log, logging.DEBUG):
            calendar = icalendar.Calendar.from_ical(self.path.read_bytes())
            return [each for each in calendar.walk("VEVENT") if isinstance(each, icalendar.Event)]

    def _unusable(self, error: Exception) -> ApplianceError:
        why = " ".join(str(error).split())[:120]
        return WrongUse(f"the calendar file {self.path} cannot be used ({why})", remedy="correct it, or move it away")

    def put(self, event: icalendar.Event) -> None:
        """Add it, or put it in the place of that with its UID. Raises OSError, ApplianceError."""
        self._edit(lambda events: [*_without(events, uid_of(event)), event])

    def delete(self, uid: str) -> None:
        """Raises OSError, ApplianceError."""
        note = [_cancelled(uid)] if self._synchronised else []
        self._edit(lambda events: [*_without(events, uid), *note])

    def drop(self, told: Events) -> None:
        """Take out what the server knows now; what has changed meanwhile stays. Raises OSError, ApplianceError."""
        known = {event.to_ical() for event in told}
        self._edit(lambda events: [event for event in events if event.to_ical() not in known])

    def _edit(self, change: Callable[[Events], Events]) -> None:
        with self._locked():
            write_file(self.path, content_of(change(self.events())))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self._lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._lock.open("w") as lock:  # closing it lets it go
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _without(events: Events, uid: str) -> list[icalendar.Event]:
    return [each for each in events if uid_of(each) != uid]


def _cancelled(uid: str) -> icalendar.Event:
    event = icalendar.Event()
    event.add("uid", uid)
    event.add("dtstamp", _LONG_AGO)
    event.add("dtstart", _LONG_AGO)
    event.add("status", "CANCELLED")
    return event


def content_of(components: Sequence[icalendar.Component]) -> bytes:
    """They alone, as a calendar."""
    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//voice-appliance//EN")
    calendar.add("version", "2.0")
    calendar.subcomponents = [*components]
    return bytes(calendar.to_ical())


def write_file(path: Path, content: bytes) -> None:
    """Whole or not at all, and on the disk; one that has that content stays as it is. Raises OSError."""
    if path.exists() and path.read_bytes() == content:
        return
    whole_file.write(path, content, whole_file.READABLE)
