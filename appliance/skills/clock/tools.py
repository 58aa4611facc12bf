"""The time and the date, here and elsewhere."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal

from babel.dates import format_date
from pydantic import Field

from appliance.errors import BadArgument
from appliance.language.clock_times import find_moment, spoken_time
from appliance.language.dates import day_or_none, find_day, spoken_date
from appliance.language.durations import spoken_duration
from appliance.language.places import in_place
from appliance.ports import Clock, Spoken
from appliance.skills.clock.places import find
from appliance.skills.written import FALLBACK, Words

_OF_MONTH = {str(day) for day in range(13, 32)}

Place = Annotated[str, Field(max_length=80, description="city or country, when one was said")]
Day = Annotated[str, Field(max_length=40, description="weekday, date, holiday, or a time of day to count to")]


class Timekeeper:
    def __init__(self, clock: Clock, place: str = "", language: str = FALLBACK) -> None:
        """place: where the box stands, such as "Stirling, Scotland"."""
        self._clock, self._place = clock, place.partition(",")[0].strip().casefold()
        self._words = Words(Path(__file__).parent, language)
        self._language = self._words.language
        both = (self._words.phrases, Words(Path(__file__).parent, FALLBACK).phrases)  # a model may write English anyway
        self._here, self._now = ({word for each in both for word in each[key]} for key in ("means_here", "means_now"))

    def get_time(self, place: Place = "", what: Literal["time", "date", "days"] = "time", day: Day = "") -> Spoken:
        """Tell the time, the date and day of the week, or the days until another."""
        told = self._told(place, what, day)
        return told if self._clock.trusted else Spoken(f"{told} {self._words.say('doubt')}")

    def _told(self, place: str, what: str, day: str) -> Spoken:
        here = self._clock.now()
        if what == "days" and day.strip() in _OF_MONTH:
            day = f"{day.strip()}th"  # days are counted to the twenty third, and no clock of twelve hours has it
        if what != "date" and (moment := find_moment(day, here, self._language) or find_moment(day, here)):
            left = moment.astimezone(UTC) - here.astimezone(UTC)  # or the night when the clocks change would not count
            minutes = -(-left // timedelta(minutes=1))  # rounded up, as somebody counts who must not be late
            return self._until(spoken_duration(60 * minutes, self._language), spoken_time(moment, self._language))
        if day and (what != "time" or day.lower() not in self._now):
            return self._day(day, here.date(), what == "days")
        if place.lower() in self._here or place.casefold() == self._place:
            return self._words.say("here", told=self._of(here, what))
        return self._there(place, here, what)

    def _there(self, place: str, here: datetime, what: str) -> Spoken:
        name, zone = find(place)
        if not name:
            raise BadArgument(self._in("unknown_place", place), remedy="name a large city near it")
        if zone is None:
            raise BadArgument(self._in("several_times", name), remedy="name a city there")
        there = here.astimezone(zone)
        same_day = what == "date" or there.date() == here.date()
        weekday = format_date(there, "EEEE", locale=self._language)
        return self._in("there" if same_day else "there_on", name, told=self._of(there, what), weekday=weekday)

    def _in(self, key: str, place: str, **values: str) -> Spoken:
        return self._words.say(key, in_place=in_place(place, self._language), **values)

    def _of(self, moment: datetime, what: str) -> str:
        return (spoken_date if what == "date" else spoken_time)(moment, self._language)

    def _until(self, length: str, to: str) -> Spoken:
        return self._words.say("until", length=length, to=to)

    def _day(self, said: str, today: date, counted: bool) -> Spoken:
        """When a day is. Raises BadArgument."""
        in_english = day_or_none(said, today)  # the model may write that, whatever the box speaks
        day = day_or_none(said, today, self._language) or in_english or find_day(said, today, self._language)
        days, told = (day - today).days, spoken_date(day, self._language)
        if not (days and counted):
            return self._words.say("day" if days else "today", date=told)
        length = self._words.say("one_day" if abs(days) == 1 else "days", count=abs(days))
        return self._until(length, told) if days > 0 else self._words.say("ago", date=told, length=length)
