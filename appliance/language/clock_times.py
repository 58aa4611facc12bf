"""Times of day, read from words and put into words: "ten to eight", "half past six in the evening", "7:40 pm"."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from typing import Any

from babel import Locale

from appliance.language.figures import in_figures
from appliance.language.words import alternatives, language_data, template

HALF_DAY_MIN, DAY_MIN = 12 * 60, 24 * 60
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_FIELD = re.compile(r"<\w+>")
_SEPARATOR = re.compile(r"(?<=\d)[:.](?=\d\d)|(?<=\d)(?=[^\W\d_])(?!th)")
"""Of 6:30, 6.30 and 6pm."""
_ZERO = r"(?<!\S)(?:(?:{words}) (?=\d)|0 (?=\d00(?!\d)|\d \d\d(?!\d)))|(?<=\d )0 (?=\d(?!\d))"
"""A zero said by itself, before the figure that it belongs to: "oh six thirty", "zero seven hundred"."""


@dataclass(frozen=True)
class DayPart:
    """Such as the evening: from one hour to another, which past 24 is of the next day."""

    begins_min: int
    ends_min: int
    today: bool = False
    """It is that of today: tonight, this evening."""


@dataclass(frozen=True)
class ClockTime:
    minutes: int
    """Since the midnight its day begins with. From 1440 on it is after that day's end: midnight tonight is 1440."""
    open: bool = False
    """Nothing tells which half of the day is meant; `minutes` is then that of the first one."""

    def choices(self) -> tuple[int, ...]:
        return (self.minutes, self.minutes + HALF_DAY_MIN) if self.open else (self.minutes,)

    def moved(self, minutes: float) -> ClockTime | None:
        """By so many minutes; None where that is no whole minute, or before the day."""
        at = self.minutes + minutes
        if at != int(at) or (at < 0 and not self.open):
            return None
        return ClockTime(int(at) % HALF_DAY_MIN, open=True) if self.open else ClockTime(int(at))

    def within(self, part: DayPart) -> ClockTime | None:
        """The one of such times that is in `part` of the day; None where there is none."""
        every = HALF_DAY_MIN if self.open else DAY_MIN
        times = range(self.minutes % every, part.ends_min, every)
        return next((ClockTime(each) for each in times if each >= part.begins_min), None)


def _joined(parts: Mapping[str, str], language: str) -> dict[str, str]:
    """A weekday and a part of the day in one word, and apart: Sonntagabend, sonntagabends.

    parts: as it is joined -> as it is said alone.
    """
    days = [name.casefold() for name in Locale(language).days["format"]["wide"].values()]
    pairs = [(day, joined, part) for day in days for joined, part in parts.items()]
    every = {f"{day}{joined}s": f"{day}s {part}" for day, joined, part in pairs}
    return every | {f"{day}{joined}": f"{day} {part}" for day, joined, part in pairs}


class Clocks:
    def __init__(self, data: Mapping[str, Any], language: str) -> None:
        """data: the section `clock_times` of a language's file."""
        self._language = language
        self._named: Mapping[str, int] = data["named"]
        self._written: Mapping[str, str] = {**data["written"], **_joined(data["joined_parts"], language)}
        self._respelled = re.compile(rf"(?<!\w)(?:{alternatives(self._written) or '(?!)'})(?!\w)")
        self._zero = re.compile(_ZERO.format(words=alternatives(data["zero"]) or "(?!)"))
        fields = {"hour": rf"\d{{1,2}}|{alternatives(self._named)}", "four_digits": r"(?:[01]\d|2[0-3])[0-5]\d"}
        fields |= {"minutes": r"\d{1,2}", "two_digits": r"[0-5]\d"}
        self._forms = [
            (template(form["say"], fields), form.get("plus", 0), form.get("sign", 0)) for form in data["forms"]
        ]
        self.parts = {
            words: DayPart(60 * row["from"], 60 * row["to"], row.get("today", False))
            for row in data["day_parts"]
            for words in row["words"]
        }
        said = [*(_FIELD.sub(" ", form["say"]) for form in data["forms"]), *self._named, *self._written, *self.parts]
        self.words = frozenset(_WORD.findall(" ".join(said)))
        """Those that a time of day has beside its numbers, edges aside."""
        parts, leads, trails = (alternatives(words) for words in (self.parts, data["leads"], data["trails"]))
        self._part_last = re.compile(rf"(?P<rest>.*?)(?:^| )(?P<part>{parts})")
        self._part_first = re.compile(rf"(?P<part>{parts}) (?P<rest>.+)")
        self._edges = re.compile(rf"^(?:(?:{leads})(?: |$))+|[ -]+(?:{trails})$")

    def plain(self, text: str) -> str:
        """`text` in figures, with 6:30pm as "6 30 pm", and "oh six thirty" as "06 30"."""
        text = _SEPARATOR.sub(" ", in_figures(text, self._language).strip(" .,!?").replace(",", ""))
        return self._zero.sub("0", self._respelled.sub(lambda found: self._written[found[0]], text))

    def without_part(self, text: str) -> tuple[str, DayPart | None]:
        """Plain `text` without the part of the day it ends or begins with: "9 in the evening"."""
        found = self._part_last.fullmatch(text) or self._part_first.fullmatch(text)
        return (found["rest"], self.parts[found["part"]]) if found else (text, None)

    def without_edges(self, text: str) -> str:
        """Without "at" before and "sharp" after."""
        return self._edges.sub("", text.strip()).strip()

    def read(self, text: str) -> ClockTime | None:
        """The time of day that all of plain `text` is."""
        words, part = self.without_part(text)
        for said, within in ((text, None), (words, part)):
            found = self._said(self.without_edges(said))
            if found is not None:
                return found.within(within) if within else found
        return None

    def _said(self, words: str) -> ClockTime | None:
        for pattern, plus, sign in self._forms:
            if found := pattern.fullmatch(f"{words} "):
                return self._at(found.groupdict(), plus, sign)
        return None

    def _at(self, said: Mapping[str, str], plus: int, sign: int) -> ClockTime | None:
        if figures := said.get("four_digits"):
            return ClockTime(60 * int(figures[:2]) + int(figures[2:]))
        hour = self._named.get(said["hour"], None)
        half_open = hour is None and said["hour"][0] != "0" and int(said["hour"]) <= 12
        minutes = int(said.get("minutes") or said.get("two_digits") or 0)
        total = 60 * (int(said["hour"]) if hour is None else hour) + plus + sign * minutes
        if minutes > 59 or total < 0 or (hour is None and total > DAY_MIN):
            return None
        return ClockTime(total % HALF_DAY_MIN, open=True) if half_open else ClockTime(total)


@cache
def clocks(language: str) -> Clocks | None:
    data = language_data(language)
    return Clocks(data["clock_times"], language) if data else None


def parse_clock_time(text: str, language: str = "en") -> ClockTime | None:
    """The time of day that all of `text` is: "half past six", "fifteen thirty", "at six", "7 tonight"; else None."""
    reader = clocks(language)
    return reader.read(reader.plain(text)) if reader else None


def find_moment(said: str, now: datetime, language: str = "en") -> datetime | None:
    """The next such moment after `now`; None where `said` is no time of day."""
    found = parse_clock_time(said, language)
    return next_moment(found, now) if found else None


def next_moment(clock: ClockTime, now: datetime) -> datetime:
    every = timedelta(minutes=HALF_DAY_MIN if clock.open else DAY_MIN)
    moment = datetime.combine(now.date(), time(), now.tzinfo) + timedelta(minutes=clock.minutes % DAY_MIN) - every
    while True:
        if found := not_before(moment, now):
            return found
        moment += every


def not_before(moment: datetime, now: datetime) -> datetime | None:
    """`moment` on the clocks of its zone, if it is after `now`; in the night when they go back an hour comes twice."""
    first = on_the_clocks(moment.replace(tzinfo=None), moment.tzinfo) if moment.tzinfo else moment
    moments = (first, moment.replace(fold=1))
    return next((each for each in moments if each.astimezone(UTC) > now.astimezone(UTC)), None)


def on_day(day: date, minutes: int, now: datetime) -> datetime:
    """`minutes` after the beginning of `day`, by the hands of the clocks of `now`'s zone; may be past."""
    moment = datetime.combine(day, time(), now.tzinfo) + timedelta(minutes=minutes)
    return not_before(moment, now) or moment


def on_the_clocks(wall: datetime, zone: tzinfo) -> datetime:
    """`wall`, which has no zone, in `zone`: the first of the two where it comes twice in the night when the clocks go
    back; where they skip it, the moment after the gap."""
    at = wall.replace(tzinfo=zone)
    if at.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == wall:
        return at
    before, after = at.utcoffset() or timedelta(), at.replace(fold=1).utcoffset() or timedelta()
    start, longest = (wall - after).replace(tzinfo=UTC), range((after - before) // timedelta(minutes=1) + 1)
    ends = bisect_left(longest, True, key=lambda each: _offset(start + timedelta(minutes=each), zone) == after)
    return (start + timedelta(minutes=ends)).astimezone(zone)


def _offset(moment: datetime, zone: tzinfo) -> timedelta | None:
    return moment.astimezone(zone).utcoffset()


def spoken_time(moment: datetime | time, language: str = "en", with_day: bool = False) -> str:
    """3:05 PM, 3 PM, noon, midnight; with_day: beside a day 12 AM, for Friday at midnight may be the end of it."""
    data = language_data(language) or language_data("en")
    assert data is not None, "English is there"
    forms = data["clock_times"]["spoken"]
    if moment.minute == 0 and (moment.hour == 12 or (moment.hour == 0 and not with_day)):
        return str(forms["noon" if moment.hour else "midnight"])
    said = {"hour": moment.hour, "hour12": moment.hour % 12 or 12, "minute": moment.minute}
    form: str = forms["minute" if moment.minute else "hour"]
    return form.format(**said, half=forms["pm" if moment.hour >= 12 else "am"])
