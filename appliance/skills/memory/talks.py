"""What was talked about: by time alone, a sentence a topic; no model is needed for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Annotated

from pydantic import Field

from appliance.language.lists import capital
from appliance.language.past import Past, past_time, split_past
from appliance.ports import Diary, Exchange
from appliance.skills.memory.shared import Shared
from appliance.skills.memory.telling import Piece, Telling, plain
from appliance.skills.memory.words import SHORTEST_WORDS

MOST_LINES = 1_000
"""Exchanges of one span that are looked at; of more the newest."""
LINES_A_DAY = 3
"""Told of each of several days."""
TOLD_WORDS = 14
"""Of a line: as much as one recognises it by."""
_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")

Topic = Annotated[str, Field(max_length=300)]


class TalkTools:
    def __init__(
        self, shared: Shared, telling: Telling, recall: Callable[[str, str, str], str], own: Collection[str]
    ) -> None:
        """recall: what was said about something, from one day to another.

        own: names of the other tools of memory: what was asked of any of them is no topic.
        """
        self._shared, self._telling, self._own = shared, telling, {*own, "tell_talk"}
        self._words, self._recall = shared.words, recall

    def tell_talk(self, topic: Topic = "") -> str:
        """Tell what was talked about, at a time or about something."""
        now = self._shared.clock.now()
        about, then = split_past(topic, now, self._shared.language)
        if plain(about):
            return self._recall(about, *(_days(then) if then else ("", "")))
        then = then or past_time(self._words.phrases["today"], now, self._shared.language)
        pieces = [*self._pieces(then)] if then else []
        if not pieces:
            return self._words.say("talked_of_nothing")
        lead = self._words.begin("talked", day=self._shared.day(then.begin)) if then and then.one_day else ""
        return self._telling.begin(pieces, lead)

    def _pieces(self, then: Past) -> Iterator[Piece]:
        """Of one day a sentence a topic; of several days one for each."""
        days = self._diary(then)
        lines = [each for each in self._lines(then) if self._day(each.at) not in days]
        if then.one_day:
            for entry in days.values():
                yield from map(Piece, _topics(entry.text))
            yield from (Piece(_told(each.heard)) for each in lines)
            return
        spoken = {day: [*of_day] for day, of_day in groupby(lines, lambda each: self._day(each.at))}
        for day in sorted(days.keys() | spoken.keys()):
            told = _topics(days[day].text)[:1] if day in days else _first_lines(spoken[day])
            yield Piece(self._words.begin("day_of_several", day=self._spoken(day), told=" ".join(told)))

    def _diary(self, then: Past) -> dict[date, Diary]:
        """The days that are whole within it: of a part of a day the diary tells nothing."""
        whole = then.begin.time() == then.end.time()
        last = (then.end - timedelta(seconds=1)).date()
        days = self._shared.store.diary(then.begin.date(), last) if whole else []
        return {each.day: each for each in days if each.text.strip()}

    def _lines(self, then: Past) -> list[Exchange]:
        """What was said, without what is no topic, and each once."""
        speaks = self._shared.talk.person
        found = self._shared.store.exchanges_between(then.begin, then.end, MOST_LINES)
        theirs = [each for each in found if not speaks or each.person in ("", speaks)]
        topics = [each for each in theirs if self._is_topic(each)]
        return [*{_told(each.heard): each for each in topics}.values()]

    def _is_topic(self, exchange: Exchange) -> bool:
        asked_of_memory = any(use.get("tool") in self._own for use in exchange.tools)
        return len(exchange.heard.split()) >= SHORTEST_WORDS and not asked_of_memory

    def _day(self, at: datetime) -> date:
        return at.astimezone(self._shared.clock.now().tzinfo).date()

    def _spoken(self, day: date) -> str:
        now = self._shared.clock.now()
        return self._shared.day(datetime(day.year, day.month, day.day, 12, tzinfo=now.tzinfo))


def _days(then: Past) -> tuple[str, str]:
    """The first and the last, as `recall` takes them."""
    return then.begin.date().isoformat(), (then.end - timedelta(seconds=1)).date().isoformat()


def _topics(text: str) -> list[str]:
    return [each.strip() for each in _SENTENCES.split(text) if each.strip()]


def _first_lines(spoken: Sequence[Exchange]) -> list[str]:
    """One of each conversation, as far as there are several."""
    first = {each.conversation: each for each in reversed(spoken)}
    chosen = sorted(first.values(), key=lambda each: each.at) if len(first) > 1 else spoken
    return [_told(each.heard) for each in chosen[:LINES_A_DAY]]


def _told(line: str) -> str:
    """A line of the user's, as it is told back: its beginning, as a sentence."""
    words = line.split()
    if len(words) > TOLD_WORDS:
        return f"{capital(' '.join(words[:TOLD_WORDS]).rstrip(',;:'))}."
    return capital(line if line.rstrip().endswith(("?", "!", ".")) else f"{line}.")
