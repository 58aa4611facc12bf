"""All that the box knows of the calendar: its own file, that from the server, and the owner's."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import icalendar

from appliance.ports import Clock, about_to_act
from appliance.settings import Settings
from appliance.skills.calendar.box import BoxFile
from appliance.skills.calendar.events import Event
from appliance.skills.calendar.files import IcsFile, Wanted, uid_of

FOLDER = "calendar"
"""Of what the box itself keeps, in `state`."""
SERVER, SYNCED = "server.ics", "synced"
"""What the server had last; a file whose time of change is when it was last asked."""
HOUSE, HOUSE_READ = "house.ics", "house_read"
"""The same of the calendars that Home Assistant exposes."""


class Diary:
    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.has_house = bool(settings.home_assistant.url and settings.home_assistant.use_calendars)
        self._calendar, self._clock, self._own = settings.calendar, clock, settings.state / FOLDER
        self.box = BoxFile(self._own, synchronised=self.has_server)
        self._files = dict[Path, IcsFile]()

    @property
    def chosen(self) -> bool:
        return bool(self._calendar.folder or self._calendar.url)

    @property
    def is_there(self) -> bool:
        """Whether there is anything to be read: a folder may be on a drive that is not."""
        return (
            self.has_server or self.has_house or (self._calendar.folder is not None and self._calendar.folder.is_dir())
        )

    def between(self, begin: datetime, end: datetime, wanted: Wanted | None = None) -> list[Event]:
        """Each time from `begin` to before `end` that anything takes place, in the order in which it is told.

        What stands in two files counts once: as in the box's own, then as on the server.
        """
        found, hidden = list[Event](), set[str]()
        for file in self._in_order():
            found += [each for each in file.between(begin, end, wanted) if each.uid not in hidden]
            hidden |= {uid for uid in file.content().uids if uid}
        return sorted(found, key=lambda each: each.order)

    def upcoming(self, within: timedelta) -> list[Event]:
        """What begins from now on, and no later than `within`."""
        now = self._clock.now()
        return [each for each in self.between(now, now + within) if each.begin > now]

    def is_mine(self, event: Event) -> bool:
        """Whether it may be deleted here: it is the box's own, or the server's."""
        return event.source in (self.box.path.name, SERVER)

    def component(self, uid: str) -> icalendar.Event | None:
        """The event as it is written, of those that may be deleted here."""
        for name in (self.box.path.name, SERVER):
            for calendar in self._file(self._own / name).content().calendars:
                for each in calendar.walk("VEVENT"):
                    if uid_of(each) == uid and isinstance(each, icalendar.Event):
                        return each
        return None

    def put(self, event: icalendar.Event) -> None:
        """Raises OSError, ApplianceError."""
        about_to_act()
        self.box.put(event)

    def delete(self, uid: str) -> None:
        """Raises OSError, ApplianceError."""
        about_to_act()
        self.box.delete(uid)

    @property
    def has_server(self) -> bool:
        return bool(self._calendar.url)

    def last_reached(self) -> datetime | None:
        """When all of what is elsewhere was; None where some of it never was."""
        zone = self._clock.now().tzinfo
        names = [name for name, there in ((SYNCED, self.has_server), (HOUSE_READ, self.has_house)) if there]
        try:
            return min(datetime.fromtimestamp((self._own / name).stat().st_mtime, zone) for name in names)
        except FileNotFoundError:
            return None

    @property
    def is_elsewhere(self) -> bool:
        """Whether anything of it is kept by another machine."""
        return self.has_server or self.has_house

    def house_files(self) -> tuple[Path, Path]:
        """What Home Assistant's calendars are kept in, and what tells when they were read."""
        return self._own / HOUSE, self._own / HOUSE_READ

    def erase(self) -> None:
        """All but the owner's own files."""
        if self._own.exists():
            shutil.rmtree(self._own)

    def _in_order(self) -> Iterator[IcsFile]:
        yield self._file(self.box.path)
        yield self._file(self._own / SERVER)
        if self.has_house:
            yield self._file(self._own / HOUSE)
        if folder := self._calendar.folder:
            for path in sorted(folder.glob("*.ics")):
                yield self._file(path)

    def _file(self, path: Path) -> IcsFile:
        return self._files.setdefault(path, IcsFile(path))
