"""How the days and hours in a line itself stand to now: "it shuts at half past five, can I still go".

A small model reads the clock beside the line and gets the difference wrong, or the yes and no of it: all of 13 such
lines by a stranger (1.5B, 2026-11-26). It is plain arithmetic, so it is reckoned and told here without the model; the
words are in almanacs/*.yaml. What may be meant otherwise is left to the model: a wrong time told as certain is worse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from appliance.reply import prompt
from appliance.reply.languages import written_for
from appliance.reply.results.almanac import NOTES_MOST, MomentOf, clock_note, day_note, length_of
from appliance.reply.understanding.patterns import whole
from appliance.reply.understanding.signs import Signs

HALF_DAY = timedelta(hours=12)
"""A time such as "half past five" comes twice a day."""
JUST, LATELY, SOON = timedelta(hours=2), timedelta(hours=9), timedelta(hours=6)
"""So long ago at most, a time is that one and not the next; where the line tells of what was; and so long to it.
Judgements: the other half of the day is meant else, or may be."""
RISING_H, NOON_H, EVENING_H = 8, 12, 17
"""In the morning nobody speaks of what was before eight without saying so, nor of what opens at five or later."""
LATELY_DAYS, SELDOM_DAYS = 60, 180
"""A date so few days ago that comes again in so many is the one that was."""
YEAR_DAYS, MONTHS = 365, 12
LAST_MINUTE = 59
_EARLY = re.compile(r"0\d:\d\d")
_AMBIGUOUS = re.compile(r"(?:(?:a )?(?:half|quarter|\d{1,2}(?: minutes?)?) (?:past|to) )?\d{1,2}(?:[:.]\d\d)?")
_CLAUSE = re.compile(r"[,;.!?]|\b(?:or|and|but)\b")

DayOf = Callable[[str, date], date | None]
"""The next such day, from another one on."""


@dataclass(frozen=True)
class Note:
    text: str
    over: bool | None = None
    """Whether it has been; None where it is neither over nor to come."""
    waits: bool = False
    """It is so long after something that was."""


class OwnTimes:
    def __init__(self, data: dict[str, Any], moment_of: MomentOf, day_of: DayOf) -> None:
        """`data`: the content of a file in almanacs/."""
        self._moment_of, self._day_of = moment_of, day_of
        own = data["own"]
        self._words = {name: whole(text) for name, text in own.items() if isinstance(text, str)}
        self._halves = {half: whole(words) for half, words in own["halves"].items()}
        self._weekdays = [whole(name) for name in data["weekdays"]]
        self._clocks = f"{data['clocks']}|{own['clocks']}"
        self._months = {name: number for number, name in enumerate(data["months"], 1)}
        self._named = whole("|".join(self._months))
        self._month = whole(rf"(?P<month>{'|'.join(self._months)}) (?P<year>1[89]\d\d|20\d\d)")

    def answer(self, signs: Signs, now: datetime) -> str:
        """What is told to a line that asks how what it tells stands to now; empty where it asks anything else.

        `now`: on the box's own clock.
        """
        line = self._in_figures(signs.digits)
        alone = signs.moment and not self._says("span", line)  # which the clock tells
        asked = None if signs.conditional or alone else self._words["weighs"].search(line)
        if asked is None or self._says("unweighed", line) or self.which_day(signs) or signs.words.orders_in(line):
            return ""
        told, question = line[: asked.start()], line[asked.start() :]
        if any(source.search(question) for source in signs.words.sources.values()):
            return ""
        notes = [*dict.fromkeys(self._notes(line, told, signs, now))]
        if not 0 < len(notes) <= NOTES_MOST:
            return ""
        verdict = self._verdict(told, question, notes, now.date())
        if verdict is None:
            return ""
        said = self._named.sub(lambda found: found[0].capitalize(), "; ".join(note.text for note in notes))
        return f"{verdict}, {said}." if verdict else f"{said[:1].upper()}{said[1:]}."

    def _says(self, name: str, text: str) -> bool:
        return self._words[name].search(text) is not None

    def which_day(self, signs: Signs) -> str:
        """The one day of which the line asks what day of the week it is; empty where it asks anything else."""
        line = signs.digits
        if signs.conditional or not self._says("which_day", line) or signs.words.orders_in(line):
            return ""
        days = [found[0] for pattern in (signs.words.days, signs.words.dates) for found in pattern.finditer(line)]
        return days[0] if len(days) == 1 else ""

    def _verdict(self, told: str, question: str, notes: list[Note], today: date) -> str | None:
        """The yes or no to a question that can only mean one, "can I still go", "has that gone by"; empty where it is
        none of those, and None where the notes alone would answer nothing.
        """
        first = notes[0]
        if first.over is None:
            return self._on_such_a_day(told, question, today) if self._says("near", question) else ""
        if self._says("how", question) or len(notes) > 1 or self._says("either", question):
            return ""
        if self._says("in_time", question) and self._says("ends", told) and not self._says("barred", told):
            return prompt.reckoned("no" if first.over else "yes")
        if self._says("begun", question) or (not told and self._says("come_yet", question)):
            return prompt.reckoned("yes" if first.over else "not_yet")
        if self._says("next_one", question) and (first.over or first.waits):
            return "" if first.over else prompt.reckoned("not_yet")
        return "" if self._says("allowed", question) and self._says("barred", told) else None

    def _on_such_a_day(self, told: str, question: str, today: date) -> str | None:
        """Whether the day that is asked about is one of the weekdays that are told: "open on Tuesdays"."""
        near = self._words["near"].search(question)
        day = self._day_of(near[0], today) if near else None
        named = self._weekdays_in(told)
        if day is None or not named or not self._says("open_on", told) or self._says("barring", f"{told} {question}"):
            return None
        return prompt.reckoned("yes" if day.weekday() in named else "no")

    def _weekdays_in(self, text: str) -> set[int]:
        return {number for number, name in enumerate(self._weekdays) if name.search(text)}

    def _in_figures(self, line: str) -> str:
        """With "till one" and "November 19 58" as they are written."""
        line = self._words["lone"].sub(lambda found: f"{found['before']} 1", line)

        def joined_up(found: re.Match[str]) -> str:
            dated = found["before"].strip().casefold() in self._months or int(found["second"]) > LAST_MINUTE
            return f"{found['before']}{found['first']}{'' if dated else ':'}{found['second']}"

        return self._words["pairs"].sub(joined_up, line)

    def _notes(self, line: str, told: str, signs: Signs, now: datetime) -> Iterator[Note]:
        near = [*dict.fromkeys(found[0] for found in self._words["near"].finditer(line))]
        likely = (signs.tools.meant | signs.tools.due) & signs.words.sources.keys()
        if near and (not self._says("near", line[len(told) :]) or likely):
            return  # what is asked is not of that day, or most likely the weather
        for said in near:
            if day := self._day_of(said, now.date()):
                yield _of_day(said, day)
        weekdays = self._weekdays_in(told)
        if not near and (not weekdays or now.weekday() in weekdays):
            yield from self._of_clocks(line, signs, now)
        yield from self._of_months(line, now.date())
        yield from self._of_dates(line, signs, now.date())

    def _of_clocks(self, line: str, signs: Signs, now: datetime) -> Iterator[Note]:
        found = [*whole(f"{self._clocks}|{signs.words.moments.pattern}").finditer(line)]
        times, spans = [self._time(each, line, now) for each in found], [*self._words["span"].finditer(line)]
        if None in times or len(spans) > 1:
            return
        if spans:
            yield from self._moved(line, [time for time in times if time], spans[0], now)
            return
        yield from (Note(clock_note(said, at - now), over=at <= now) for said, at in filter(None, times))

    def _time(self, found: re.Match[str], line: str, now: datetime) -> tuple[str, datetime] | None:
        """How it is said and when that is; None where it may be that of either half of the day.

        It is before now where it has just been, or the line tells of what was.
        """
        clause = _CLAUSE.split(line[: found.start()])[-1]
        half = next((half for half, words in self._halves.items() if words.search(line)), "")
        half = "am" if _EARLY.match(found[0]) else half
        said = f"{found[0]} {half}" if half and _AMBIGUOUS.fullmatch(found[0]) else found[0]
        coming, gone = self._moment_of(said, now), self._moment_of(said, now - HALF_DAY)
        if not coming or not gone:
            return None
        once = coming - gone in (timedelta(0), 2 * HALF_DAY)  # such a time comes once a day
        gone, was = (coming - 2 * HALF_DAY if once else gone), self._says("was", clause)
        today = once and gone.date() == now.date() and self._says("over", line)
        past = today or now - gone <= JUST or (was and now - gone <= (2 * HALF_DAY if once else LATELY))
        at = gone if past else coming
        morning = not once and (now.hour < NOON_H and past and not was and gone.hour < RISING_H)
        opening = not once and self._says("opens", clause) and at.hour >= EVENING_H
        if morning or opening or at - now > (HALF_DAY if once else SOON):
            return None
        return (f"{at:%H:%M}" if found[0].isdigit() else found[0]), at

    def _moved(
        self, line: str, times: list[tuple[str, datetime]], span: re.Match[str], now: datetime
    ) -> Iterator[Note]:
        """So long after what has been, or before what is to come: when he may have the next one, when to leave."""
        length = timedelta(hours=float(span["hours"] or 0), minutes=float(span["minutes"] or span["only"] or 0))
        if len(times) != 1:
            return
        (said, at), lasts, needs = times[0], self._says("lasts", line), self._says("needs", line)
        if at <= now and not needs:
            side, moment = "after", at + length
        elif at > now and needs and not lasts:
            side, moment = "before", at - length
        else:
            return
        over, away = moment <= now, length_of(abs(moment - now))
        form = f"{side}_{'past' if over else 'ahead'}"
        text = prompt.reckoned(form, length=length_of(length), clock=said, moment=f"{moment:%H:%M}", away=away)
        yield Note(text, over=over, waits=side == "after")

    def _of_months(self, line: str, today: date) -> Iterator[Note]:
        """How long ago a month of a year was; of this month nobody knows which of two years it is."""
        for found in self._month.finditer(line):
            month, count = self._months[found["month"].casefold()], today.year - int(found["year"])
            if count > 2 and month > today.month:
                told = {"day": found[0], "count": count - 1, "next": count, "month": found["month"]}
                yield Note(prompt.reckoned("years_soon", **told))
            elif count > 1 and month < today.month:
                yield Note(prompt.reckoned("full_years", day=found[0], count=count))

    def _of_dates(self, line: str, signs: Signs, today: date) -> Iterator[Note]:
        """Of days without a year: the last one where the line tells of what was, or asks whether it has been."""
        for found in signs.words.dates.finditer(line):
            coming, gone = self._day_of(found[0], today), self._last(found[0], today)
            if coming is None or gone is None or self._says("counting_to", line[: found.start()]):
                continue
            nearer = self._says("over", line) and today - gone < coming - today
            lately = (today - gone).days <= LATELY_DAYS < SELDOM_DAYS < (coming - today).days
            if coming != today and (nearer or lately or self._says("was", line[: found.start()])):
                yield self._bygone(found[0], gone, today, monthly=self._says("monthly", line))
            else:
                yield Note(day_note(found[0], (coming - today).days), over=False if coming > today else None)

    def _last(self, said: str, today: date) -> date | None:
        """The last such day before today; None for one that has a year, and comes once."""
        day = self._day_of(said, today - timedelta(days=YEAR_DAYS))
        while day and (later := self._day_of(said, day + timedelta(days=1))) and later < today:
            day = later
        return day if day and day < today else None

    @staticmethod
    def _bygone(said: str, day: date, today: date, monthly: bool) -> Note:
        months = (today.year - day.year) * MONTHS + today.month - day.month - (today.day < day.day)
        told = prompt.reckoned("full_months", day=said, count=months) if monthly else day_note(said, (day - today).days)
        return Note(told, over=True)


def _of_day(said: str, day: date) -> Note:
    """Which one that is, as the clock beside a line has it."""
    return Note(prompt.reckoned("is_day", said=said, day=f"{day:%A} {day.day} {day:%B}"))


def own_times(language: str, moment_of: MomentOf, day_of: DayOf) -> OwnTimes | None:
    """None for a language in whose file such lines are not described."""
    data = written_for(language, "almanacs")
    return OwnTimes(data, moment_of, day_of) if data and "own" in data else None
