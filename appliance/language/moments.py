"""A day and a time of day together: "quarter to nine tomorrow evening", "on Friday at 6:30 pm", "in half an hour"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any

from appliance.errors import BadArgument
from appliance.language.clock_times import Clocks, ClockTime, DayPart, clocks, next_moment, on_day, spoken_time
from appliance.language.dates import Dates, dates, spoken_day
from appliance.language.durations import exact_duration
from appliance.language.words import alternatives, language_data, tidy

MOST_WORDS = 16
"""A longer text is not the name of a moment."""

_NUMBER = re.compile(r"\d+(?: \d+)?")


@dataclass(frozen=True)
class Moment:
    """What was said of when, and when that is."""

    at: datetime | None = None
    """In the zone of `now`; None where no time of day was said. Past only where the day was said and that is over."""
    day: date | None = None
    """The day that was said: None for a time alone, and for a length from now."""
    clock: ClockTime | None = None
    """The time of day that was said, in the part of the day that was said."""
    part: DayPart | None = None
    """The part of the day that was said with the day: tomorrow evening, tonight."""
    after_s: float | None = None
    """The length from now that was said."""
    half_open: bool = False
    """Nothing told which half of the day is meant: `at` is the next such time, and ought to be said back."""


class Moments:
    def __init__(self, data: Mapping[str, Any], language: str, clock_reader: Clocks, date_reader: Dates) -> None:
        """data: the section `moments` of a language's file."""
        self._data, self._language, self.clocks, self.dates = data, language, clock_reader, date_reader
        self._after = [re.compile(form) for form in data["after"]]
        self._beside = [(re.compile(form["say"]), form["sign"]) for form in data["beside"]]
        self._vague = re.compile(rf"(?<!\S)(?:{alternatives(data['vague'])})(?!\S)")
        joints = alternatives(data["joints"])
        self._joints = re.compile(rf"^(?:(?:{joints})(?: |$))+|(?:(?:^| )(?:{joints}))+$")

    def read(self, text: str, now: datetime, that: datetime | None = None) -> Moment | None:
        """Of all of `text`. Raises BadArgument for a day that there is not."""
        if after := self._from_now(text, now) or (that and self._from_that(text, now, that)):
            return after
        words = self.clocks.plain(text).split()
        no_such_day: BadArgument | None = None
        for said_day, said_clock in cuts(words) if len(words) <= MOST_WORDS else ():
            try:
                moment = self._joined(said_day, said_clock, now, that)
            except BadArgument as error:
                no_such_day = error
                continue
            if moment and not _run_together(words, said_day, said_clock):
                return moment
        if no_such_day:
            raise no_such_day
        return None

    def _joined(self, said_day: str, said_clock: str, now: datetime, that: datetime | None) -> Moment | None:
        """Of a day and a time of day, either of which may be empty. Raises BadArgument."""
        if said_day and self.without_joints(said_clock) in self._data["same_time"]:
            # At the same time next week is in a week, not on its first day.
            said_day = self._data["spans"].get(self.without_joints(said_day), said_day)
            clock: ClockTime | None = ClockTime(60 * now.hour + now.minute)
        else:
            clock = self._clock(said_clock) if said_clock else None
            if said_clock and clock is None:
                return None
        day, part = self._day(said_day, now.date(), that, timed=clock is not None)
        return _together(day, part, clock, now) if day or part or not said_day else None

    def without_joints(self, said: str) -> str:
        """Without "at" and "on" at its ends."""
        return self._joints.sub("", said)

    def _from_now(self, text: str, now: datetime) -> Moment | None:
        for form in self._after:
            found = form.fullmatch(tidy(text).strip(" .,!?"))
            seconds = exact_duration(found["length"], self._language) if found else None
            if seconds is not None:
                return Moment(_moved(now, seconds), after_s=seconds)
        return None

    def _from_that(self, text: str, now: datetime, that: datetime) -> Moment | None:
        """An hour before that, ten minutes later."""
        for form, sign in self._beside:
            found = form.fullmatch(tidy(text).strip(" .,!?"))
            if not found or "clock" in found.groupdict():
                continue
            seconds = exact_duration(found["length"], self._language)
            if seconds is not None:
                at = _moved(that, sign * seconds).astimezone(now.tzinfo)
                return Moment(at, clock=ClockTime(60 * at.hour + at.minute))
        return None

    def _clock(self, said: str) -> ClockTime | None:
        """Also an hour before midnight."""
        said = self.without_joints(said)
        besides = (self._beside_clock(said, *form) for form in self._beside)
        return self.clocks.read(said) or next(filter(None, besides), None)

    def _beside_clock(self, said: str, form: re.Pattern[str], sign: int) -> ClockTime | None:
        found = form.fullmatch(said)
        clock = self.clocks.read(found["clock"]) if found and "clock" in found.groupdict() else None
        seconds = exact_duration(found["length"], self._language) if found and clock else None
        return clock.moved(sign * seconds / 60) if clock and seconds else None

    def _day(self, said: str, today: date, that: datetime | None, timed: bool) -> tuple[date | None, DayPart | None]:
        """The day and the part of it that plain `said` names. Raises BadArgument for a day that there is not."""
        said = self.without_joints(said)
        if that and (away := self._data["that_days"].get(self.dates.without_noise(said))) is not None:
            return that.date() + timedelta(days=away), None
        if day := self.dates.find_in_figures(said, today):
            return day, None
        rest, part = self.clocks.without_part(said)
        if part or not timed:
            rest = " ".join(self._vague.sub(" ", rest).split())
        if not part and rest != said:
            rest, part = self.clocks.without_part(rest)
        rest = self.without_joints(rest)
        day = self.dates.find_in_figures(rest, today) if rest else None
        return day, part if day or not rest else None


@cache
def moments(language: str) -> Moments | None:
    data, clock_reader, date_reader = language_data(language), clocks(language), dates(language)
    if not data or not clock_reader or not date_reader:
        return None
    return Moments(data["moments"], language, clock_reader, date_reader)


def parse_moment(text: str, now: datetime, language: str = "en", that: datetime | None = None) -> Moment | None:
    """When all of `text` says, seen from `now`; None where it says nothing of when.

    that: the moment spoken of last, with its zone, for "an hour before that". Raises BadArgument for a day that there
    is not, such as 31 June.
    """
    reader = moments(language)
    return reader.read(text, now, that) if reader else None


def spoken_moment(moment: datetime, now: datetime, language: str = "en") -> str:
    """At 3:05 PM, yesterday at 3:05 PM, tomorrow at noon, on Friday at 7 AM, on 20 December at 7 AM."""
    local = moment.astimezone(now.tzinfo) if moment.tzinfo else moment
    form = "today" if local.date() == now.date() else "other"
    return _formed(form, local, now, language)


def moment_name(moment: datetime, now: datetime, language: str = "en") -> str:
    """What an alarm for it is called: 7 AM tomorrow, 7 AM on Friday."""
    return _formed("name", moment.astimezone(now.tzinfo) if moment.tzinfo else moment, now, language)


def _formed(form: str, local: datetime, now: datetime, language: str) -> str:
    data = language_data(language) or language_data("en")
    assert data is not None, "English is there"
    said: str = data["moments"]["spoken"][form]
    return said.format(
        time=spoken_time(local, language, with_day=True), day=spoken_day(local.date(), now.date(), language)
    )


def _moved(moment: datetime, seconds: float) -> datetime:
    """By a length, whatever the hands of the clocks do meanwhile."""
    moved = (moment.astimezone(UTC) + timedelta(seconds=seconds)).astimezone(moment.tzinfo)
    return moved if moment.tzinfo else moved.replace(tzinfo=None)


def cuts(words: list[str]) -> Iterator[tuple[str, str]]:
    """Each way to take `words` for a day and a time, in either order; as much as may be for the day."""
    for at in range(len(words), 0, -1):
        yield " ".join(words[:at]), " ".join(words[at:])
    for at in range(len(words) + 1):
        yield " ".join(words[at:]), " ".join(words[:at])


def _run_together(words: list[str], said_day: str, said_clock: str) -> bool:
    """Whether a bare number of hours meets a number of the day, as in "the second one": then neither may be meant."""
    if not said_day or not _NUMBER.fullmatch(said_clock):
        return False
    day_first = words[: len(said_day.split())] == said_day.split()
    earlier, later = (said_day, said_clock) if day_first else (said_clock, said_day)
    return earlier.split()[-1][0].isdigit() and later[0].isdigit()


def _together(day: date | None, part: DayPart | None, clock: ClockTime | None, now: datetime) -> Moment | None:
    """None where they do not go together: tomorrow evening at 7 AM."""
    today = now.date()
    if day is None and part and part.today:
        day = today
    if clock is None:
        return Moment(day=day, part=part) if day or part else None
    if part:
        clock = clock.within(part)
        if clock is None:
            return None
    if day is None:
        return Moment(next_moment(clock, now), clock=clock, part=part, half_open=clock.open)
    # In the small hours "tonight" is still that of the day before.
    nights = (today - timedelta(days=1), today) if part and part.today and day == today else (day,)
    times = [on_day(night, minutes, now) for night in nights for minutes in clock.choices()]
    coming = [each for each in times if each.astimezone(UTC) > now.astimezone(UTC)]
    at = coming[0] if coming else times[-1]
    return Moment(at, day, clock, part, half_open=clock.open and len(coming) > 1)
