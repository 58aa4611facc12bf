"""What comes again: "every weekday at half past six", "every second Monday at 9", "the last Friday of the month".

What the rules are: recurrence_rules.py.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any

from babel.dates import format_date, get_day_names
from babel.lists import format_list

from appliance.language.clock_times import DAY_MIN, HALF_DAY_MIN, ClockTime, DayPart, spoken_time
from appliance.language.durations import exact_duration, spoken_duration
from appliance.language.moments import MOST_WORDS, Moments, cuts, moments
from appliance.language.numbers import ordinal
from appliance.language.recurrence_rules import DAYS, STEPS_S, next_after, parts_of, rule_of
from appliance.language.words import alternatives, language_data, template

_LAST = -1
_MOST_WEEKDAYS, _MOST_DAYS = 5, 31
"""In a month."""
_LEAP_YEAR = 2024
"""It has every day that there ever is."""


@dataclass(frozen=True)
class Recurrence:
    """What was said of how often, and when that begins."""

    rule: str
    """An RRULE, without its name. Without BYHOUR and BYMINUTE where no time of day was said."""
    first: datetime | None = None
    """The next such moment after `now`, from which intervals count; None where no time of day was said."""
    clock: ClockTime | None = None
    """The time of day, in the half of the day that `first` is in; None for a rule of hours or minutes."""
    part: DayPart | None = None
    """The part of the day that was said: every morning."""
    half_open: bool = False
    """Nothing told which half of the day is meant: `first` is the next such time, and ought to be said back."""


class Recurrences:
    def __init__(self, data: Mapping[str, Any], language: str, reader: Moments) -> None:
        """data: the section `recurrence` of a language's file, with its words for and."""
        self._data, self._language, self._clocks, self._dates = data, language, reader.clocks, reader.dates
        self._without_joints = reader.without_joints
        self._respelled = re.compile(rf"(?<!\S)(?:{alternatives(data['respelled'])})(?!\S)")
        self._noise = re.compile(rf"(?<!\S)(?:{alternatives(data['noise'])})(?!\S)")
        self._each_day, fields = self._patterns()
        self._forms = [(template(form["say"], fields), form) for form in data["forms"]]

    def _patterns(self) -> tuple[re.Pattern[str], dict[str, str]]:
        """Of one weekday or set of weekdays; of the fields of the forms."""
        data, names = self._data, alternatives(self._dates.weekdays)
        some, sets, plural_sets = (alternatives(data[name]) for name in ("second", "sets", "plural_sets"))
        weekday = rf"(?:{names})(?:{data['plural']})?"
        one, plural = rf"(?:{weekday}|{plural_sets}|{sets})", rf"(?:(?:{names}){data['plural']}|{plural_sets})"
        both = rf"(?:(?:{alternatives(data['and'])}) )?"
        each_day = rf"(?<!\S)(?:(?P<set>{plural_sets}|{sets})|(?P<name>{names})(?:{data['plural']})?)(?!\S)"
        return re.compile(each_day), {
            "days": rf"{one}(?: {both}{one})*",
            "plurals": rf"(?:{one} {both})*{plural}",
            "weekday": names,
            "first_day": weekday,
            "last_day": weekday,
            "interval": rf"\d{{1,3}}(?:th)?|{some}",
            "second": some,
            "nth": rf"\d{{1,2}}th|{alternatives(data['last'])}",
            "day": r"\d{1,2}(?:th)?",
            "month": alternatives(self._dates.months),
            "length": ".+?",
        }

    def read(self, text: str, now: datetime) -> Recurrence | None:
        """Of all of `text`. Raises BadArgument for a day that there is not."""
        words = self._respell(self._clocks.plain(text)).split()
        words.sort(key=lambda word: word != self._data["always"])
        for said_rule, said_clock in cuts(words) if len(words) <= MOST_WORDS else ():
            clock = self._clocks.read(said_clock) if said_clock else None
            if said_rule and (clock or not said_clock):
                rule, part = self._rule(said_rule)
                found = _timed(rule, part, clock, now) if rule else None
                if found:
                    return found
        return None

    def _respell(self, text: str) -> str:
        """Twice: what comes of one may be in another."""
        for _ in range(2):
            text = self._respelled.sub(lambda found: self._data["respelled"][found[0]], text)
        return text

    def _rule(self, said: str) -> tuple[dict[str, str], DayPart | None]:
        """What all of `said` but the part of the day means; empty for none. Raises BadArgument."""
        said = " ".join(self._noise.sub(" ", self._without_joints(said)).split())
        if rule := self._formed(said):
            return rule, None
        rest, part = self._clocks.without_part(self._in_singular(said))
        rest = self._without_joints(rest)
        if not part or part.today:
            return {}, None
        return ({"FREQ": "DAILY"} if rest == self._data["every"] else self._formed(rest)), part

    def _in_singular(self, said: str) -> str:
        """Monday mornings are every Monday morning."""
        for plural, part in self._data["plural_parts"].items():
            if said.endswith(f" {plural}"):
                rest = said.removesuffix(plural).removeprefix(self._data["every"]).strip()
                return " ".join((self._data["every"], rest, part))
        return said

    def _formed(self, said: str) -> dict[str, str]:
        for pattern, form in self._forms:
            if found := pattern.fullmatch(f"{said} "):
                known = {name: value for name, value in found.groupdict().items() if value}
                return self._length(known["length"]) if "length" in known else self._repeated(form, known)
        return {}

    def _length(self, said: str) -> dict[str, str]:
        seconds = exact_duration(said, self._language) or 0
        for freq, step in STEPS_S.items():
            if seconds and seconds % step == 0:
                return {"FREQ": freq, "INTERVAL": str(int(seconds // step))}
        return {}

    def _repeated(self, form: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, str]:
        interval = form.get("interval") or self._interval(known.get("interval"))
        chosen = self._chosen(known)
        if interval is None or chosen is None:
            return {}
        if form.get("except"):
            chosen = {"BYDAY": ",".join(day for day in DAYS if day not in chosen["BYDAY"].split(","))}
            if not chosen["BYDAY"]:
                return {}
        return {"FREQ": form["freq"]} | ({"INTERVAL": str(interval)} if interval > 1 else {}) | chosen

    def _interval(self, said: str | None) -> int | None:
        if said is None:
            return 1
        if said in self._data["second"]:
            return 2
        count = int(said.removesuffix("th"))
        return None if count == 0 or (count == 1 and said.endswith("th")) else count

    def _chosen(self, known: Mapping[str, str]) -> dict[str, str] | None:
        """Which days of it; None for what there is not."""
        if days := [*self._weekdays(known)]:
            return {"BYDAY": ",".join(sorted(set(days), key=DAYS.index))}
        if "month" in known:
            month, day = self._dates.months[known["month"]], int(known["day"].removesuffix("th"))
            if not 1 <= day <= calendar.monthrange(_LEAP_YEAR, month)[1]:
                raise self._dates.no_such(f"{known['day']} {known['month']}")
            return {"BYMONTH": str(month), "BYMONTHDAY": str(day)}
        if "nth" not in known:
            return {}
        nth = _LAST if known["nth"] in self._data["last"] else int(known["nth"].removesuffix("th"))
        weekday = known.get("weekday")
        if nth != _LAST and not 1 <= nth <= (_MOST_WEEKDAYS if weekday else _MOST_DAYS):
            return None
        return {"BYDAY": f"{nth}{DAYS[self._dates.weekdays[weekday]]}"} if weekday else {"BYMONTHDAY": str(nth)}

    def _weekdays(self, known: Mapping[str, str]) -> Iterator[str]:
        if "first_day" in known:
            first, last = (self._one(known[name]) for name in ("first_day", "last_day"))
            yield from (DAYS[(first + each) % 7] for each in range((last - first) % 7 + 1))
        for found in self._each_day.finditer(known.get("days") or known.get("plurals") or ""):
            if found["set"]:
                yield from self._data["sets"][self._data["plural_sets"].get(found["set"], found["set"])].split(",")
            else:
                yield DAYS[self._dates.weekdays[found["name"]]]

    def _one(self, said: str) -> int:
        found = self._each_day.fullmatch(said)
        assert found, "the form matched a weekday"
        day: int = self._dates.weekdays[found["name"]]
        return day


@cache
def recurrences(language: str) -> Recurrences | None:
    data, reader = language_data(language), moments(language)
    if not data or not reader:
        return None
    return Recurrences(data["recurrence"] | {"and": data["numbers"]["and"]}, language, reader)


def parse_recurrence(text: str, now: datetime, language: str = "en") -> Recurrence | None:
    """What all of `text` says of how often and from when on; None where it says no such thing.

    now: with its zone. Raises BadArgument for a day that there is not, such as every 31 June.
    """
    reader = recurrences(language)
    return reader.read(text, now) if reader else None


def _timed(parts: dict[str, str], part: DayPart | None, clock: ClockTime | None, now: datetime) -> Recurrence | None:
    """None where they do not go together: every morning at 7 PM, every three hours at noon."""
    if step_s := STEPS_S.get(parts["FREQ"]):
        first = (now.astimezone(UTC) + timedelta(seconds=step_s * int(parts["INTERVAL"]))).astimezone(now.tzinfo)
        return None if clock or part else Recurrence(rule_of(parts), first)
    if clock is None:
        return Recurrence(rule_of(parts), part=part)
    clock = clock.within(part) if part else clock
    noon = [minutes for minutes in clock.choices() if minutes >= HALF_DAY_MIN] if clock else []
    is_twelve = clock is not None and clock.open and clock.minutes < 60  # 12 of the days to come is noon
    found = [_at(parts, minutes, part, now) for minutes in (noon if is_twelve else clock.choices())] if clock else []
    if not clock or None in found:
        return None
    soonest = min(filter(None, found), key=lambda each: each.first.astimezone(UTC) if each.first else now)
    return replace(soonest, half_open=clock.open)


def _at(parts: dict[str, str], minutes: int, part: DayPart | None, now: datetime) -> Recurrence | None:
    """With a time of day: past 1440 minutes it is on the next day, which a rule of days of the month cannot say."""
    if minutes >= DAY_MIN and parts["FREQ"] == "WEEKLY":
        parts = parts | {"BYDAY": _day_after(parts["BYDAY"])}
    elif minutes >= DAY_MIN and parts["FREQ"] != "DAILY":
        return None
    minutes %= DAY_MIN
    parts = parts | {"BYHOUR": str(minutes // 60), "BYMINUTE": str(minutes % 60)}
    each = {name: value for name, value in parts.items() if name != "INTERVAL"}
    first = next_after(rule_of(each), now, now)
    return Recurrence(rule_of(parts), first, ClockTime(minutes), part) if first else None


def _day_after(days: str) -> str:
    return ",".join(sorted((DAYS[(DAYS.index(day) + 1) % 7] for day in days.split(",")), key=DAYS.index))


def spoken_recurrence(rule: str, language: str = "en") -> str:
    """Every weekday at 7 AM, every second Monday at 9 AM, on the first of every month."""
    data = language_data(language) or language_data("en")
    assert data is not None, "English is there"
    forms, parts = data["recurrence"]["spoken"], parts_of(rule)
    said = _spoken_rule(parts, forms, language)
    if "BYHOUR" not in parts:
        return said
    clock = time(int(parts["BYHOUR"]), int(parts["BYMINUTE"]))
    form: str = forms["timed"]
    return form.format(rule=said, time=spoken_time(clock, language, with_day=parts["FREQ"] != "DAILY"))


def _spoken_rule(parts: Mapping[str, str], forms: Mapping[Any, str], language: str) -> str:
    count = int(parts.get("INTERVAL", "1"))
    if step_s := STEPS_S.get(parts["FREQ"]):
        return forms.get(step_s * count) or forms["length"].format(length=spoken_duration(step_s * count, language))
    if parts["FREQ"] == "DAILY":
        return forms["every_days" if count > 1 else "DAILY"].format(count=count)
    if parts["FREQ"] == "YEARLY":
        day = date(_LEAP_YEAR, int(parts["BYMONTH"]), int(parts["BYMONTHDAY"]))
        return forms["YEARLY"].format(date=format_date(day, forms["date"], locale=language))
    if parts["FREQ"] == "MONTHLY":
        return forms["every_months" if count > 1 else "MONTHLY"].format(
            count=count, nth=_spoken_day(parts, forms, language)
        )
    if count == 1 and parts["BYDAY"] in forms:
        return forms[parts["BYDAY"]]
    days = parts["BYDAY"].split(",")
    form = "WEEKLY" if count == 1 else "second" if count == 2 and len(days) == 1 else "every_weeks"
    return forms[form].format(
        count=count, days=format_list([_day_name(day, language) for day in days], locale=language)
    )


def _spoken_day(parts: Mapping[str, str], forms: Mapping[Any, str], language: str) -> str:
    """The first, the last day, the last Friday."""
    place, weekday = parts.get("BYMONTHDAY") or parts["BYDAY"][:-2], parts.get("BYDAY", "")[-2:]
    if int(place) == _LAST:
        nth = forms["last" if weekday else "last_day"]
    else:
        nth = forms["nth"].format(words=ordinal(place, language), number=place)
    return forms["nth_weekday"].format(nth=nth, weekday=_day_name(weekday, language)) if weekday else nth


def _day_name(day: str, language: str) -> str:
    return str(get_day_names("wide", locale=language)[DAYS.index(day)])
