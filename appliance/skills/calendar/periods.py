"""From when to when a question is about: "tomorrow", "this afternoon", "on Friday evening", "this weekend"."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from appliance.language.clock_times import HALF_DAY_MIN, DayPart, clocks, on_day, on_the_clocks
from appliance.language.dates import STRETCHES, spoken_day
from appliance.language.moments import Moment, parse_moment, spoken_moment
from appliance.language.when import split_when

EARLIEST_HOUR = 7
"""Of an event whose half of the day is open: "at three" is at 3 PM. A judgement; it is said back."""
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Period:
    begin: datetime
    end: datetime
    name: str
    """As it is said: tomorrow, on Friday, this weekend."""
    one_day: bool = True
    """Whether times in it are told without their day."""


def _monday(today: date) -> date:
    return today - timedelta(days=today.weekday())


_FEW = 3
_month_behind = STRETCHES["next_month"]
_SPANS: Mapping[str, Callable[[date], tuple[date, date]]] = {
    "weekend": lambda today: (STRETCHES["weekend"](today), _monday(today) + 7 * _DAY),
    "next_weekend": lambda today: (STRETCHES["next_weekend"](today), STRETCHES["next_weekend"](today) + 2 * _DAY),
    "few_days": lambda today: (today, today + _FEW * _DAY),
    "week": lambda today: (today, _monday(today) + 7 * _DAY),
    "next_week": lambda today: (STRETCHES["next_week"](today), STRETCHES["next_week"](today) + 7 * _DAY),
    "month": lambda today: (today, _month_behind(today)),
    "next_month": lambda today: (_month_behind(today), _month_behind(_month_behind(today))),
}
"""What the words in `spans` of the phrases mean: the first day, and that after the last one."""


class Periods:
    def __init__(self, spans: Mapping[str, Collection[str]], names: Mapping[str, str], language: str) -> None:
        """spans: key of _SPANS -> what it is called.  names: the same key -> what the box calls it."""
        self._spans = {said: key for key, ways in spans.items() for said in ways}
        self._names, self._language = names, language

    def read(self, text: str, now: datetime) -> Period | None:
        """The one that `text` names; None where it names none. Raises BadArgument for a day that there is not."""
        if key := self._spans.get(" ".join(text.casefold().strip(" .,!?").split())):
            first, after = _SPANS[key](now.date())
            return Period(_midnight(first, now), _midnight(after, now), self._names[key], one_day=False)
        moment = parse_moment(text, now, self._language) or self._within(text, now)
        return self._of(moment, text, now) if moment else None

    def _within(self, text: str, now: datetime) -> Moment | None:
        found = [each.when for each in split_when(text, now, self._language)]
        return next((when for when in found if isinstance(when, Moment)), None)

    def _of(self, moment: Moment, text: str, now: datetime) -> Period | None:
        day = moment.day or now.date()
        if moment.at:
            at = by_day(moment)
            return Period(at, at + timedelta(minutes=1), spoken_moment(at, now, self._language))
        if moment.part:
            begin, end = (on_day(day, minutes, now) for minutes in (moment.part.begins_min, moment.part.ends_min))
            return Period(begin, end, self._part_name(moment.part, day, " ".join(text.casefold().split()), now))
        return Period(_midnight(day, now), _midnight(day + _DAY, now), spoken_day(day, now.date(), self._language))

    def _part_name(self, part: DayPart, day: date, said: str, now: datetime) -> str:
        """On Tuesday evening; as it was said where it is today: this afternoon, tonight."""
        known = clocks(self._language)
        ways = [words for words, each in known.parts.items() if each == part and words in said] if known else []
        if day == now.date() or not ways:
            return said
        return f"{spoken_day(day, now.date(), self._language)} {min(ways, key=len)}"


def by_day(moment: Moment) -> datetime:
    """When it is, by day where nothing told which half of the day is meant. It has a time of day."""
    assert moment.at is not None
    if not moment.half_open or moment.at.hour >= EARLIEST_HOUR or moment.at.tzinfo is None:
        return moment.at
    wall = moment.at.replace(tzinfo=None, fold=0) + timedelta(minutes=HALF_DAY_MIN)
    return on_the_clocks(wall, moment.at.tzinfo)


def _midnight(day: date, now: datetime) -> datetime:
    assert now.tzinfo is not None
    return on_the_clocks(datetime.combine(day, time()), now.tzinfo)
