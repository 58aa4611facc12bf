"""Setting the clock to a time that the owner tells."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import Field

from appliance.errors import BadArgument, CannotBeDone
from appliance.language.clock_times import ClockTime, next_moment, on_day, parse_clock_time, spoken_time
from appliance.language.dates import find_day, spoken_date
from appliance.ports import Clock, ClockSet, ClockSetter, Spoken

BEHIND = timedelta(hours=1)
"""A clock that nothing has set is late, by as long as the power was off, and hardly ever fast."""
BESIDE, BESIDE_DAYS = timedelta(hours=6), timedelta(days=182)
"""One that was set may be fast or slow: the nearest is meant of times half a day apart, and of days a year apart."""

Words = Annotated[str, Field(max_length=80)]


class ClockSetting:
    def __init__(self, clock: Clock, set_clock: ClockSetter, phrases: Mapping[str, str], language: str) -> None:
        self._clock, self._set, self._phrases, self._language = clock, set_clock, phrases, language

    def set_clock(self, time: Words = "", day: Words = "") -> Spoken:
        """Set the clock to the time and the day of today that the user tells."""
        moment, was_known = self._moment(time, day), self._clock.trusted
        became = self._set(moment)
        if became is not ClockSet.DONE:
            told = spoken_time(self._clock.now(), self._language)
            raise CannotBeDone(self._phrases[became.value].format(time=told))
        date = spoken_date(moment, self._language)
        said = self._phrases["set" if was_known and not day else "set_date"]
        return Spoken(said.format(time=spoken_time(moment, self._language), date=date))

    def _moment(self, time: str, day: str) -> datetime:
        """With its zone. Raises BadArgument."""
        shown, trusted = self._clock.now(), self._clock.trusted
        earliest = shown - (BESIDE if trusted else BEHIND)
        clock = parse_clock_time(time, self._language) if time else ClockTime(60 * shown.hour + shown.minute)
        if clock is None or not (time or day):
            raise BadArgument(self._phrases["no_time"])
        if not day:
            return next_moment(clock, earliest)
        since = (shown - BESIDE_DAYS if trusted else earliest).date()
        times = [on_day(find_day(day, since, self._language), minutes, shown) for minutes in clock.choices()]
        return next((each for each in times if each >= earliest), times[-1])
