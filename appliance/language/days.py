"""Which day is meant by "next friday", "the end of the month", "14 March" or "Christmas"."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta

from dateutil.easter import easter

from appliance.errors import BadArgument
from appliance.language.durations import ONES

_MONTHS = [name.lower() for name in calendar.month_name]
_WEEKDAYS = [name.lower() for name in calendar.day_name]
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_COUNTED = re.findall(
    r"\w+",
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
)
_ORDINALS = {
    **{word: number for number, word in enumerate(_COUNTED, 1)},
    **{f"twenty {word}": number for number, word in enumerate(_COUNTED[:9], 21)},
    "thirtieth": 30,
    "thirty first": 31,
}
_ORDINAL_WORDS = re.compile(rf"\b(?:{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})\b")
_NOISE = re.compile(r"\b(?:the|of|this|on|day|coming|in)\b|[,.]")
_DATE = re.compile(r"(?:(\d{1,2}) ([a-z]+)|([a-z]+) (\d{1,2}))(?: (\d{4}))?")
_NUMBERS = {"a": 1} | {word: number for number, word in enumerate(ONES, 1)}
_COUNTED_OFF = re.compile(
    rf"(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)}) (?P<unit>days?|weeks?|fortnights?)(?:'? time)?"
    rf"(?: ?(?P<back>ago)| (?:from )?(?P<start>now|today|tomorrow|{'|'.join(_WEEKDAYS)}))?"
)
_DAYS_IN = {"day": 1, "week": 7, "fortnight": 14}

_OF_MONTH = re.compile(r"(?P<day>\d{1,2})(?P<next> next)?(?: month)?")
_NTH = re.compile(r"\d(?:st|nd|rd|th)\b")

MOVEABLE = {
    "good friday": -2,
    "easter saturday": -1,
    "easter": 0,
    "easter sunday": 0,
    "easter monday": 1,
    "whit sunday": 49,
    "whit monday": 50,
}
"""Days that are counted from Easter Sunday -> how many behind it."""

YEARLY = {
    "new year": (1, 1),
    "new year's": (1, 1),
    "valentine's": (2, 14),
    "saint patrick's": (3, 17),
    "halloween": (10, 31),
    "christmas eve": (12, 24),
    "christmas": (12, 25),
    "boxing": (12, 26),
    "new year's eve": (12, 31),
}
"""Days that have a name and come on the same date each year -> month, day."""

NAMED: dict[str, Callable[[date], date]] = {
    "today": lambda today: today,
    "tomorrow": lambda today: today + timedelta(days=1),
    "yesterday": lambda today: today - timedelta(days=1),
    "after tomorrow": lambda today: today + timedelta(days=2),
    "before yesterday": lambda today: today - timedelta(days=2),
    "weekend": lambda today: today if today.weekday() >= 5 else _weekday(today, 5),
    "next weekend": lambda today: _weekday(today, 5),
    "next week": lambda today: _weekday(today, 0),
    "end week": lambda today: _weekday(today - timedelta(days=1), 6),
    "end month": lambda today: _month_end(today),
    "next month": lambda today: _month_end(today) + timedelta(days=1),
    "end year": lambda today: date(today.year, 12, 31),
    "next year": lambda today: date(today.year + 1, 1, 1),
}
"""Days that are named by where they stand, seen from today, without the words that `find_day` passes over."""


def find_day(said: str, today: date) -> date:
    """The next such day, today included, unless a year is named. `said`: in English, or 2026-03-14.

    A weekday is the next one, never today. Raises BadArgument.
    """
    try:
        return date.fromisoformat(said.strip())
    except ValueError:
        pass
    plain = _ORDINAL_WORDS.sub(lambda found: str(_ORDINALS[found[0]]), said.lower().replace("’", "'").replace("-", " "))
    words = " ".join(_NOISE.sub(" ", _ORDINAL.sub("", plain)).split())
    if found := NAMED.get(words):
        return found(today)
    if counted := _COUNTED_OFF.fullmatch(words):
        return _counted_off(counted, today)
    if words.removeprefix("next ") in _WEEKDAYS:
        return _weekday(today, _WEEKDAYS.index(words.removeprefix("next ")))
    if yearly := YEARLY.get(words):
        return _next_date(today, *yearly)
    if (behind := MOVEABLE.get(words)) is not None:
        dates: list[date] = [easter(year) + timedelta(days=behind) for year in (today.year, today.year + 1)]
        return next(day for day in dates if day >= today)
    if (nth := _OF_MONTH.fullmatch(words)) and (_NTH.search(said.lower()) or _ORDINAL_WORDS.search(said.lower())):
        return _of_month(said, int(nth["day"]), today, following=bool(nth["next"]))
    return _dated(said, words, today)


def _of_month(said: str, day: int, today: date, following: bool) -> date:
    """The next 14th, or that of next month. Raises BadArgument."""
    first = _month_end(today) + timedelta(days=1) if following else today.replace(day=1)
    while not following and 1 <= day <= 31 and (day > _month_end(first).day or first.replace(day=day) < today):
        first = _month_end(first) + timedelta(days=1)
    if not 1 <= day <= _month_end(first).day:
        raise BadArgument(f"There is no {said}.", remedy="name a day that there is")
    return first.replace(day=day)


def day_or_none(said: str, today: date) -> date | None:
    """As `find_day`; None for what names no day."""
    try:
        return find_day(said, today)
    except BadArgument:
        return None


def _counted_off(found: re.Match[str], today: date) -> date:
    """3 days from now, a week on Tuesday, two weeks ago."""
    count = _NUMBERS.get(found["count"]) or int(found["count"])
    days = timedelta(days=count * _DAYS_IN[found["unit"].removesuffix("s")])
    start = found["start"] or "now"
    if start in _WEEKDAYS:
        return _weekday(today, _WEEKDAYS.index(start)) + days
    return (today + timedelta(days=start == "tomorrow")) + (-days if found["back"] else days)


def _dated(said: str, words: str, today: date) -> date:
    unknown = BadArgument(f"I do not know which day {said} is.", remedy="name a date, a weekday or a holiday")
    match = _DATE.fullmatch(words)
    if not match:
        raise unknown
    name, day = match[2] or match[3], int(match[1] or match[4])
    months = [number for number, month in enumerate(_MONTHS) if month.startswith(name)]
    if len(months) != 1:
        raise unknown
    try:
        return date(int(match[5]), months[0], day) if match[5] else _next_date(today, months[0], day)
    except ValueError:
        raise BadArgument(f"There is no {said}.", remedy="name a day that there is") from None


def _next_date(today: date, month: int, day: int) -> date:
    """Raises ValueError for a day that the month does not have in any of the next years; 29 February waits for one."""
    for year in range(today.year, today.year + 9):
        if day <= calendar.monthrange(year, month)[1] and date(year, month, day) >= today:
            return date(year, month, day)
    raise ValueError


def _weekday(today: date, weekday: int) -> date:
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def _month_end(today: date) -> date:
    return today.replace(day=calendar.monthrange(today.year, today.month)[1])
