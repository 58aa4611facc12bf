"""How the days, hours and years in a stored fact or a result stand to now: "Thursday is tomorrow".

A small model reads the clock beside a line and the fact that the bins go out on Thursdays, and says no on a Wednesday.
What is plain arithmetic is reckoned here and stands beside them; the words are in almanacs/*.yaml (en.yaml explains the
sections). A language without a file has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

from appliance.thought import prompt
from appliance.thought.compared import compared
from appliance.thought.fence import unfenced
from appliance.thought.languages import written_for
from appliance.thought.quantities import Length
from appliance.thought.work import Work

NOTES_MOST = 3
"""Some 6 tokens each; with more of them it is not these that the line is about."""
WEEK_DAYS, YEAR_DAYS = 7, 365
_YEAR = re.compile(r"(?<![\w.,:-])(1[5-9]\d\d|20\d\d)(?!\w|[.,:]\d)")

MomentOf = Callable[[str, datetime], datetime | None]
"""The next such time of day after another moment."""


class Almanac:
    def __init__(self, data: dict[str, Any], moment_of: MomentOf, in_digits: Callable[[str], str]) -> None:
        """`data`: the content of a file in almanacs/.  in_digits: gives a text its numbers in digits."""
        self._moment_of, self._in_digits = moment_of, in_digits
        self._weekdays = [_whole(name) for name in data["weekdays"]]
        self._months = {name: number for number, name in enumerate(data["months"], 1)}
        self._clocks, self._dates, self._timely, self._aged, self._spans = (
            _whole(data[name]) for name in ("clocks", "dates", "timely", "aged", "spans")
        )

    def beside(self, line: str, texts: Sequence[str], now: datetime) -> str:
        """What stands beside `texts` for the line that asks; empty where there is nothing to reckon."""
        found = [self._in_digits(unfenced(text)) for text in texts]
        notes = list(dict.fromkeys(note for text in found for note in self._notes(line, text, now)))
        return prompt.reckoned("beside", text="; ".join(notes)) if 0 < len(notes) <= NOTES_MOST else ""

    def of_results(self, work: Work, now: datetime) -> tuple[str, bool]:
        """What stands beside the results that were just read, and whether no other reckoning is asked for."""
        dated = self.beside(work.heard, work.unread, now)
        apart = compared(work.heard, work.calls, work.unread, work.signs.words)
        return f"{dated}\n{apart}".strip(), bool(apart or (dated and self._asked(work.heard)))

    def _asked(self, line: str) -> bool:
        """Whether the line asks for years, which need no other reckoning."""
        return bool(self._spans.search(line) or self._aged.search(line))

    def _notes(self, line: str, text: str, now: datetime) -> Iterator[str]:
        yield from self._of_weekdays(text, now.date())
        yield from self._of_dates(text, now.date())
        if self._timely.search(line):
            yield from self._of_clocks(text, now)
        if self._spans.search(line):
            yield from self._of_spans(text)
        elif self._aged.search(line):
            years = {int(year) for year in _YEAR.findall(text)}
            past = [year for year in sorted(years) if year < now.year]
            yield from (prompt.reckoned("years", year=year, count=now.year - year) for year in past)

    def _of_weekdays(self, text: str, today: date) -> Iterator[str]:
        for number, name in enumerate(self._weekdays):
            if found := name.search(text):
                ahead = (number - today.weekday()) % WEEK_DAYS
                form = {0: "today", 1: "tomorrow"}.get(ahead, "days")
                yield prompt.reckoned(form, day=found[0].capitalize().removesuffix("s"), count=ahead)

    def _of_clocks(self, text: str, now: datetime) -> Iterator[str]:
        for found in self._clocks.finditer(text):
            if (moment := self._moment_of(found[0].replace(".", ":"), now)) is None:
                continue
            if moment.date() == now.date():
                yield prompt.reckoned("ahead", clock=found[0], length=_length(moment - now))
            else:
                yield prompt.reckoned("past", clock=found[0], length=_length(now - moment + timedelta(days=1)))

    def _of_spans(self, text: str) -> Iterator[str]:
        """Of a text that names two dates, or two years, and no more."""
        dated = [each for each in self._dates.finditer(text) if each["year"]]
        days = [found for each in dated if (found := self._date(each, int(each["year"])))]
        years = sorted({int(year) for year in _YEAR.findall(text)})
        if len(days) == 2 == len(years):
            first, last = sorted(days)
            whole = last.year - first.year - ((last.month, last.day) < (first.month, first.day))
            yield prompt.reckoned("span", first=first.year, last=last.year, count=whole)
        elif len(years) == 2:
            yield prompt.reckoned("span", first=years[0], last=years[1], count=years[1] - years[0])

    def _of_dates(self, text: str, today: date) -> Iterator[str]:
        """Of days without a year: the one in this year, or the next where that is long past."""
        for found in self._dates.finditer(text):
            day = None if found["year"] else self._date(found, today.year)
            if day is None:
                continue
            ahead = (day - today).days
            if ahead < -YEAR_DAYS // 2 and (next_one := self._date(found, today.year + 1)):
                ahead = (next_one - today).days
            form = {0: "today", 1: "tomorrow"}.get(ahead, "days" if ahead > 0 else "days_ago")
            yield prompt.reckoned(form, day=found[0], count=abs(ahead))

    def _date(self, found: re.Match[str], year: int) -> date | None:
        try:
            return date(year, self._months[found["month"].casefold()], int(found["day"]))
        except (KeyError, ValueError):
            return None


@cache
def almanac_of(language: str, moment_of: MomentOf, in_digits: Callable[[str], str]) -> Almanac | None:
    """None for a language without a file."""
    data = written_for(language, "almanacs")
    return Almanac(data, moment_of, in_digits) if data else None


def _length(span: timedelta) -> str:
    """To the minute, as it is said: 1 hour 5 minutes."""
    hours, minutes = divmod(round(span.total_seconds() / 60), 60)
    return str(Length(hours=hours, minutes=minutes)) or "0 minutes"


def _whole(words: str) -> re.Pattern[str]:
    joined = words.replace("|\n", "|").replace("\n", " ")
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)", re.IGNORECASE)
