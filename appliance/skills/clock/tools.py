"""The time and the date, here and elsewhere."""

from __future__ import annotations

from datetime import UTC, date, timedelta
from typing import Annotated, Literal

from pydantic import Field

from appliance.language.clock_times import find_moment, spoken_time
from appliance.language.dates import find_day, spoken_date
from appliance.language.durations import spoken_duration
from appliance.ports import Clock, Spoken
from appliance.skills.clock.places import find

_HERE = {"", "here", "home", "local", "unknown", "current location", "my location", "my place"}
_OF_MONTH = {str(day) for day in range(13, 32)}
_NOW = {"today", "now", "tonight", "morning", "this morning", "afternoon", "this afternoon", "evening", "this evening"}
"""What a small model gives for the day beside a question for the time."""

Place = Annotated[str, Field(max_length=80, description="city or country, when one was said")]
Day = Annotated[str, Field(max_length=40, description="weekday, date, holiday, or a time of day to count to")]


class Timekeeper:
    def __init__(self, clock: Clock, place: str = "", doubt: str = "") -> None:
        """place: where the box stands, such as "Stirling, Scotland".  doubt: said of a clock that is not trusted."""
        self._clock, self._place, self._doubt = clock, place.partition(",")[0].strip().casefold(), doubt

    def get_time(self, place: Place = "", what: Literal["time", "date", "days"] = "time", day: Day = "") -> Spoken:
        """Tell the time, the date and day of the week, or the days until another."""
        told = self._told(place, what, day)
        return told if self._clock.trusted else Spoken(f"{told} {self._doubt}")

    def _told(self, place: str, what: str, day: str) -> Spoken:
        here = self._clock.now()
        if what == "days" and day.strip() in _OF_MONTH:
            day = f"the {day}th"  # days are counted to the twenty third, and no clock of twelve hours has it
        if moment := find_moment(day, here) if what != "date" else None:
            left = moment.astimezone(UTC) - here.astimezone(UTC)  # or the night when the clocks change would not count
            minutes = -(-left // timedelta(minutes=1))  # rounded up, as somebody counts who must not be late
            return Spoken(f"It is {spoken_duration(60 * minutes)} to {spoken_time(moment)}.")
        if day and (what != "time" or day.lower() not in _NOW):
            return _told(day, here.date(), what == "days")
        if place.lower() in _HERE or place.casefold() == self._place:
            return Spoken(f"It is {spoken_date(here)}." if what == "date" else f"It is {spoken_time(here)}.")
        name, zone = find(place)
        there = here.astimezone(zone)
        if what == "date":
            return Spoken(f"It is {spoken_date(there)} in {name}.")
        weekday = "" if there.date() == here.date() else f" on {there:%A}"
        return Spoken(f"It is {spoken_time(there)}{weekday} in {name}.")


def _told(said: str, today: date, counted: bool) -> Spoken:
    """When a day is. Raises BadArgument."""
    day = find_day(said, today)
    days = (day - today).days
    if days == 0:
        return Spoken(f"That is today, {spoken_date(day)}.")
    if not counted:
        return Spoken(f"That is {spoken_date(day)}.")
    number = "1 day" if abs(days) == 1 else f"{abs(days)} days"
    return Spoken(f"It is {number} to {spoken_date(day)}." if days > 0 else f"{spoken_date(day)} was {number} ago.")
