"""When an alarm or a reminder is due: from the user's words, and in words for the ear."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from appliance.errors import BadArgument
from appliance.language.clock_times import HALF_DAY_MIN, ClockTime, next_moment, on_day, spoken_time
from appliance.language.durations import exact_duration
from appliance.language.infinitives import bare_infinitive
from appliance.language.moments import Moment, moment_name, spoken_moment
from appliance.language.recurrence import Recurrence, spoken_recurrence
from appliance.language.recurrence_rules import next_after, parts_of, rule_of
from appliance.language.second_person import said_back
from appliance.language.when import When, split_when
from appliance.language.words import language_data
from appliance.ports import Clock
from appliance.skills.due import Due, due_of
from appliance.skills.entries import Entry
from appliance.skills.written import FALLBACK, Words

_OWNED = re.compile(r"['’]s\b")
"""Of tomorrow's alarm."""
_WORD = re.compile(r"\w+")
WHEN = "when"
"""The argument of a tool that holds the words for when."""


@dataclass(frozen=True)
class Said:
    """What was said of when, and of what."""

    due: Due
    rest: str
    """What was said beside the time."""


class EntryWords(Words):
    def __init__(self, clock: Clock, folder: Path, language: str) -> None:
        """folder: the skill's. English where the readers of times do not know the language."""
        super().__init__(folder, language if language_data(language) else FALLBACK)
        self._clock = clock
        waking = "|".join(map(re.escape, self.phrases["waking"])) or "(?!)"
        self._waking = re.compile(rf"(?<!\w)(?:{waking})", re.IGNORECASE)

    def read(self, text: str) -> Said:
        """Raises BadArgument, which asks for what is not said or not understood."""
        now = self._clock.now()
        asked = self.phrases["asked"].format(text)  # with what asks for it before, a number is a time
        ways = split_when(text, now, self.language) or split_when(asked, now, self.language)
        if not ways and (length := exact_duration(text, self.language)):  # an alarm for 20 minutes
            return Said(Due(now.astimezone(UTC) + timedelta(seconds=length)), "")
        if not ways:
            raise BadArgument(self.say("when"), remedy="say a day and a time of day", asks_for=WHEN)
        way = ways[0]
        behind = way.around[-1].split()
        if way.rest and not (behind and behind[0].casefold() in self.phrases["label_joints"]):
            raise BadArgument(self.say("when"), remedy="say the day and the time alone", asks_for=WHEN)
        when = self._as_waking(way.when, text, now)
        due = due_of(when)
        if due is None:
            raise BadArgument(self.say("time"), remedy="say a time of day", asks_for=WHEN, adds=True)
        at = due.moment(now.tzinfo or UTC)
        if at.astimezone(UTC) <= now.astimezone(UTC):
            over = self.begin("over", when=moment_name(at, now, self.language))
            raise BadArgument(over, remedy="name a time to come", asks_for=WHEN)
        return Said(due, way.rest)

    def again(self, said: str, then: datetime) -> Due | None:
        """When `said` is, as it was said at `then`; None where it is not understood then."""
        try:
            ways = split_when(said, then, self.language)
        except BadArgument:
            return None
        return due_of(self._as_waking(ways[0].when, said, then)) if ways else None

    def _as_waking(self, when: When, text: str, now: datetime) -> When:
        """In the first half of the day, where it is open which one is meant and somebody wants to be woken."""
        if not when.half_open or when.clock is None or not self._waking.search(text):
            return when
        early = ClockTime(when.clock.minutes % HALF_DAY_MIN)
        if isinstance(when, Moment):
            at = on_day(when.day, early.minutes, now) if when.day else next_moment(early, now)
            return replace(when, at=at, clock=early, half_open=False)
        parts = parts_of(when.rule) | {"BYHOUR": str(early.minutes // 60)}
        each = rule_of({name: value for name, value in parts.items() if name != "INTERVAL"})
        return replace(when, rule=rule_of(parts), first=next_after(each, now, now), clock=early, half_open=False)

    def said_back(self, text: str) -> str:
        """What the user said, as it is said to the user: my mum is your mum."""
        if self.language == FALLBACK:
            return said_back(text)
        second: Mapping[str, str] = self.phrases["second"]
        told = _WORD.sub(lambda found: second.get(found[0], found[0]), text)
        return bare_infinitive(told, self.language)

    def time_in(self, text: str) -> tuple[When | None, str]:
        """What of when `text` names an entry by, and what else it says."""
        text = _OWNED.sub("", text)
        try:
            ways = split_when(text, self._clock.now(), self.language)
        except BadArgument:
            return None, text
        return (ways[0].when, ways[0].rest) if ways else (None, text)

    def when(self, due: Due) -> str:
        """7 AM tomorrow, every weekday at 7 AM."""
        now = self._clock.now()
        if not due.rule:
            return moment_name(due.moment(now.tzinfo or UTC), now, self.language)
        return spoken_recurrence(due.rule, self.language)

    def spoken(self, due: Due) -> str:
        """Tomorrow at 7 AM, every weekday at 7 AM."""
        now = self._clock.now()
        if not due.rule:
            return spoken_moment(due.moment(now.tzinfo or UTC), now, self.language)
        return spoken_recurrence(due.rule, self.language)

    def next(self, due: Due) -> str:
        """Of its next occurrence alone: tomorrow at 7 AM."""
        return self.spoken(Due(due.at))

    def time(self, entry: Entry) -> str:
        """That of the day: 7 AM."""
        return spoken_time(entry.due.moment(self._clock.now().tzinfo or UTC), self.language)

    def name(self, entry: Entry) -> str:
        """The alarm for 7 AM tomorrow; with a next one that is not the next by its rule, after one was left out."""
        key = "name_text" if entry.text else "name"
        apart = "{text}, " in self.phrases[key]
        name = self.say(key, text=entry.text, when=self.spoken(entry.due) if apart else self.when(entry.due))
        return self.say("name_plays", name=name, plays=entry.plays) if entry.plays else name

    def sentence(self, entry: Entry) -> str:
        """What to say while it rings."""
        return self.say("rings_text" if entry.text else "rings", time=self.time(entry), text=entry.text)

    def missed(self, entry: Entry) -> str:
        """What to tell of one that was missed."""
        key = f"missed_{'rang' if entry.rang else 'was'}{'_text' if entry.text else ''}"
        told = self.say(key, text=entry.text, when="" if entry.unsure else self.spoken(entry.due)).rstrip()
        if entry.missed_from is None or entry.missed_from == entry.due.at:
            return told
        first = self.spoken(Due(entry.missed_from))
        return self.say("missed_last", missed=told, first=first)


def repeats_alike(one: Recurrence, rule: str) -> bool:
    """Whether `rule` is on the days of `one`, and at its time where one was said."""
    said, kept = parts_of(one.rule), parts_of(rule)
    return all(kept.get(name) == value for name, value in said.items())
