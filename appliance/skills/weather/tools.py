"""The weather here, told for the ear."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Annotated

from pydantic import Field

from appliance.errors import CannotBeDone
from appliance.language.dates import STRETCHES, spoken_day
from appliance.language.moments import parse_moment, spoken_moment
from appliance.ports import Clock, Spoken
from appliance.skills.weather.report import Day, Report, Source
from appliance.skills.written import Words

OLD = timedelta(hours=3)
"""A report that is older is told with its time."""
LIKELY = 20
"""Percent from which rain is told of."""
WINDY_KMH = 40
"""Wind from which it is told of: a fresh to strong breeze, in which umbrellas are a trouble (Beaufort 6)."""
MOST_DAYS = 4


class WeatherTools:
    def __init__(self, source: Source | None, clock: Clock, place: str, words: Words) -> None:
        """place: where the box stands."""
        self._source, self._clock, self._place, self._words = source, clock, place, words

    def get_weather(
        self,
        when: Annotated[str, Field(max_length=60, description="today, tomorrow, saturday, weekend, as said")] = "",
        place: Annotated[str, Field(max_length=80, description="only if another place was named")] = "",
    ) -> Spoken:
        """Tell the weather here, now or on a day to come: rain, wind, how warm."""
        if place and not self._is_here(place):
            raise CannotBeDone(self._words.say("elsewhere", place=place))
        if self._source is None:
            raise CannotBeDone(self._words.say("no_source"))
        report = self._source.report()
        days = self._days(when)
        told = [self._told(day, report) for day in days[:MOST_DAYS]] if days else self._now(report)
        return Spoken(" ".join([*told, *self._age(report)]))

    def _is_here(self, place: str) -> bool:
        said = place.casefold().strip()
        return said in self._words.phrases["here"] or (bool(self._place) and said in self._place.casefold())

    def _days(self, when: str) -> Sequence[date]:
        """Those that are asked about; none is how it is now, and today. Raises CannotBeDone, BadArgument."""
        said, now = " ".join(when.casefold().strip(" .,!?").split()), self._clock.now()
        today = now.date()
        if not said or said in self._words.phrases["at_present"]:
            return []
        spans = self._words.phrases["spans"]
        if said in spans["weekend"]:
            first = STRETCHES["weekend"](today)
            return [first, first + timedelta(days=1)] if first.weekday() == 5 else [first]
        if said in spans["days"]:
            return [today + timedelta(days=away) for away in range(MOST_DAYS)]
        moment = parse_moment(said, now, self._words.language)
        if moment is None:
            raise CannotBeDone(self._words.say("which_day", day=when))
        day = moment.day or (moment.at.date() if moment.at else today)
        if day < today:
            raise CannotBeDone(self._words.say("past"))
        return [day]

    def _now(self, report: Report) -> list[str]:
        told: list[str] = []
        if report.temperature is not None and report.condition:
            told.append(self._words.say("now", degrees=self._degrees(report.temperature), sky=self._sky(report)))
        elif report.temperature is not None:
            told.append(self._words.say("now_degrees", degrees=self._degrees(report.temperature)))
        elif report.condition:
            told.append(self._words.say("now_sky", sky=self._sky(report)))
        if today := report.day(self._clock.now().date()):
            told.append(self._told(today.date, report))
        if not told:
            raise CannotBeDone(self._words.say("no_answer"))
        return told

    def _told(self, wanted: date, report: Report) -> str:
        day, today = report.day(wanted), self._clock.now().date()
        name = spoken_day(wanted, today, self._words.language)
        if day is None:
            raise CannotBeDone(self._words.say("not_so_far", day=name))
        parts = [
            *([self._words.phrases["sky"][day.condition]] if day.condition else []),
            *self._range(day),
            *self._rain(day),
            *([self._words.say("wind", speed=round(wind))] if (wind := day.wind_kmh or 0) >= WINDY_KMH else []),
        ]
        return self._words.begin("day", day=name, each=", ".join(parts))

    def _range(self, day: Day) -> list[str]:
        if day.low is not None and day.high is not None:
            return [self._words.say("range", low=self._number(day.low), high=self._degrees(day.high))]
        return [self._words.say("up_to", high=self._degrees(day.high))] if day.high is not None else []

    def _rain(self, day: Day) -> list[str]:
        if day.rain_percent is not None:
            likely = round(day.rain_percent)
            return [self._words.say("rain", percent=likely) if likely >= LIKELY else self._words.say("dry")]
        if day.rain_mm is not None:
            return [self._words.say("rain_mm", mm=f"{day.rain_mm:g}") if day.rain_mm >= 0.5 else self._words.say("dry")]
        return []

    def _age(self, report: Report) -> list[str]:
        now = self._clock.now()
        old = now - report.at > OLD
        return [self._words.say("as_of", moment=spoken_moment(report.at, now, self._words.language))] if old else []

    def _sky(self, report: Report) -> str:
        return str(self._words.phrases["sky"][report.condition])

    def _degrees(self, value: float) -> str:
        return self._words.say("degree" if round(value) in (1, -1) else "degrees", number=self._number(value))

    def _number(self, value: float) -> str:
        return self._words.say("minus", number=-round(value)) if round(value) < 0 else f"{round(value)}"
