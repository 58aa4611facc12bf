"""A box with a calendar of real files, for the tests beside it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from appliance.settings import Calendar, Settings
from appliance.simulated import HandSetClock
from appliance.skills.calendar.diary import Diary
from appliance.skills.calendar.tools import CalendarTools

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 25, 10, 0, tzinfo=BERLIN)
"""A Wednesday."""
ZONE = """\
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE
"""


def ics(*events: str, head: str = "") -> str:
    """events: lines of each, without its begin and end."""
    bodies = "".join(f"BEGIN:VEVENT\n{event.strip()}\nEND:VEVENT\n" for event in events)
    text = f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n{head}{ZONE}{bodies}END:VCALENDAR\n"
    return text.replace("\n", "\r\n")


def event(title: str, start: str, *more: str, uid: str = "") -> str:
    """start: what stands behind DTSTART, such as `:20261126T150000Z` or `;VALUE=DATE:20261126`."""
    lines = [f"UID:{uid or title}", "DTSTAMP:20260101T000000Z", f"DTSTART{start}", f"SUMMARY:{title}", *more]
    return "\n".join(lines)


def at(local: str) -> str:
    """A time in Berlin."""
    return f";TZID=Europe/Berlin:{local}"


class Box:
    def __init__(self, home: Path, now: datetime = NOW, language: str = "en", url: str = "") -> None:
        self.folder, self.state, self.clock = home / "calendars", home / "state", HandSetClock(now)
        self.folder.mkdir(exist_ok=True)
        self.settings = Settings(state=self.state, calendar=Calendar(folder=self.folder, url=url))
        self.language = language
        self.restart()

    def restart(self) -> None:
        self.diary = Diary(self.settings, self.clock)
        self.tools = CalendarTools(self.diary, self.clock, language=self.language)

    def write(self, name: str, *events: str, head: str = "") -> Path:
        path = self.folder / name
        path.write_bytes(ics(*events, head=head).encode())
        return path

    def on(self, day: str) -> str:
        return self.tools.read_calendar(day)

    def when(self, what: str) -> str:
        return self.tools.read_calendar(what=what)
