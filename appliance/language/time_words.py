"""Which words of a sentence can be part of a time, and which of them tell of one by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from appliance.language.moments import MOST_WORDS, Moments, moments
from appliance.language.numbers import Numbers, numbers, ordinals
from appliance.language.words import alternatives, language_data

_SECTIONS = ("clock_times", "dates", "moments", "recurrence")
_SMALL = ("noise", "joints", "leads", "articles", "and", "of")
"""Sections of words that also stand where no time is."""
_NEAR = 3
"""So many small words are looked over beside a time for more of it."""
_ENDS = ".,!?;:"
_SAID_BACK = ("spoken", "near", "errors")
"""What the box says, not what it hears."""
_MARKS = re.compile(r"\(\?(?:P<\w+>|[:=!])|<\w+>")
"""Of a template or a pattern."""


class TimeWords:
    """Of one language."""

    def __init__(self, data: Mapping[str, Any], language: str, reader: Moments, number_reader: Numbers) -> None:
        """data: the file of the language."""
        self.when: Mapping[str, Any] = data["when"]
        self.plain = reader.clocks.plain
        self._is_number = number_reader.names
        self._plural = re.compile(f"({alternatives(reader.dates.weekdays)}){data['recurrence']['plural']}")
        sections = [data[name] for name in _SECTIONS]
        small = [section[name] for section in (*sections, data["numbers"]) for name in _SMALL if name in section]
        names = [
            reader.clocks.words,
            reader.dates.weekdays,
            reader.dates.months,
            data["durations"]["units"],
            ordinals(language),
        ]
        self.small = {
            *_words(small),
            *(word for name in ("boundaries", "polite", "seldom") for word in self.when[name]),
        }
        self.clock_words = {*_words(_heard(data["clock_times"]["forms"]))} - self.small
        """They make a time of day of a number: half, past, o'clock."""
        self.units = frozenset(data["dates"]["units"])
        """Of days and more."""
        self.loose = {
            *_words([section[name] for section in sections for name in ("noise", "joints") if name in section])
        }
        """Readers pass over them, and no time ends with one."""
        heard = [_heard(section) for section in sections]
        self._every = {*_words([*heard, *names, small, data["numbers"]["parts"]])} - {*self.when["words_too"]}
        leads = (*data["clock_times"]["leads"], *data["moments"]["joints"], *self.when["leads"])
        self.leads = {lead.split()[0] for lead in leads}
        """With these a time begins."""
        parts = reader.clocks.parts.items()
        self.certain = {*data["dates"]["days"], *(name for name, part in parts if part.today)}
        """They tell of a day wherever they stand."""

    def has(self, word: str) -> bool:
        """Whether it can be part of a time."""
        return all(self._has(part) for part in word.replace(".", "").split("-"))

    def tells(self, word: str) -> bool:
        """Whether it is part of a time, and of hardly anything else."""
        return word not in self.small and self.has(word)

    def counts(self, word: str) -> bool:
        """Whether it is a number, which may be that of something else."""
        return word[:1].isdigit() or self._is_number(word)

    def _has(self, word: str) -> bool:
        known = word in self._every or self.counts(word)
        return known or bool(self._plural.fullmatch(word))


@cache
def time_words(language: str) -> TimeWords | None:
    data, reader, number_reader = language_data(language), moments(language), numbers(language)
    return TimeWords(data, language, reader, number_reader) if data and reader and number_reader else None


class Sentence:
    """A line of words, of which some tell of a time."""

    def __init__(self, text: str, known: TimeWords) -> None:
        self.text, self._known = text, known
        self._places = [*re.finditer(r"\S+", text)]
        self.words = [found[0].strip(_ENDS).casefold().replace("’", "'") for found in self._places]
        self._of_time = [known.has(word) for word in self.words]
        self._tell = [known.tells(word) for word in self.words]
        self._loose = [word in known.loose for word in self.words]

    def said(self, begin: int, end: int) -> str:
        """The words from `begin` to before `end`."""
        return self.text[self._places[begin].start() : self._places[end - 1].end()] if begin < end else ""

    def word(self, at: int) -> str:
        """Empty before the first and behind the last."""
        return self.words[at] if 0 <= at < len(self.words) else ""

    def pauses(self, at: int) -> bool:
        """Whether a comma or the like stands before the word at `at`."""
        return 0 < at <= len(self.words) and self._places[at - 1][0].endswith(tuple(_ENDS))

    def runs(self) -> Iterator[tuple[int, int]]:
        """Where each run of words that can be a time begins and ends, the longest first."""
        for length in range(min(MOST_WORDS, len(self.words)), 0, -1):
            for begin in range(len(self.words) - length + 1):
                end = begin + length
                if all(self._of_time[begin:end]) and any(self._tell[begin:end]) and not self._loose[end - 1]:
                    yield begin, end

    def beside(self, begin: int, end: int) -> tuple[str, str]:
        """The nearest words before and behind such a run that are not small; empty where none is near."""
        sides = (self.words[max(0, begin - _NEAR) : begin][::-1], self.words[end : end + _NEAR])
        before, behind = (next((word for word in side if word not in self._known.small), "") for side in sides)
        return before, behind

    def amount_before(self, at: int) -> bool:
        """Whether right before `at` stands a number that is of no time: to twenty."""
        begin = at
        while begin and self._known.counts(self.words[begin - 1]):
            begin -= 1
        leads = self._known.leads | {*self._known.when["weak"]}
        return 0 < begin < at and self.words[begin - 1] not in leads


def _heard(data: Any) -> Any:
    """What people say, of a section: without what is said to them, and of a form only what it is like."""
    if isinstance(data, Mapping):
        if form := data.get("say") or data.get("words"):
            return _heard(form)
        return {key: _heard(value) for key, value in data.items() if key not in _SAID_BACK}
    if isinstance(data, str):
        return _MARKS.sub(" ", data)
    return [_heard(each) for each in data] if isinstance(data, Sequence) else data


def _words(data: Any) -> Iterator[str]:
    """Every word in `data`, in keys too."""
    if isinstance(data, Mapping):
        yield from _words([*data, *data.values()])
    elif isinstance(data, str):
        yield from re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", data.casefold())
    elif isinstance(data, Sequence | frozenset):
        for each in data:
            yield from _words(each)
