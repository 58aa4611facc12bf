"""Days and times of an everyday case, held against the words in a call, as the box itself reads them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

from dateutil.rrule import rrulestr

from appliance.language.dates import day_or_none, find_day
from appliance.simulated import HandSetClock
from appliance.skills import loader
from appliance.skills.calendar.new import Adding
from appliance.skills.calendar.words import CalendarWords
from appliance.skills.due import Due
from appliance.skills.entries import Entry
from appliance.skills.entry_words import EntryWords
from appliance.skills.which_entry import WhichEntry
from bench.alike import names
from bench.meaning import Arguments

OCCURRENCES = 5
"""Of what comes again, that must be the same."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
AFTERNOON = "15:00"
"""When a reminder of a day is: in "this afternoon" as well."""
SAME_S = 60
"""Two moments are the same: the clock of a box runs on while it thinks."""


@dataclass(frozen=True)
class Where:
    """Where a line was said: when, and in which language."""

    now: datetime
    """In the zone of the box."""
    language: str

    @property
    def zone(self) -> tzinfo:
        return self.now.tzinfo or UTC


Check = Callable[[Arguments, Any, Where], bool]


def _said(given: Arguments, argument: str) -> str:
    return str(given.get(argument) or "")


def _entry_words(skill: str) -> Callable[[Where], EntryWords]:
    folder = loader.HERE / skill
    return lambda where: EntryWords(HandSetClock(where.now), folder, where.language)


ALARMS, REMINDERS = _entry_words("alarms"), _entry_words("reminders")


def when(read: Callable[[Where], EntryWords]) -> Check:
    def check(given: Arguments, wanted: str, where: Where) -> bool:
        due = read(where).read(_said(given, "when")).due
        return not due.rule and _on_the_wall(due, where) == datetime.fromisoformat(wanted)

    return check


def after(read: Callable[[Where], EntryWords]) -> Check:
    def check(given: Arguments, wanted: float, where: Where) -> bool:
        due = read(where).read(_said(given, "when")).due
        off = due.moment(where.zone) - where.now - timedelta(seconds=wanted)
        return not due.rule and abs(off.total_seconds()) < SAME_S

    return check


def rule(read: Callable[[Where], EntryWords]) -> Check:
    def check(given: Arguments, wanted: str, where: Where) -> bool:
        due: Due | None = read(where).read(_said(given, "when")).due
        days = list[datetime]()
        while due and len(days) < OCCURRENCES:
            days.append(_on_the_wall(due, where))
            due = due.after(due.moment(where.zone))
        rule = rrulestr(wanted, dtstart=days[0])
        return [rule.after(days[0], inc=True), *rule.xafter(days[0], count=OCCURRENCES - 1)] == days

    return check


def time_of_day(read: Callable[[Where], EntryWords]) -> Check:
    """Of what comes again."""

    def check(given: Arguments, wanted: str, where: Where) -> bool:
        due = read(where).read(_said(given, "when")).due
        return _on_the_wall(due, where).strftime("%H:%M") == wanted

    return check


def _on_the_wall(due: Due, where: Where) -> datetime:
    return due.moment(where.zone).replace(tzinfo=None, fold=0)


def label(given: Arguments, wanted: str, where: Where) -> bool:
    """Of an alarm: said for itself, or behind the time."""
    label = _said(given, "label") or ALARMS(where).read(_said(given, "when")).rest
    return names(wanted, label, where.language)


def at_time(given: Arguments, wanted: str, where: Where) -> bool:
    """Of an alarm that is named by its time of day."""
    tomorrow = where.now.date() + timedelta(days=1)
    return _picks(ALARMS(where), _said(given, "which"), datetime.fromisoformat(f"{tomorrow}T{wanted}"), HOUR, where)


def day_of_reminders(given: Arguments, wanted: str, where: Where) -> bool:
    return _picks(REMINDERS(where), _said(given, "which"), datetime.fromisoformat(f"{wanted}T{AFTERNOON}"), DAY, where)


def _picks(words: EntryWords, said: str, at: datetime, apart: timedelta, where: Where) -> bool:
    """Whether the words name an entry at that time alone, and none that is so much later or earlier."""
    entries = [Entry(number, "", Due(at + number * apart), where.now) for number in (0, 1, -1)]
    return [each.id for each in WhichEntry(words, HandSetClock(where.now)).found(said, entries)] == [0]


def day(given: Arguments, wanted: str, where: Where) -> bool:
    """Of a day that is asked about, in words of either language: a model may write English."""
    said, today = _said(given, "day"), where.now.date()
    return _date(wanted) in (day_or_none(said, today, where.language), day_or_none(said, today))


def day_of_notes(given: Arguments, wanted: str, where: Where) -> bool:
    return find_day(_said(given, "day"), where.now.date(), where.language) == _date(wanted)


def day_of_calendar(given: Arguments, wanted: str, where: Where) -> bool:
    period = CalendarWords(where.language).periods.read(_said(given, "day"), where.now)
    return period is not None and period.begin.date() == _date(wanted)


def event_at(given: Arguments, wanted: str, where: Where) -> bool:
    new = Adding(CalendarWords(where.language)).read(_said(given, "what"), _said(given, "when"), where.now)
    return not (new.rule or new.all_day) and new.begin.replace(tzinfo=None) == datetime.fromisoformat(wanted)


def _date(written_day: str) -> date:
    return date.fromisoformat(written_day)
