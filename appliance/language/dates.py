"""Days, read from words and put into words: "next friday", "the end of the month", "14 March", "in three weeks"."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Collection, Mapping
from datetime import date, timedelta
from functools import cache
from typing import Any

from babel import Locale
from babel.dates import format_date
from dateutil.easter import easter
from dateutil.relativedelta import relativedelta

from appliance.errors import BadArgument
from appliance.language.figures import ORDINAL_MARK, in_figures
from appliance.language.words import alternatives, language_data, template

_REMEDY = "name a day that there is"
_SEARCHED_MONTHS, _SEARCHED_YEARS = 36, 9
"""Within so long each day that there is comes: Friday the 13th; 29 February, also around 2100."""
_NEAR_DAYS = 6
"""So many days ahead a weekday alone says which."""
_YEAR_FROM_DAYS = 300
"""So far from today a date is said with its year."""

STRETCHES: Mapping[str, Callable[[date], date]] = {
    "weekend": lambda today: today if today.weekday() >= 5 else _weekday(today, 5),
    "next_weekend": lambda today: _weekday(today, 5),
    "next_week": lambda today: _weekday(today, 0),
    "end_week": lambda today: _weekday(today - timedelta(days=1), 6),
    "end_month": lambda today: _month_end(today),
    "next_month": lambda today: _month_end(today) + timedelta(days=1),
    "end_year": lambda today: date(today.year, 12, 31),
    "next_year": lambda today: date(today.year + 1, 1, 1),
}
"""What the words in the section `stretches` mean, seen from today."""


class Dates:
    def __init__(self, data: Mapping[str, Any], language: str, articles: Collection[str]) -> None:
        """data: the section `dates` of a language's file. articles: what stands for one in "a week"."""
        self._data, self._language = data, language
        names = _names(Locale(language).days) | data["weekdays"]
        self.weekdays = {name: day for name, day in names.items() if name not in data["no_weekdays"]}
        self.months = _names(Locale(language).months) | data["months"]
        self._noise = re.compile(rf"(?<!\S)(?:{alternatives(data['noise'])})(?!\S)|[,.]|(?<=s)'(?= )")
        self._ending = re.compile(rf" ?(?:{alternatives(data['holiday_endings'])})$")
        fields = {
            "weekday": alternatives(self.weekdays),
            "month": alternatives(self.months),
            "day": r"\d{1,2}(?:th)?",
            "nth": r"\d{1,2}th",
            "year": r"\d{4}|(?:1[5-9]|20) \d\d",
            "count": rf"\d{{1,3}}|{alternatives(articles)}",
            "unit": alternatives(data["units"]),
            "other": ".+?",
        }
        self._forms = [(template(form["say"], fields), form) for form in data["forms"]]
        self._other_forms = [(template(form["say"], fields), form) for form in data["beside"]]

    def find(self, said: str, today: date) -> date | None:
        """None for what names no day. Raises BadArgument for a day that there is not, such as 31 June."""
        return self.find_in_figures(in_figures(said, self._language), today)

    def find_in_figures(self, said: str, today: date) -> date | None:
        """As `find`, of what `in_figures` gives."""
        words = self.without_noise(said)
        if words in self._data["days"]:
            return today + timedelta(days=self._data["days"][words])
        if words in self._data["stretches"]:
            return STRETCHES[self._data["stretches"][words]](today)
        for pattern, form in self._forms:
            if found := pattern.fullmatch(f"{words} "):
                return self._formed(form, found.groupdict(), today, said)
        return self._holiday(words, today) or self._beside(words, today)

    def _beside(self, words: str, today: date) -> date | None:
        """Three days before Christmas."""
        for pattern, form in self._other_forms:
            found = pattern.fullmatch(f"{words} ")
            other = self.find_in_figures(found["other"], today) if found else None
            if found and other:
                span = self._span({**found.groupdict(), "count": found["count"] or ""})
                return self._moved(other, form["sign"] * span, words)
        return None

    def without_noise(self, said: str) -> str:
        return " ".join(self._noise.sub(" ", said).split())

    def _formed(self, form: Mapping[str, Any], fields: Mapping[str, str | None], today: date, said: str) -> date:
        known = {name: value for name, value in fields.items() if value}
        weekday = self.weekdays[known["weekday"]] if "weekday" in known else None
        if "month" in known:
            return self._dated(known, weekday, today, said)
        if "nth" in known:
            found = _of_month(_day(known["nth"]), weekday, today, bool(form.get("next_month")))
            if found is None:
                raise self.no_such(said)
            return found
        start = today if weekday is None else _weekday(today, weekday)
        if form.get("next_week"):
            return STRETCHES["next_week"](today) + timedelta(days=weekday or 0)
        if form.get("last"):
            start = today - timedelta(days=(today.weekday() - (weekday or 0) - 1) % 7 + 1)
        span = self._span(known) if "unit" in known else relativedelta()
        return self._moved(start + timedelta(days=form.get("days", 0)), form.get("sign", 0) * span, said)

    def _moved(self, day: date, span: relativedelta, said: str) -> date:
        """Raises BadArgument where the calendar ends before that."""
        try:
            moved: date = day + span
        except (ValueError, OverflowError):
            raise self.no_such(said) from None
        return moved

    def _span(self, said: Mapping[str, str]) -> relativedelta:
        days, months = self._data["units"][said["unit"]]
        count = int(said["count"]) if said["count"].isdigit() else 1
        return relativedelta(days=days * count, months=months * count)

    def _dated(self, known: Mapping[str, str], weekday: int | None, today: date, said: str) -> date:
        month, day = self.months[known["month"]], _day(known["day"])
        try:
            if "year" in known:
                found = date(int(known["year"].replace(" ", "")), month, day)
            else:
                found = _next_date(today, month, day)
        except ValueError:
            raise self.no_such(said) from None
        if weekday not in (None, found.weekday()):
            told = self._data["errors"]["weekday"].format(date=spoken_date(found, self._language))
            raise BadArgument(told, remedy=_REMEDY)
        return found

    def no_such(self, said: str) -> BadArgument:
        """Of a day that there is not."""
        errors = self._data["errors"]
        told = re.sub(rf"(?<=\d){ORDINAL_MARK}\b", errors["ordinal"], said)
        return BadArgument(errors["no_such"].format(said=told), remedy=_REMEDY)

    def _holiday(self, words: str, today: date) -> date | None:
        for name in (words, self._ending.sub("", words)):
            if yearly := self._data["yearly"].get(name):
                return _next_date(today, *yearly)
            if (behind := self._data["moveable"].get(name)) is not None:
                days: list[date] = [easter(year) + timedelta(days=behind) for year in (today.year, today.year + 1)]
                return next(day for day in days if day >= today)
        return None


@cache
def dates(language: str) -> Dates | None:
    data = language_data(language)
    return Dates(data["dates"], language, data["numbers"]["articles"]) if data else None


def find_day(said: str, today: date, language: str = "en") -> date:
    """The next such day, today included, unless a year is named. `said`: in words, or 2026-03-14.

    A weekday is the next one, never today. Raises BadArgument.
    """
    try:
        return date.fromisoformat(said.strip())
    except ValueError:
        pass
    reader = dates(language)
    if reader and (found := reader.find(said, today)):
        return found
    unknown: str = (language_data(language) or _english())["dates"]["errors"]["unknown"]
    raise BadArgument(unknown.format(said=said), remedy="name a date, a weekday or a holiday")


def day_or_none(said: str, today: date, language: str = "en") -> date | None:
    """As `find_day`; None for what names no day."""
    try:
        return find_day(said, today, language)
    except BadArgument:
        return None


def spoken_date(day: date, language: str = "en") -> str:
    """Friday, 21 November 2025."""
    return _formatted(day, "date", language)


def spoken_day(day: date, today: date, language: str = "en") -> str:
    """Seen from `today`: tomorrow, on Friday, on 20 December, on 20 December 2027."""
    away = (day - today).days
    data = language_data(language)
    if data and away in data["dates"]["near"]:
        return str(data["dates"]["near"][away])
    if 0 < away <= _NEAR_DAYS:
        return _formatted(day, "weekday", language)
    return _formatted(day, "this_year" if abs(away) < _YEAR_FROM_DAYS else "other_year", language)


def spoken_past_day(day: date, today: date, language: str = "en") -> str:
    """As `spoken_day`, of a day that is over: one of the last six is told by its weekday."""
    if 1 < (today - day).days <= _NEAR_DAYS and language_data(language):
        return _formatted(day, "weekday", language)
    return spoken_day(day, today, language)


def _formatted(day: date, form: str, language: str) -> str:
    data = language_data(language) or _english()
    return format_date(day, data["dates"]["spoken"][form], locale=language)


def _english() -> Mapping[str, Any]:
    data = language_data("en")
    assert data is not None, "English is there"
    return data


def _names(kinds: Mapping[str, Mapping[str, Mapping[int, str]]]) -> dict[str, int]:
    """Unicode's names, long and short, in lower case and without a full stop -> number."""
    widths = (kinds[kind][width] for kind in ("format", "stand-alone") for width in ("wide", "abbreviated"))
    return {name.casefold().rstrip("."): number for width in widths for number, name in width.items()}


def _day(figures: str) -> int:
    return int(figures.removesuffix("th"))


def _of_month(day: int, weekday: int | None, today: date, following: bool) -> date | None:
    """The next 14th, Friday the 13th, or the 14th of next month; None where there is none."""
    first = _month_end(today) + timedelta(days=1) if following else today.replace(day=1)
    for months in range(1 if following else _SEARCHED_MONTHS):
        month: date = first + relativedelta(months=months)
        if 1 <= day <= _month_end(month).day:
            found = month.replace(day=day)
            if found >= today and weekday in (None, found.weekday()):
                return found
    return None


def _next_date(today: date, month: int, day: int) -> date:
    """Raises ValueError for a day that the month does not have in any of the next years; 29 February waits for one."""
    for year in range(today.year, today.year + _SEARCHED_YEARS):
        if 1 <= day <= calendar.monthrange(year, month)[1] and date(year, month, day) >= today:
            return date(year, month, day)
    raise ValueError


def _weekday(today: date, weekday: int) -> date:
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def _month_end(today: date) -> date:
    return today.replace(day=calendar.monthrange(today.year, today.month)[1])
