"""Which alarms or reminders are meant: by time, day, words, order, or all of them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from datetime import UTC, datetime, time

from appliance.language.clock_times import ClockTime
from appliance.language.moments import Moment
from appliance.language.recurrence import Recurrence
from appliance.ports import Clock
from appliance.skills.entries import Entry
from appliance.skills.entry_words import EntryWords, repeats_alike

_ALIKE = 0.75
"""difflib ratio from which words are taken to be misheard, as for timers."""
_WORD = re.compile(r"[^\W_]+")


class WhichEntry:
    def __init__(self, words: EntryWords, clock: Clock) -> None:
        self._words, self._clock = words, clock
        self._every = frozenset(words.phrases["every"])
        self._order: dict[str, int] = words.phrases["order"]
        self._noise = frozenset(words.phrases["noise"])

    def all_of(self, said: str) -> bool:
        """Whether it asks for all there are."""
        return not self._every.isdisjoint(_words(said))

    def names(self, said: str) -> bool:
        """Whether it tells anything of which one is meant."""
        return any(word not in self._noise for word in _words(said))

    def found(self, said: str, entries: list[Entry]) -> list[Entry]:
        """Every one of `entries`, soonest first, that `said` may mean; all for one that names nothing."""
        words = [word for word in said.split() if not self._is_noise(word)]
        if len(words) == 1 and (place := self._order.get(words[0].casefold())) is not None:
            return entries[place:][:1]
        if not words:
            return entries
        when, rest = self._words.time_in(" ".join(words))
        among = [entry for entry in entries if self._at(entry, when)] if when else entries
        named = [word for word in _words(rest) if not self._is_noise(word)]
        return self._named(named, among) if named else among

    def _named(self, words: list[str], entries: list[Entry]) -> list[Entry]:
        """By their words; else by what they repeat: the weekday alarm."""
        repeated = self._words.time_in(self._words.phrases["repeated"].format(" ".join(words)))[0]
        ways: tuple[Callable[[Entry], bool], ...] = (
            lambda entry: set(words) <= set(_words(entry.text)),
            lambda entry: _alike(" ".join(words), entry.text),
            lambda entry: isinstance(repeated, Recurrence) and self._at(entry, repeated),
        )
        return next((found for way in ways if (found := [entry for entry in entries if way(entry)])), [])

    def _is_noise(self, word: str) -> bool:
        return word.casefold() in self._noise or word.casefold() in self._every

    def _at(self, entry: Entry, when: Moment | Recurrence) -> bool:
        if isinstance(when, Recurrence):
            return bool(entry.due.rule) and repeats_alike(when, entry.due.rule)
        zone = self._clock.now().tzinfo or UTC
        if when.clock and not _shows(entry.due.moment(zone), when.clock):
            return False
        if when.day is None:
            return when.part is None or _shows_part(entry.due.moment(zone), when)
        before = datetime.combine(when.day, time(), zone)
        first = entry.due.moment(zone)
        following = first if first >= before else (entry.due.after(before) or entry.due).moment(zone)
        return following.date() == when.day and (when.part is None or _shows_part(following, when))


def _shows(moment: datetime, clock: ClockTime) -> bool:
    return 60 * moment.hour + moment.minute in [each % (24 * 60) for each in clock.choices()]


def _shows_part(moment: datetime, when: Moment) -> bool:
    minutes, part = 60 * moment.hour + moment.minute, when.part
    return part is None or any(part.begins_min <= each < part.ends_min for each in (minutes, minutes + 24 * 60))


def _alike(said: str, text: str) -> bool:
    return difflib.SequenceMatcher(None, said, text.casefold()).ratio() >= _ALIKE


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
