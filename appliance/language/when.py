"""Where a sentence says when: "remind me at quarter past two to call Bob", "wake me up at seven on weekdays"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import combinations

from appliance.errors import BadArgument
from appliance.language.figures import ORDINAL_MARK
from appliance.language.moments import Moment, parse_moment
from appliance.language.recurrence import Recurrence, parse_recurrence
from appliance.language.time_words import Sentence, TimeWords, time_words

When = Moment | Recurrence
"""A length from now is a Moment with `after_s`."""
_NUMBER = re.compile(r"\d{1,4}(?: \d\d)?")
"""A time, without the small words in it, that may be any number: six, 6 30, 0630."""
_ORDINAL = re.compile(rf"\d+{ORDINAL_MARK}")
_AROUND = (
    *("boundaries", "counted_from", "determiners", "never", "never_behind", "never_before"),
    *("number_leads", "ordinal_leads", "veto", "weak"),
)
"""Sections of the data: words that stand beside a time, or where none is."""
_WRITTEN = re.compile(r"\d[:.]\d\d")


@dataclass(frozen=True)
class Split:
    """One way to take a sentence apart."""

    when: When
    rest: str
    """What is to be done then, without "remind me" before and "to" between; may be empty."""
    said: str = ""
    """The words that tell when."""
    around: tuple[str, ...] = ()
    """What stands before, between and behind these; each may be empty."""

    @property
    def timed(self) -> bool:
        """Whether it tells a time of day, or a length from now."""
        return _is_timed(self.when)


@dataclass(frozen=True)
class _Span:
    """The words from `begin` to before `end`."""

    begin: int
    end: int
    when: When

    @property
    def timed(self) -> bool:
        return _is_timed(self.when)

    @property
    def clock_alone(self) -> bool:
        """Whether it says no day: six, 7 AM."""
        when = self.when
        on_no_day = isinstance(when, Moment) and when.day is None and not (when.part and when.part.today)
        return on_no_day and when.clock is not None


@dataclass(frozen=True)
class _Place:
    """What stands around a span."""

    first: str
    before: str
    behind: str
    asked: bool
    """Right before it stands what asks: remind me."""
    ends: bool
    """Nothing stands behind it, or what begins something else: to, that, remind me; a comma too, where it is asked."""
    weak: bool
    """It is with a word that is mostly not of a time: for six."""
    lead: bool
    """It begins with a word that is: at, on, every."""


class Splitter:
    def __init__(self, known: TimeWords, language: str) -> None:
        self._known, self._language = known, language
        self._around = {name: frozenset(map(str.casefold, known.when[name])) for name in _AROUND}
        polite, requests = ("|".join(known.when[name]) for name in ("polite", "requests"))
        between = "|".join([*known.when["connectives"], polite])
        self._request = re.compile(
            rf"(?:(?:{polite})[ ,]+)*(?:{requests})(?:[ ,]+(?:{between}))*(?![^\s,.!?])", re.IGNORECASE
        )
        self._edges = re.compile(rf"^(?:[ ,]*(?:{between})(?![^\s,]))+|(?:[ ,]+(?:{between}))+[ .!?]*$", re.IGNORECASE)

    def split(self, text: str, now: datetime, that: datetime | None, no_such: When | None) -> list[Split]:
        sentence = Sentence(text, self._known)
        spans = self._spans(sentence, now, that, no_such)
        ways = [((span,), span.when) for span in spans] + [*self._pairs(sentence, spans, now, that)]
        ways.sort(key=lambda way: -sum(span.end - span.begin for span in way[0]))
        found = [self._way(sentence, sorted(taken, key=lambda each: each.begin), when) for taken, when in ways]
        return [each for each in found if self._around["veto"].isdisjoint(Sentence(each.rest, self._known).words)]

    def may_tell(self, text: str, now: datetime) -> bool:
        """Whether a length from now or an hour is led in as one, whatever more is said of when."""
        sentence = Sentence(text, self._known)
        for begin, end in sentence.runs():
            try:
                when = self._read(sentence.said(begin, end), now, None)
            except BadArgument:  # on a day that there is not
                return True
            if when and (_is_from_now(when) or self._is_hour(sentence, begin, end)):
                return True
        return False

    def _is_hour(self, sentence: Sentence, begin: int, end: int) -> bool:
        """Whether a time is led in as one, and ends there, or is one by its words: ten o'clock."""
        led = sentence.word(begin) in self._around["number_leads"]
        ends = sentence.pauses(end) or self._may_end(sentence.word(end))
        return (led and ends) or not self._known.clock_words.isdisjoint(sentence.words[begin:end])

    def _may_end(self, behind: str) -> bool:
        """Whether an hour may end before this word: not before "percent"."""
        return not behind or behind in self._known.small | self._around["never_before"] or self._known.tells(behind)

    def _spans(self, sentence: Sentence, now: datetime, that: datetime | None, no_such: When | None) -> list[_Span]:
        """Each that is in no longer one. Raises BadArgument."""
        spans: list[_Span] = []
        for begin, end in sentence.runs():
            if any(span.begin <= begin and end <= span.end for span in spans):
                continue
            try:
                when = self._read_where_it_stands(sentence, begin, end, now, that)
            except BadArgument:
                if no_such is None:
                    raise
                when = no_such
            if when:
                spans.append(_Span(begin, end, when))
        return spans

    def _read_where_it_stands(
        self, sentence: Sentence, begin: int, end: int, now: datetime, that: datetime | None
    ) -> When | None:
        """None for what is no time, or not here. Raises BadArgument."""
        try:
            when = self._read(sentence.said(begin, end), now, that)
        except BadArgument:
            nothing = _Span(begin, end, Moment())
            place = self._place(sentence, nothing)
            if (place.lead or place.ends) and self._stands(sentence, nothing):
                raise
            return None
        over = isinstance(when, Moment) and when.day is not None and when.day < now.date()
        return when if when and not over and self._stands(sentence, _Span(begin, end, when)) else None

    def _read(self, said: str, now: datetime, that: datetime | None) -> When | None:
        return parse_recurrence(said, now, self._language) or parse_moment(said, now, self._language, that)

    def _pairs(
        self, sentence: Sentence, spans: Sequence[_Span], now: datetime, that: datetime | None
    ) -> Iterator[tuple[tuple[_Span, ...], When]]:
        """A day and a time of day apart: "on Monday remind me at nine to call Bob"."""
        for pair in combinations(sorted(spans, key=lambda span: span.timed), 2):
            if not pair[0].timed and (pair[1].clock_alone or not pair[1].timed):
                when = self._read(" ".join(sentence.said(span.begin, span.end) for span in pair), now, that)
                if when and (not pair[1].timed or _Span(0, 0, when).timed):
                    yield pair, when

    def _stands(self, sentence: Sentence, span: _Span) -> bool:
        """Whether the words of `span` are a time where they stand, and not the number or the name of something."""
        if span.end - span.begin == len(sentence.words):
            return True
        around, place = self._around, self._place(sentence, span)
        never = place.first in around["never"] and not (isinstance(span.when, Recurrence) and span.timed)
        if never or place.before in around["never"] | around["never_behind"] | around["determiners"]:
            return False
        if place.behind in around["never_before"] or self._more_said(sentence, span, place):
            return False
        return self._marked(sentence, span, place)

    def _more_said(self, sentence: Sentence, span: _Span, place: _Place) -> bool:
        """Whether beside it stands a word of time: then more was said of it than is understood.

        No number is of a length from now ("in ten minutes"), nor is one before a bare hour: "to twenty at nine".
        """
        before, behind = sentence.beside(span.begin, span.end)
        bare = span.clock_alone and place.first in self._around["number_leads"]
        amount = _is_from_now(span.when) or (bare and sentence.amount_before(span.begin))
        more_before = self._known.tells(before) and not (amount and self._known.counts(before))
        return more_before or (
            self._known.tells(behind) and not (_is_from_now(span.when) and self._known.counts(behind))
        )

    def _place(self, sentence: Sentence, span: _Span) -> _Place:
        first, before, behind = (sentence.word(at) for at in (span.begin, span.begin - 1, span.end))
        weak = first in self._around["weak"] or before in self._around["weak"]
        asked = bool(self._request.fullmatch(sentence.said(0, span.begin).strip(" ,.!?")))
        rest = sentence.said(span.end, len(sentence.words))
        begins = behind in self._around["boundaries"] or bool(self._request.match(rest))
        ends = not behind or begins or (asked and sentence.pauses(span.end))
        return _Place(first, before, behind, asked, ends, weak, first in self._known.leads and not weak)

    def _marked(self, sentence: Sentence, span: _Span, place: _Place) -> bool:
        """Whether it is told that the words of `span` are a time: by themselves, or by what stands around them."""
        words = sentence.words[span.begin : span.end]
        figures = " ".join(word for word in self._known.plain(" ".join(words)).split() if word not in self._known.small)
        if self._is_bare(span, words, figures):
            return self._number_marked(words, place)
        if place.asked:
            return True
        if _ORDINAL.fullmatch(figures):
            return place.first in self._around["ordinal_leads"]
        if isinstance(span.when, Moment) and not place.lead and self._is_length(words):
            return False
        certain = not self._known.certain.isdisjoint(words)
        return certain or place.lead or (span.timed and len(words) > 1) or (place.ends and not place.weak)

    def _number_marked(self, words: Sequence[str], place: _Place) -> bool:
        if self._around["number_leads"].isdisjoint(words):
            return place.asked and place.ends
        return place.asked or place.ends or not place.before

    def _is_bare(self, span: _Span, words: Sequence[str], figures: str) -> bool:
        """Whether its time of day may be any number: six, 6 30 tomorrow, two to one."""
        if any(map(_WRITTEN.search, words)):
            return False
        open_clock = isinstance(span.when, Moment) and span.when.clock is not None and span.when.clock.open
        unmarked = open_clock and self._known.clock_words.isdisjoint(self._known.plain(" ".join(words)).split())
        return unmarked or (span.clock_alone and bool(_NUMBER.fullmatch(figures)))

    def _is_length(self, words: Sequence[str]) -> bool:
        """Two weeks, but not two weeks from now."""
        return any(
            word in self._known.units and self._around["counted_from"].isdisjoint(words[at + 1 : at + 2])
            for at, word in enumerate(words)
        )

    def _way(self, sentence: Sentence, taken: Sequence[_Span], when: When) -> Split:
        ends = [0, *(span.end for span in taken)]
        begins = [*(span.begin for span in taken), len(sentence.words)]
        around = tuple(sentence.said(end, begin) for end, begin in zip(ends, begins, strict=True))
        said = " ".join(sentence.said(span.begin, span.end) for span in taken)
        return Split(when, self._rest(around), said, around)

    def _rest(self, around: Sequence[str]) -> str:
        rest = " ".join(filter(None, around)).strip(" ,")
        if request := self._request.match(rest):
            rest = rest[request.end() :]
        return self._edges.sub("", rest).strip(" ,.!?;:")


def _is_timed(when: When) -> bool:
    return (when.first if isinstance(when, Recurrence) else when.at) is not None


def _is_from_now(when: When) -> bool:
    return isinstance(when, Moment) and when.after_s is not None


@cache
def _splitter(language: str) -> Splitter | None:
    known = time_words(language)
    return Splitter(known, language) if known else None


def split_when(
    text: str, now: datetime, language: str = "en", that: datetime | None = None, no_such: When | None = None
) -> list[Split]:
    """Each way to take `text` for a time and the rest, that of the longest time first; none where nothing in it is
    surely a time, or more was said of when than is understood.

    now: with its zone. that: the moment spoken of last. no_such: what a day that there is not, such as 31 June, is
    taken for; without it such a day raises BadArgument.
    """
    splitter = _splitter(language)
    return splitter.split(text, now, that, no_such) if splitter else []


def may_tell_when(text: str, now: datetime, language: str = "en") -> bool:
    """Whether `text` may say when, also where `split_when` finds no way to take it apart: "stop at nine or ten"."""
    splitter = _splitter(language)
    return bool(splitter and splitter.may_tell(text, now))
