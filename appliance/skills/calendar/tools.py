"""Reading the calendar, adding to it and deleting from it, in the words of a conversation."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Annotated

from dateutil.relativedelta import relativedelta
from pydantic import Field

from appliance.errors import ApplianceError, BadArgument, Cancelled, CannotBeDone
from appliance.language.moments import spoken_moment
from appliance.ports import Clock, SoundOf, Spoken, undoable
from appliance.skills.calendar.diary import Diary
from appliance.skills.calendar.events import Event
from appliance.skills.calendar.new import Adding, NewEvent
from appliance.skills.calendar.periods import Period
from appliance.skills.calendar.search import meaning_of, ways
from appliance.skills.calendar.words import CalendarWords
from appliance.skills.written import FALLBACK

log = logging.getLogger(__name__)

SOON = timedelta(days=7)
STALE = timedelta(days=1)
"""Without its server for longer, the box says since when."""
SEARCHED = relativedelta(months=12)
"""How far ahead an event is looked for; the phrases name it too."""
Day = Annotated[str, Field(max_length=80, description="day or time as said, such as this weekend")]
Title = Annotated[str, Field(max_length=120, description="what takes place, in the user's words")]
When = Annotated[str, Field(max_length=80, description="day and time as said")]


class CalendarTools:
    def __init__(self, diary: Diary, clock: Clock, sound_of: SoundOf = str.casefold, language: str = FALLBACK) -> None:
        """language: of all that is said."""
        self._diary, self._clock, self._sound_of = diary, clock, sound_of
        self._words = CalendarWords(language)
        self._adding = Adding(self._words)

    def missing(self) -> str:
        """Why there is no calendar; empty where there is one."""
        if self._diary.is_there:
            return ""
        return self._words.begin("no_folder" if self._diary.chosen else "missing")

    def read_calendar(self, day: Day = "", what: Title = "") -> Spoken:
        """Tell what is in the calendar on a day, what is next, or when something is."""
        now = self._clock.now()
        period = self._period(day, now)
        if meant := meaning_of(what, self._words):
            said = self._when(what, self._found(meant, period, now), period, now)
        elif period:
            said = self._words.told(self._on(period, now), period, now)
        else:
            said = self._next(now)
        return self._with_age(said, now)

    def add_event(self, what: Title, when: When) -> Spoken:
        """Add an event to the calendar; its day, or its day and time."""
        now = self._clock.now()
        new = self._adding.read(what, when, now)
        if there := self._same(new):
            return self._words.begin("there", title=self._words.title(there), moment=self._words.moment(there, now))
        component = new.component(now)
        self._written(lambda: self._diary.put(component))
        undoable(lambda: self._written(lambda: self._diary.delete(new.uid)))
        return self._adding.told(new, now)

    def delete_event(self, what: Title, when: When = "") -> Spoken:
        """Delete an event from the calendar."""
        now = self._clock.now()
        event = self._meant(what, self._period(when, now), now)
        title = self._words.title(event)
        component = self._diary.component(event.uid)
        if not self._diary.is_mine(event) or component is None:
            raise CannotBeDone(self._words.begin("not_mine", title=title))
        if event.repeats:
            raise CannotBeDone(self._words.begin("comes_again", title=title))
        self._written(lambda: self._diary.delete(event.uid))
        undoable(lambda: self._written(lambda: self._diary.put(component)))
        return self._words.begin("deleted", title=title, moment=self._words.moment(event, now))

    def _period(self, said: str, now: datetime) -> Period | None:
        """None for an empty one. Raises BadArgument for what is no time."""
        if not said:
            return None
        if period := self._words.periods.read(said, now):
            return period
        raise BadArgument(self._words.begin("which_day", day=said), remedy="name a day, or a time of it")

    def _on(self, period: Period, now: datetime) -> list[Event]:
        """What takes place in it, and is not over yet where some of it is to come.

        A night that ends after midnight has no all-day events of the day behind it.
        """
        begin = now if period.begin < now < period.end else period.begin
        found = self._diary.between(begin, period.end)
        day = period.begin.date()
        return [each for each in found if not (period.one_day and each.all_day and each.begin.date() > day)]

    def _next(self, now: datetime) -> Spoken:
        for within in (SOON, now + SEARCHED - now):
            if coming := self._diary.upcoming(within):
                first = [each for each in coming if each.begin == coming[0].begin]
                each = [self._words.dated(event, now) for event in first]
                return self._words.begin("next", each=self._words.listed(each))
        return self._words.begin("next_nothing")

    def _found(self, meant: list[str], period: Period | None, now: datetime) -> list[Event]:
        """The next time of each event that has these words, in `period` or the year to come."""
        begin, end = (period.begin, period.end) if period else (now, now + SEARCHED)
        for wanted in ways(meant, self._sound_of):
            found = dict[str, Event]()
            for event in self._diary.between(begin, end, wanted):
                found.setdefault(event.uid or event.title, event)
            if found:
                return list(found.values())
        return []

    def _when(self, what: str, found: list[Event], period: Period | None, now: datetime) -> Spoken:
        if not found:
            key = "not_found_then" if period else "not_found"
            return self._words.begin(key, what=self._adding.bare(what), when=period.name if period else "")
        if len(found) == 1:
            (event,) = found
            return self._words.begin("found", title=self._words.title(event), moment=self._words.moment(event, now))
        each = [self._words.dated(event, now) for event in found]
        return self._words.begin("found_several", count=len(found), each=self._words.listed(each))

    def _meant(self, what: str, period: Period | None, now: datetime) -> Event:
        """Raises CannotBeDone where there is none, BadArgument that asks which."""
        meant = meaning_of(what, self._words)
        if not meant:
            raise BadArgument(self._words.begin("which_event"), remedy="name one")
        found = self._found(meant, period, now)
        if not found:
            raise CannotBeDone(self._when(what, found, period, now))
        if len(found) > 1:
            each = self._words.listed([self._words.dated(event, now) for event in found])
            raise BadArgument(self._words.begin("which", count=len(found), each=each), remedy="name one, and when")
        return found[0]

    def _same(self, new: NewEvent) -> Event | None:
        near = self._diary.between(new.begin, new.begin + timedelta(minutes=1))
        alike = (each for each in near if (each.begin, each.all_day) == (new.begin, new.all_day))
        return next((each for each in alike if each.title.casefold() == new.title.casefold()), None)

    def _written(self, write: Callable[[], None]) -> None:
        """Raises CannotBeDone."""
        try:
            write()
        except Cancelled:
            raise
        except (OSError, ApplianceError) as error:
            log.error("the calendar cannot be written: %s", error)
            raise CannotBeDone(self._words.begin("not_written")) from None

    def _with_age(self, said: Spoken, now: datetime) -> Spoken:
        """With a caveat where the server was not reached for long."""
        last = self._diary.last_reached() if self._diary.is_elsewhere else now
        if last is None:
            return Spoken(f"{said} {self._words.begin('never')}")
        if now - last <= STALE:
            return said
        return Spoken(f"{said} {self._words.begin('stale', when=spoken_moment(last, now, self._words.language))}")
