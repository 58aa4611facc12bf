"""How the days, hours and years in a stored fact or a result stand to now: "Thursday is tomorrow".

A small model reads the clock beside a line and the fact that the bins go out on Thursdays, and says no on a Wednesday.
What is plain arithmetic is reckoned here and stands beside them; the words are in almanacs/*.yaml (en.yaml explains the
sections). A language without a file has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from appliance.language.quantities import Length
from appliance.reply import prompt
from appliance.reply.languages import written_for
from appliance.reply.understanding.patterns import NUMBER, joined, whole
from appliance.reply.understanding.relevance import NOISE, among, pieces, telling, words
from appliance.safety.fence import unfenced

NOTES_MOST = 3
"""Some 6 tokens each; with more of them it is not these that the line is about."""
WEEK_DAYS = 7
_YEAR = r"(?P<year>1[5-9]\d\d|20\d\d)(?!\w|[.,:]\d)"
_MORNING_H = 12
"""Up to this hour a clock in figures, such as 07:30, is one of the morning."""
_FIGURES = re.compile(r"\d{1,2}[:.]?\d{0,2}")
LONG_AGO_DAYS = 30
"""From then on a day of the year is the next one; a judgement."""

MomentOf = Callable[[str, datetime], datetime | None]
"""The next such time of day after another moment."""


@dataclass(frozen=True)
class Span:
    first: int
    last: int
    """Years."""
    years: int
    """Full ones between them."""


class Almanac:
    def __init__(self, data: dict[str, Any], moment_of: MomentOf, in_digits: Callable[[str], str]) -> None:
        """`data`: the content of a file in almanacs/.  in_digits: gives a text its numbers in digits."""
        self._moment_of, self._in_digits = moment_of, in_digits
        self._weekdays = [whole(name) for name in data["weekdays"]]
        self._months = {name: number for number, name in enumerate(data["months"], 1)}
        self._clocks, self._timely, self._aged, self._spans, self._lived, self._bygone, self._yearly = (
            whole(data[name]) for name in ("clocks", "timely", "aged", "spans", "lived", "bygone", "yearly")
        )
        self._lead, self._another_day = re.compile(joined(data["lead"]), re.IGNORECASE), whole(data["another_day"])
        self._aged_when, self._born = whole(data["aged_when"]), whole(data["born"])
        self._lives = whole(f"{data['lived']}|{data['lives']}")
        self._dates = [whole(form) for form in data["dates"]]
        before, behind = joined(data["before_years"]), joined(data["behind_years"])
        self._year = re.compile(rf"(?:(?<!\w)(?:{before}) |[–(-] ?){_YEAR}{behind}", re.IGNORECASE)

    def beside(self, line: str, texts: Sequence[str], now: datetime) -> str:
        """What stands beside `texts` for the line that asks; empty where there is nothing to reckon."""
        found = [self._in_digits(unfenced(text)) for text in texts]
        notes = list(dict.fromkeys(note for text in found for note in self._notes(line, text, now)))
        return prompt.reckoned("beside", text="; ".join(notes)) if 0 < len(notes) <= NOTES_MOST else ""

    def in_time_for(self, digits: str, texts: Sequence[str], now: datetime) -> timedelta | None:
        """How long it is to "20 minutes before choir", where one of the texts says when choir is and that is still to
        come today. None where the line has another number or day, or they tell of another day or of more than one time.

        digits: the line, with its numbers in digits.
        """
        lead = self._lead.search(digits)
        if not lead or not (lead["hours"] or lead["minutes"]) or self._another_day.search(digits):
            return None  # "a few hours before choir" says no length
        event = telling(lead["event"]) - NOISE
        told = [self._in_digits(unfenced(text)) for text in texts]
        told = [text for text in told if not event or event & set(words(text))]
        moments = {self._moment(found[0], now) for text in told for found in self._clocks.finditer(text)}
        if len(told) != 1 or len(moments) != 1 or self._elsewhen(told[0], now.date()):
            return None
        if NUMBER.search(digits[: lead.start()] + lead["event"]) or (moment := moments.pop()) is None:
            return None
        ahead = moment - now - timedelta(hours=_count(lead["hours"]), minutes=_count(lead["minutes"]))
        return ahead if moment.date() == now.date() and ahead >= timedelta(minutes=1) else None

    def _elsewhen(self, text: str, today: date) -> bool:
        dated = self._another_day.search(text) or next(self._dated(text), None)
        return bool(dated) or self._of_another_day(text, today)

    def span(self, line: str, result: str) -> Span | None:
        """From one date of a result to another, where the line can only ask for that: how old somebody died, or was
        when something happened that one sentence of it tells of.
        """
        text = self._in_digits(unfenced(result))
        if self._lives.search(line):
            return self._span_in(text)
        when = self._aged_when.search(line)
        return self._age_at(when["event"], text) if when else None

    def _age_at(self, event: str, text: str) -> Span | None:
        """From a birth to the only year in the one sentence that tells of the event, with all its words."""
        born, asked = self._born.search(text), telling(event) - NOISE
        told = [each for each in pieces(text) if asked and len(among(asked, words(each))) == len(asked)]
        if not born or len(told) != 1 or self._full_dates(told[0]):
            return None  # a full date may come before the birthday of its year
        first = next((int(found["year"]) for found in self._year.finditer(text, born.start())), 0)
        then = {int(found["year"]) for found in self._year.finditer(told[0])} - {first}
        last = then.pop() if len(then) == 1 else 0
        return Span(first, last, last - first) if first and last > first else None

    def lived(self, line: str, found: str) -> Span | None:
        """As `span`, of somebody whom the line does not name and who was looked up a turn ago."""
        return self.span(line, found) if self._lived.fullmatch(line.strip(" .?!")) else None

    def asks_years(self, line: str) -> bool:
        """Whether the line asks for years, which need no other reckoning."""
        return bool(self._spans.search(line) or self._aged.search(line))

    def missing(self, line: str, results: Sequence[str]) -> str:
        """That a year which was asked for is not among those in the results: a small model takes that of another."""
        held = any(self._years_in(unfenced(text)) for text in results)
        lacking = [year for year in self._years_in(line) if not any(str(year) in text for text in results)]
        return prompt.reckoned("missing", year=lacking[0]) if held and len(lacking) == 1 else ""

    def _notes(self, line: str, text: str, now: datetime) -> Iterator[str]:
        yield from self._of_weekdays(text, now.date())
        yield from self._of_dates(text, now.date())
        if self._timely.search(line) and not self._of_another_day(text, now.date()):
            yield from self._of_clocks(text, now)
        if self._spans.search(line):
            yield from self._of_spans(text)
        elif self._aged.search(line):
            yield from self._of_years(text, now.date())

    def _of_another_day(self, text: str, today: date) -> bool:
        return any(name.search(text) for number, name in enumerate(self._weekdays) if number != today.weekday())

    def _of_weekdays(self, text: str, today: date) -> Iterator[str]:
        for number, name in enumerate(self._weekdays):
            found = name.search(text)
            if found and not self._bygone.search(text[: found.start()]):
                ahead = (number - today.weekday()) % WEEK_DAYS
                day = today + timedelta(days=ahead)
                dated = f" {day.day} {day:%B}" if ahead else ""  # or a small model gives it the date of today
                yield day_note(f"{found[0].capitalize().removesuffix('s')}{dated}", ahead)

    def _of_clocks(self, text: str, now: datetime) -> Iterator[str]:
        """The nearer of the one before and the one after now."""
        for found in self._clocks.finditer(text):
            if (moment := self._moment(found[0], now)) is None:
                continue
            ahead = moment - now
            yield clock_note(found[0], ahead if ahead <= timedelta(hours=_MORNING_H) else ahead - timedelta(days=1))

    def _moment(self, clock: str, now: datetime) -> datetime | None:
        """The next such time of day."""
        said = clock.replace(".", ":") if _FIGURES.fullmatch(clock) else clock
        if _FIGURES.fullmatch(said) and int(said.partition(":")[0]) <= _MORNING_H:
            said = f"{said} am"
        return self._moment_of(said, now)

    def _of_years(self, text: str, today: date) -> Iterator[str]:
        full = self._full_dates(text)
        for said, day in full.items():
            yield prompt.reckoned("full_years", day=said, count=_years(day, today))
        for year in sorted(self._years_in(text) - {day.year for day in full.values()}):
            if year < today.year:
                yield prompt.reckoned("years", year=year, count=today.year - year)

    def _of_spans(self, text: str) -> Iterator[str]:
        if found := self._span_in(text):
            yield prompt.reckoned("span", first=found.first, last=found.last, count=found.years)

    def _span_in(self, text: str) -> Span | None:
        """Of a text that names two dates, or two years, and no more."""
        days = sorted(self._full_dates(text).values())
        years = sorted(self._years_in(text) | {day.year for day in days})
        if len(days) == 2 == len(years):
            return Span(years[0], years[1], _years(*days))
        return Span(years[0], years[1], years[1] - years[0]) if len(years) == 2 and not days else None

    def _of_dates(self, text: str, today: date) -> Iterator[str]:
        """Of days to come; without a year the one of this year, or the next where that is long past or comes yearly."""
        for found in self._dated(text):
            day = self._date(found, int(found["year"] or today.year))
            if day is None or (found["year"] and day < today):
                continue
            ahead = (day - today).days
            over = ahead < -LONG_AGO_DAYS or (ahead < 0 and self._yearly.search(text))
            if over and (next_one := self._date(found, today.year + 1)):
                ahead = (next_one - today).days
            yield day_note(found[0], ahead)

    def _full_dates(self, text: str) -> dict[str, date]:
        """As they are said -> those that have a year."""
        found = {each[0]: self._date(each, int(each["year"])) for each in self._dated(text) if each["year"]}
        return {said: day for said, day in found.items() if day}

    def _dated(self, text: str) -> Iterator[re.Match[str]]:
        return (found for form in self._dates for found in form.finditer(text))

    def _years_in(self, text: str) -> set[int]:
        return {int(found["year"]) for found in self._year.finditer(text)}

    def _date(self, found: re.Match[str], year: int) -> date | None:
        try:
            return date(year, self._months[found["month"].casefold()], int(found["day"]))
        except (KeyError, ValueError):
            return None


def almanac_of(language: str, moment_of: MomentOf, in_digits: Callable[[str], str]) -> Almanac | None:
    """None for a language without a file."""
    data = written_for(language, "almanacs")
    return Almanac(data, moment_of, in_digits) if data else None


def _years(first: date, last: date) -> int:
    """Full ones."""
    return last.year - first.year - ((last.month, last.day) < (first.month, first.day))


def day_note(said: str, ahead: int) -> str:
    """How a day stands to today.  ahead: in days; negative for one that was."""
    form = {0: "today", 1: "tomorrow"}.get(ahead, "days" if ahead > 0 else "days_ago")
    return prompt.reckoned(form, day=said, count=abs(ahead))


def clock_note(said: str, ahead: timedelta) -> str:
    """How a time of day stands to now; ahead: negative for one that was."""
    return prompt.reckoned("ahead" if ahead > timedelta() else "past", clock=said, length=length_of(abs(ahead)))


def length_of(span: timedelta) -> str:
    """To the minute, as it is said: 1 hour 5 minutes."""
    hours, minutes = divmod(round(span.total_seconds() / 60), 60)
    return str(Length(hours=hours, minutes=minutes)) or "0 minutes"


def _count(said: str | None) -> float:
    """Of a number in digits; "an hour" is one."""
    return (float(said) if NUMBER.match(said) else 1.0) if said else 0.0
