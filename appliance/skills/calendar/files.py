"""Calendar files (ICS, RFC 5545), each read again only when it has changed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from threading import Lock

import icalendar
import recurring_ical_events

from appliance.errors import ApplianceError, WrongUse, explained
from appliance.skills.calendar.events import Event, event_of

log = logging.getLogger(__name__)

MOST_BYTES = 16_000_000
"""A larger file is left out: one of 2,000 events has some 500 kB."""
_TOO_OFTEN = {"SECONDLY", "MINUTELY"}
"""Such a rule over years would keep the box busy for minutes."""
Wanted = Callable[[str], bool]
"""Whether an event is looked for, by its title and categories."""


@dataclass(frozen=True)
class _State:
    """What tells that a file is another than before."""

    changed_ns: int
    bytes: int
    inode: int


@dataclass(frozen=True)
class _Content:
    calendars: Sequence[icalendar.Calendar] = ()
    queries: Sequence[recurring_ical_events.CalendarQuery] = ()
    repeated: Collection[str] = frozenset()
    """UIDs of what takes place more than once."""
    uids: Collection[str] = frozenset()


@dataclass
class IcsFile:
    """Safe to use from two threads: a call that took too long may still be reading when the next one comes."""

    path: Path
    _state: _State | None = None
    _content: _Content = field(default_factory=_Content)
    _lock: Lock = field(default_factory=Lock)

    def content(self) -> _Content:
        """Empty where it cannot be read; the log then has one line, once for each change."""
        with self._lock:
            state = _state_of(self.path)
            if state != self._state:
                self._state, self._content = state, _Content()
                if state:
                    with self._usable():
                        self._content = _read(self.path, state.bytes)
            return self._content

    def between(self, begin: datetime, end: datetime, wanted: Wanted | None = None) -> list[Event]:
        """Each time from `begin` to before `end` that an event of it takes place, in the zone of `begin`."""
        content, zone = self.content(), begin.tzinfo
        assert zone is not None, "the times of a day depend on where it is"
        found = list[Event]()
        with self._usable():
            for query in _matching(content, wanted) if wanted else content.queries:
                for each in query.between(begin, end):
                    if not is_cancelled(each) and (not wanted or wanted(_searched(each))):
                        found.append(event_of(each, zone, self.path.name, uid_of(each) in content.repeated))
        return found

    @contextmanager
    def _usable(self) -> Iterator[None]:
        """A file that breaks what reads it counts as empty until it changes: the libraries trust what they read."""
        try:
            with explained(self._left_out, log, logging.DEBUG):
                yield
        except ApplianceError as error:
            log.error("%s", error)
            self._content = _Content()

    def _left_out(self, error: Exception) -> ApplianceError:
        why = error.strerror if isinstance(error, OSError) else " ".join(str(error).split())[:120]
        return WrongUse(f"the calendar file {self.path} is left out ({why})", remedy="correct or remove it")


def _state_of(path: Path) -> _State | None:
    """None where it cannot even be looked at, as where it is gone."""
    try:
        status = path.stat()
    except OSError:
        return None
    return _State(status.st_mtime_ns, status.st_size, status.st_ino)


def _read(path: Path, size: int) -> _Content:
    """Raises OSError, ValueError, and whatever icalendar raises."""
    if size > MOST_BYTES:
        raise ValueError(f"it has {size / 1e6:.0f} MB")
    found = icalendar.Calendar.from_ical(path.read_bytes(), multiple=True)
    if not found:
        raise ValueError("it holds no whole calendar")
    calendars = [_without_refused(each, path) for each in found]
    components = [event for each in calendars for event in each.walk("VEVENT")]
    return _Content(
        calendars,
        [recurring_ical_events.of(each, skip_bad_series=True) for each in calendars],
        frozenset(uid_of(event) for event in components if "RRULE" in event or "RDATE" in event),
        frozenset(map(uid_of, components)),
    )


def uid_of(component: icalendar.Component) -> str:
    return str(component.get("UID", ""))


def is_cancelled(component: icalendar.Component) -> bool:
    return str(component.get("STATUS", "")).upper() == "CANCELLED"


def _without_refused(calendar: icalendar.Calendar, path: Path) -> icalendar.Calendar:
    kept = [each for each in calendar.subcomponents if not _is_refused(each)]
    if left_out := len(calendar.subcomponents) - len(kept):
        log.error("%s: %d events are left out: no begin, or again each minute or second", path, left_out)
        calendar.subcomponents = kept
    return calendar


def _is_refused(component: icalendar.Component) -> bool:
    """What would break, or keep busy, the library that finds each time of it."""
    if component.name == "VEVENT" and "DTSTART" not in component:
        return True
    rules = component.get("RRULE", ())
    every = [each for each in (rules if isinstance(rules, list) else [rules]) if isinstance(each, icalendar.vRecur)]
    return any(_TOO_OFTEN & {str(name).upper() for name in rule.get("FREQ", ())} for rule in every)


def _matching(content: _Content, wanted: Wanted) -> Iterator[recurring_ical_events.CalendarQuery]:
    """Of the series of which any time is wanted: to expand all others for a year would take seconds."""
    for calendar in content.calendars:
        uids = {uid_of(event) for event in calendar.walk("VEVENT") if wanted(_searched(event))}
        chosen = icalendar.Calendar()
        if "X-WR-TIMEZONE" in calendar:
            chosen["X-WR-TIMEZONE"] = calendar["X-WR-TIMEZONE"]
        chosen.subcomponents = [event for event in calendar.walk("VEVENT") if uid_of(event) in uids]
        if chosen.subcomponents:
            yield recurring_ical_events.of(chosen, skip_bad_series=True)


def _searched(component: icalendar.Component) -> str:
    categories = component.categories if isinstance(component, icalendar.Event) else ()
    return " ".join([str(component.get("SUMMARY", "")), *map(str, categories)])
