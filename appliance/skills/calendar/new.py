"""A new event, read from what was said of it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

import icalendar

from appliance.errors import BadArgument
from appliance.language.clock_times import on_day
from appliance.language.lists import capital
from appliance.language.moments import Moment, parse_moment
from appliance.language.recurrence import Recurrence, parse_recurrence, spoken_recurrence
from appliance.language.when import When, split_when
from appliance.ports import Spoken
from appliance.skills.calendar.events import Event, plain_title
from appliance.skills.calendar.periods import by_day
from appliance.skills.calendar.words import CalendarWords

LASTS = timedelta(hours=1)
"""An event whose end nobody said."""
_OF_THE_RULE = ("BYHOUR", "BYMINUTE", "BYSECOND")
"""Parts of a rule that an event has in its begin."""


@dataclass(frozen=True)
class NewEvent:
    title: str
    begin: datetime
    all_day: bool
    rule: str = ""
    """An RRULE, where it takes place again and again."""
    uid: str = field(default_factory=lambda: str(uuid.uuid4()))

    @property
    def end(self) -> datetime:
        return self.begin + (timedelta(days=1) if self.all_day else LASTS)

    def component(self, now: datetime) -> icalendar.Event:
        """As it is written: a single event in UTC; one that comes again by the clocks where the box is."""
        event = icalendar.Event()
        event.add("uid", self.uid)
        event.add("dtstamp", now.astimezone(UTC))
        event.add("summary", self.title)
        event.add("dtstart", self._written(self.begin))
        event.add("dtend", self._written(self.end))
        if self.rule:
            parts = [part for part in self.rule.split(";") if not part.startswith(_OF_THE_RULE)]
            event.add("rrule", icalendar.vRecur.from_ical(";".join(parts)))
        return event

    def _written(self, moment: datetime) -> date:
        if self.all_day:
            return moment.date()
        return moment.replace(tzinfo=None) if self.rule else moment.astimezone(UTC)


class Adding:
    def __init__(self, words: CalendarWords) -> None:
        self._words, self._language = words, words.language

    def read(self, what: str, when: str, now: datetime) -> NewEvent:
        """Of a title and a time, or of a title with the time in it. Raises BadArgument, which asks for what lacks."""
        title, said = (what, self._time(when, now)) if when else self._apart(what, now)
        title = capital(plain_title(self.bare(title)))
        if not title:
            raise BadArgument(self._words.begin("what"), remedy="say what it is")
        if isinstance(said, Recurrence):
            return self._again(title, said)
        return self._once(title, said, now)

    def told(self, new: NewEvent, now: datetime) -> Spoken:
        """What is said once it is written down."""
        event = Event(new.uid, new.title, new.begin, new.end, new.all_day)
        key = "added_again" if new.rule else "added_all_day" if new.all_day else "added"
        rule = spoken_recurrence(new.rule, self._language) if new.rule else ""
        return self._words.begin(key, title=new.title, moment=self._words.moment(event, now), rule=rule)

    def bare(self, title: str) -> str:
        """Without "a" or "my" before it."""
        first, _, rest = title.strip(" .,!?").partition(" ")
        return rest if rest and first.casefold() in self._words.noise_first else title.strip(" .,!?")

    def _time(self, when: str, now: datetime) -> When:
        said = parse_recurrence(when, now, self._language) or parse_moment(when, now, self._language)
        if said:
            return said
        if splits := split_when(when, now, self._language):
            return splits[0].when
        raise BadArgument(self._words.begin("no_time"), remedy="say a day, and a time")

    def _apart(self, what: str, now: datetime) -> tuple[str, When]:
        splits = split_when(what, now, self._language)
        if not splits:
            raise BadArgument(self._words.begin("when"), remedy="say a day, and a time")
        return splits[0].rest, splits[0].when

    def _once(self, title: str, said: Moment, now: datetime) -> NewEvent:
        if said.at:
            begin, all_day = by_day(said), False
        elif said.day and not said.part:
            begin, all_day = on_day(said.day, 0, now), True
        else:
            raise BadArgument(self._words.begin("which_time"), remedy="say a day and a time")
        new = NewEvent(title, begin, all_day)
        if new.end <= now or (not all_day and begin < now):
            event = Event(new.uid, title, begin, new.end, all_day)
            raise BadArgument(
                self._words.begin("over", moment=self._words.moment(event, now)), remedy="say a later time"
            )
        return new

    def _again(self, title: str, said: Recurrence) -> NewEvent:
        if said.first is None:
            raise BadArgument(self._words.begin("which_time"), remedy="say a day and a time")
        return NewEvent(title, said.first, False, said.rule)
