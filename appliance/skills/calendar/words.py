"""What is said of the calendar, in the language of the box."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from appliance.language.clock_times import spoken_time
from appliance.language.dates import spoken_day
from appliance.language.lists import spoken_list
from appliance.language.moments import spoken_moment
from appliance.language.words import language_data
from appliance.ports import Spoken
from appliance.skills.calendar.events import Event
from appliance.skills.calendar.periods import Period, Periods
from appliance.skills.written import FALLBACK, Words

MOST_TOLD = 5


class CalendarWords(Words):
    def __init__(self, language: str = FALLBACK) -> None:
        super().__init__(Path(__file__).parent, language if language_data(language) else FALLBACK)
        known = self.phrases
        self.periods = Periods(known["spans"], known["names"], self.language)
        self.noise, self.noise_beside, self.noise_first = (
            frozenset(known[name]) for name in ("noise", "noise_beside", "noise_first")
        )

    def told(self, events: Sequence[Event], period: Period, now: datetime) -> Spoken:
        """All that takes place in it, in one sentence."""
        if not events:
            today = spoken_day(now.date(), now.date(), self.language)
            return self.begin("nothing_more") if period.name == today else self.begin("nothing", when=period.name)
        each = [self._in_day(event, period) if period.one_day else self.dated(event, now) for event in events]
        return self.begin("told", when=period.name, each=self.listed(each))

    def listed(self, each: Sequence[str]) -> str:
        """At most MOST_TOLD of them, then how many more there are."""
        more = len(each) - MOST_TOLD
        rest = [self.say("more", count=more)] if more > 0 else []
        return spoken_list([*each[:MOST_TOLD], *rest], self.language)

    def dated(self, event: Event, now: datetime) -> str:
        """Dentist on Tuesday at 3 PM."""
        return self.say("at", title=self.title(event), moment=self.moment(event, now))

    def moment(self, event: Event, now: datetime) -> str:
        """On Tuesday at 3 PM; of an all-day event on Tuesday."""
        if event.all_day:
            return spoken_day(event.begin.date(), now.date(), self.language)
        return spoken_moment(event.begin, now, self.language)

    def title(self, event: Event) -> str:
        return event.title or self.say("untitled")

    def _in_day(self, event: Event, period: Period) -> str:
        """Dentist at 3 PM, all day fair, night shift until 6 AM."""
        title, day = self.title(event), period.begin.date()
        began = event.begin.date() < day
        if event.all_day or (began and event.end >= period.end):
            return self.say("all_day", title=title)
        if began:
            return self.say("until", title=title, time=spoken_time(event.end, self.language))
        return self.say("at", title=title, moment=spoken_moment(event.begin, event.begin, self.language))
