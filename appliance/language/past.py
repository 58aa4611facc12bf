"""Times that are over, as people ask about them: "yesterday evening", "on Tuesday", "last week", "in March"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any

from dateutil.relativedelta import relativedelta

from appliance.language.clock_times import Clocks, DayPart, clocks, on_day, on_the_clocks
from appliance.language.dates import Dates, dates
from appliance.language.words import alternatives, language_data, template

_DAY = timedelta(days=1)
_LOOKS_BACK = (relativedelta(days=8), relativedelta(months=1), relativedelta(years=1))
"""From where a day is looked for that is ahead as it was said: a weekday, a day of a month, a date without its year."""
MOST_WORDS = 6
"""Of a time at the end of a longer text: "in the evening of the 3rd"."""

Days = tuple[date, date]
"""The first day, and that after the last one."""


@dataclass(frozen=True)
class Past:
    begin: datetime
    end: datetime
    """It is over by then; both are in the zone of `now`."""
    one_day: bool
    """Whether all of it is within one day, which is that of `begin`."""


def _week(today: date, weeks: int = 0) -> Days:
    monday = today - timedelta(days=today.weekday(), weeks=weeks)
    return monday, monday + 7 * _DAY


def _month(today: date, months: int = 0) -> Days:
    first = today.replace(day=1) - relativedelta(months=months)
    return first, first + relativedelta(months=1)


def _year(today: date, years: int = 0) -> Days:
    return date(today.year - years, 1, 1), date(today.year - years + 1, 1, 1)


def _weekend(today: date) -> Days:
    """The last one that has begun."""
    saturday = today - timedelta(days=(today.weekday() - 5) % 7)
    return saturday, saturday + 2 * _DAY


_SPANS: Mapping[str, Callable[[date], Days]] = {
    "this_week": _week,
    "last_week": lambda today: _week(today, 1),
    "seven_days": lambda today: (today - 7 * _DAY, today + _DAY),
    "this_month": _month,
    "last_month": lambda today: _month(today, 1),
    "this_year": _year,
    "last_year": lambda today: _year(today, 1),
    "weekend": _weekend,
}
"""What the words in `spans` mean, seen from today."""


class PastTimes:
    def __init__(self, words: Mapping[str, Any], clock_reader: Clocks, date_reader: Dates) -> None:
        """words: a language's file, of which the sections `past` and `dates` are read."""
        self._data, self._clocks, self._dates = words["past"], clock_reader, date_reader
        self._units: Mapping[str, tuple[int, int]] = words["dates"]["units"]
        self._ahead = frozenset(words["dates"]["stretches"])
        data, units = self._data, self._units
        fields = {
            "month": alternatives(date_reader.months),
            "year": r"\d{4}|20 \d\d",
            "count": r"\d{1,3}|\w+",
            "unit": alternatives(units),
        }
        self._months, self._years = template(data["month"], fields), template(data["year"], fields)
        self._ago = template(data["ago"], fields)

    def read(self, text: str, now: datetime) -> Past | None:
        """Raises BadArgument for a day that there is not, such as 31 June."""
        plain, today = self._clocks.plain(text), now.date()
        words = self._dates.without_noise(plain)
        if span := self._span(words, today):
            return _of_days(span, now)
        if words in self._data["parts"]:
            away, named = self._data["parts"][words]
            return _of_part(today + away * _DAY, self._clocks.parts[named], now)
        if day := self._day(words, today):
            return _of_days((day, day + _DAY), now)
        rest, part = self._clocks.without_part(plain)
        rest = self._dates.without_noise(rest)
        day = today if part and not rest else self._day(rest, today) if part else None
        return _of_part(day, part, now) if day and part else None

    def _span(self, words: str, today: date) -> Days | None:
        if words in self._data["spans"]:
            return _SPANS[self._data["spans"][words]](today)
        if found := self._months.fullmatch(f"{words} "):
            month = self._dates.months[found["month"]]
            year = int(found["year"].replace(" ", "")) if found["year"] else today.year - (month > today.month)
            return _month(date(year, month, 1))
        if found := self._years.fullmatch(f"{words} "):
            return _year(date(int(found["year"].replace(" ", "")), 1, 1))
        found, day = self._ago.fullmatch(f"{words} "), None
        if found and (day := self._dates.find_in_figures(words, today)):
            days, months = self._units[found["unit"]]
            return _year(day) if months > 1 else _month(day) if months else _week(day) if days > 1 else None
        return None

    def _day(self, words: str, today: date) -> date | None:
        """The last such day that is not ahead. Raises BadArgument."""
        found = self._dates.find_in_figures(words, today)
        if found is None or found <= today:
            return found
        if words in self._ahead:
            return None
        seen_earlier = self._dates.find_in_figures(words, today - _DAY)
        if seen_earlier and seen_earlier - (today - _DAY) == found - today:
            return None  # counted from the day on which it is said: tomorrow
        looks = (self._dates.find_in_figures(words, today - back) for back in _LOOKS_BACK)
        return next((day for day in looks if day and day <= today), None)


def _of_days(days: Days, now: datetime) -> Past:
    assert now.tzinfo is not None
    first, after = (on_the_clocks(datetime.combine(day, time()), now.tzinfo) for day in days)
    return Past(first, after, one_day=days[1] - days[0] == _DAY)


def _of_part(day: date, part: DayPart, now: datetime) -> Past:
    return Past(on_day(day, part.begins_min, now), on_day(day, part.ends_min, now), one_day=True)


@cache
def _past_times(language: str) -> PastTimes | None:
    data, clock_reader, date_reader = language_data(language), clocks(language), dates(language)
    if not data or not clock_reader or not date_reader:
        return None
    return PastTimes(data, clock_reader, date_reader)


def past_time(text: str, now: datetime, language: str = "en") -> Past | None:
    """The time that all of `text` names and that is over, or has begun; None where it names none.

    Raises BadArgument for a day that there is not, such as 31 June.
    """
    reader = _past_times(language)
    return reader.read(text, now) if reader and text.strip() else None


def split_past(text: str, now: datetime, language: str = "en") -> tuple[str, Past | None]:
    """What `text` is about, and the time at its end: "the hedge in April". Raises BadArgument as `past_time` does."""
    words = text.split()
    for at in range(max(0, len(words) - MOST_WORDS), len(words)):
        if found := past_time(" ".join(words[at:]), now, language):
            return " ".join(words[:at]), found
    return text, None
