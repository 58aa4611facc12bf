"""What a conversation was about, in a few notes: the model's, as far as what was said holds them, or the user's words.

A day of the diary is such notes, a line each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from textwrap import shorten
from typing import Any

from appliance.language.digits import numbers_in
from appliance.language.stopwords import EMPTY
from appliance.language.words import tidy
from appliance.ports import Exchange
from appliance.reply.digest import unsupported
from appliance.reply.languages import written_for
from appliance.reply.phrases import phrases
from appliance.reply.plan import Call
from appliance.reply.understanding.relevance import among, words
from appliance.safety.guard import spoken_or_none
from appliance.safety.redact import redact

NOTE = "note"
"""The name in prompts/choices.yaml."""
TOPICS_BATCH = 2
"""Of one batch: two topics in half a dozen exchanges are many."""
TOPICS_MOST, WORDS_MOST = 5, 200
"""Of a day (spec of the reply flow, After the reply)."""
NOTE_WORDS = WORDS_MOST // TOPICS_MOST
HELD_SHARE = 0.7
"""Of a note's words, those that were said: the others may only join them. A judgement."""
ALIKE_SHARE = 0.6
"""Of the words of the shorter of two notes, those that the other has too, from which both are about one topic. A
judgement."""
TELLING_LEAST = 2
"""Words of a line that say what it is about, from which it is worth a note."""
HEARD_CHARS, SAID_CHARS = 300, 160
"""Of a line and of its answer in what the model reads: six of both fit beside the instruction (llm/llama.py)."""
_NAMED = re.compile(r"(?<=[^\W_]|,)\s+([A-ZÀ-ÖØ-Þ][^\W\d_]{2,})")
FAILED = ("error", "timeout", "denied")
"""Outcomes of a step (records.py)."""


class Notes:
    def __init__(
        self,
        language: str,
        name: str,
        region: str,
        orders: Set[str] = frozenset(),
        outside: Set[str] = frozenset(),
    ) -> None:
        """name: what the box is called.  region: of the telephone numbers that are taken out.

        orders: names of the tools that do something. What they did is no topic: that a light was switched on fills a
        diary, and is found as it was said.  outside: of those that read text from outside. What was answered with it is
        nobody's here, and may mean to be taken for more.
        """
        spoken = _spoken(language)
        self._user, self._quoted, self._failing = spoken["user"], spoken["quoted"], spoken["failing"]
        self._empty = empty_words(language) | {name.casefold()}
        self._name, self._region, own = name, region, phrases(language)
        self._orders, self._outside = orders, outside
        self._deflections = {own.no_answer, own.cannot_at_all, own.broke, own.late, own.unknown, own.unheard_of,
                             own.garbled, own.left_alone, own.unclear, own.not_understood, own.not_later}  # fmt: skip
        self._lacking = own.cannot.partition("{")[0]

    def transcript(self, batch: Sequence[Exchange]) -> str:
        """Who said what, a line each, as the model reads it: the talk, without orders and what did not work."""
        lines = list[str]()
        for each in batch:
            if self._is_talk(each):
                lines += [f"{each.person or self._user}: {_cut(each.heard, HEARD_CHARS)}"]
                answered = not any(use.get("tool") in self._outside for use in each.tools)
                lines += [f"{self._name}: {_cut(each.said, SAID_CHARS)}"] if answered else []
        return "\n".join(lines)

    def held(self, calls: Sequence[Call], batch: Sequence[Exchange]) -> list[str]:
        """The notes that the model wrote of a batch and that it holds."""
        texts = [str(call.arguments.get("text", "")) for call in calls if call.tool == NOTE]
        clean = [_whole(redact(" ".join(text.split()), self._region)) for text in texts]
        source, heard = self.transcript(batch), tidy(" ".join(each.heard for each in batch))
        return [
            note
            for note in dict.fromkeys(clean)
            if note and self._is_in(source, note) and not self._tells_failure(note, heard)
        ]

    def extract(self, batch: Sequence[Exchange]) -> list[str]:
        """The user's own words, as far as they say what it was about: what stands without usable notes."""
        talk = [each for each in batch if self._is_talk(each)]
        telling = [each for each in talk if len(self._about(each.heard)) >= TELLING_LEAST]
        best = sorted(telling, key=lambda each: -len(self._about(each.heard)))[:TOPICS_BATCH]
        return [
            redact(self._quoted.format(who=each.person or self._user, heard=_quote(each.heard)), self._region)
            for each in telling
            if each in best
        ]

    def completed(self, notes: Sequence[str], own: Sequence[str]) -> list[str]:
        """The notes of a batch, and the user's own words where they tell of something else and there is room."""
        told = self._about(" ".join(notes))
        others = [quote for quote in own if len(among(about := self._about(quote), told)) < ALIKE_SHARE * len(about)]
        return [*notes, *others[: max(0, TOPICS_BATCH - len(notes))]]

    def day(self, lines: Sequence[str], more: Sequence[str]) -> list[str]:
        """The notes of a day with those that came to it: each topic once, and of too many those that tell the most."""
        kept = list[str]()
        for note in dict.fromkeys(map(_short, [*lines, *more])):
            same = next((place for place, other in enumerate(kept) if self._alike(note, other)), None)
            if same is None:
                kept.append(note)
            elif self._adds(note, kept[same]):
                kept[same] = note
        best = sorted(range(len(kept)), key=lambda place: -len(self._about(kept[place])))[:TOPICS_MOST]
        return [kept[place] for place in sorted(best)]

    def _is_in(self, source: str, note: str) -> bool:
        """Whether a text holds all numbers and names of a note, and most of its words."""
        if spoken_or_none(note) is None or unsupported(note, source):
            return False
        said, named = {*words(source)}, names(note, self._empty)
        own = [word for word in words(note) if word not in self._empty]
        return bool(own) and len(among(named, said)) == len(named) and len(among(own, said)) >= HELD_SHARE * len(own)

    def _tells_failure(self, note: str, heard: str) -> bool:
        """What did not work, unless the user said so: read again, it would be taken for what cannot be done."""
        return any(mark in tidy(note) and mark not in heard for mark in self._failing)

    def _is_talk(self, exchange: Exchange) -> bool:
        """Neither an order nor a deflection."""
        outcomes = [use.get("outcome") for use in exchange.tools]
        failed = bool(outcomes) and all(outcome in FAILED for outcome in outcomes)
        deflected = exchange.said in self._deflections or exchange.said.startswith(self._lacking)
        return not (failed or deflected or is_order(exchange, self._orders))

    def _alike(self, one: str, other: str) -> bool:
        """Whether two notes are about one topic, with the same numbers."""
        first, second = self._about(one), self._about(other)
        shared = min(len(among(first, second)), len(among(second, first)))
        least = max(1.0, ALIKE_SHARE * min(len(first), len(second)))
        return shared >= least and numbers_in(one) == numbers_in(other)

    def _adds(self, note: str, other: str) -> bool:
        """Whether it says something that the other does not."""
        own = self._about(note)
        return len(among(own, self._about(other))) < len(own)

    def _about(self, text: str) -> set[str]:
        return {*words(text)} - self._empty


def empty_words(language: str) -> frozenset[str]:
    """Words that say nothing of what was said: common ones, and those with which it is told."""
    return EMPTY | {*_spoken(language)["narrating"]}


def names(text: str, empty: Set[str]) -> list[str]:
    """What is written with a capital within a sentence, and is none of those words; in lower case."""
    return [word for word in map(str.casefold, _NAMED.findall(text)) if word not in empty]


def _spoken(language: str) -> dict[str, Any]:
    return written_for(language, "diary") or written_for("en", "diary") or {}


def is_order(exchange: Exchange, orders: Set[str]) -> bool:
    """Whether one of these tools did what the line asked for."""
    return any(use.get("tool") in orders and use.get("outcome") == "ok" for use in exchange.tools)


def _cut(text: str, limit: int) -> str:
    return shorten(" ".join(text.split()), limit, placeholder=" …")


def _quote(heard: str) -> str:
    return _cut(heard, HEARD_CHARS // 2).rstrip(".").replace('"', "'")


def _short(note: str) -> str:
    return " ".join(note.split()[:NOTE_WORDS])


def _whole(note: str) -> str:
    """Without the beginning of a sentence that found no room."""
    if not note or note.endswith((".", "!", "?", '"')):
        return note
    end = max(note.rfind(mark) for mark in (". ", "! ", "? "))
    return note[: end + 1] if end > 0 else f"{note}."
