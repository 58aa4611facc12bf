"""A line that asks for several things, cut into them before the model reads it.

A small model does the one and forgets the other, or mixes the two: "the porch light on and the garage light off" is
one lamp to it. Which tool each side of a joint calls for was learnt; what is no order of its own stays where it is.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from appliance.reply.understanding.compound import CLAUSE_MIN_CHARS
from appliance.reply.understanding.conversions import CONVERTER
from appliance.reply.understanding.fastlane import FastLane, Match, Parted
from appliance.reply.understanding.patterns import NUMBER, Patterns
from appliance.reply.understanding.relevance import NOISE, telling
from appliance.reply.understanding.signs import SignReader, Signs
from appliance.reply.understanding.tool_signs import (
    ADDER,
    CALCULATE,
    CERTAIN,
    MEANT,
    READERS,
    RECKONERS,
    SENDER,
    likeliest,
)

MOST = 4
"""Parts of a line; one with more is a story."""
SURE = 0.8
"""How likely a tool must be where no verb begins the request for it; a judgement."""
TERSE = frozenset({"home_set", "set_timer"})
"""What is ordered without one: "hall light off", "ten minutes for the eggs"."""
COUNTED = frozenset({CONVERTER, CALCULATE, "set_timer"})
"""Tools that need a number: where there is none it is what comes before that they are to be given."""
WORDY = frozenset({SENDER, "remember", "set_preference", ADDER})
"""Tools that are given words: what follows may be more of them."""


@dataclass(frozen=True)
class Piece:
    text: str
    matches: tuple[Match, ...] = ()
    """What no model is needed for; none: it is for the model."""


class Apart:
    def __init__(self, lane: FastLane, signs: SignReader, asked_before: Set[str]) -> None:
        """asked_before: names of the tools that are asked about before they run."""
        self._lane, self._signs, self._asked_before = lane, signs, asked_before

    def pieces(self, line: str, signs: Signs) -> list[Piece]:
        """In the order in which they are to be done; none of a line that is to be read as a whole."""
        if signs.conditional or signs.slip or signs.correcting:
            return []
        texts = self._texts(signs.digits, signs.words)
        if len(texts) == 1:
            return self._at_one_end(line)
        asked = [text for text in texts if self._best(text)[0] in self._asked_before]
        if len(asked) > 1:  # only one can be waiting for its yes
            return []
        texts.sort(key=lambda text: text in asked)  # what is asked comes last, or the answer would be to that
        return [Piece(text, tuple(self._lane.matches(text))) for text in texts]

    def _at_one_end(self, line: str) -> list[Piece]:
        """Where only one end of the line is understood."""
        found = self._lane.parted(line)
        if not found:
            return []
        understood, rest = Piece(found.understood, tuple(found.matches)), self._signs.read(found.rest)
        if not _tells(found.rest):
            return [understood]  # "would you?"
        if rest.bare:  # "I missed that. Say it again": no request, but why there is one
            return [understood] if self._only_why(found, rest) else []
        worded = found.rest_first and self._best(found.rest)[0] in WORDY
        if worded and not _anew(found.understood, self._best(found.understood)[1], rest.words):
            return []  # "tell Bo to come in and be quiet"
        if not found.rest_first and rest.words.vague.search(found.rest):
            return []  # "and double it": it needs what came before
        return [Piece(found.rest), understood] if found.rest_first else [understood, Piece(found.rest)]

    @staticmethod
    def _only_why(found: Parted, rest: Signs) -> bool:
        """Whether all that stands behind a sum or a conversion is what that is for."""
        only = rest.words.what_for.match(found.rest) and not rest.words.holds_request(found.rest)
        told = bool(only) and not NUMBER.search(rest.digits)
        return told and not found.rest_first and RECKONERS.issuperset(each.intent for each in found.matches)

    def _texts(self, line: str, words: Patterns) -> list[str]:
        joints, texts, start = list(self._lane.joints(line)), list[str](), 0
        for place, (left, right) in enumerate(joints):
            end = joints[place + 1][0] if place + 1 < len(joints) else len(line)
            if left > start and self._separate(line[start:left], line[right:end], line[right:], words):
                texts.append(line[start:left])
                start = right
        return [*texts, line[start:]] if len(texts) < MOST else [line]

    def _separate(self, left: str, next_to_it: str, right: str, words: Patterns) -> bool:
        """Whether what is right of a joint is asked for by itself. next_to_it: that, up to the next joint."""
        (one, sure_of_one), (other, sure_of_other) = self._best(left), self._best(next_to_it)
        if sure_of_other < MEANT:
            other, sure_of_other = self._best(right)
        if min(len(left), len(right)) < CLAUSE_MIN_CHARS or min(sure_of_one, sure_of_other) < MEANT:
            return False
        if not _tells(right) or words.referring.search(right) or self._lane.counts_on(left, right):
            return False
        if other in COUNTED and not NUMBER.search(right):
            return False
        terse = one in TERSE and sure_of_one >= SURE and not words.subjects.match(left)
        begun = words.begins_request(left) or words.led_to.search(left) is not None or terse
        if one in WORDY:
            listed = words.shelved.search(right) or not words.timing.search(right)  # "5 minute noodles"
            timed = one == ADDER and other in TERSE & COUNTED and not listed
            return begun and one != other and (timed or _anew(right, sure_of_other, words))
        terse = other in TERSE or ({one, other} <= READERS and words.begins_question(right))
        return begun and (words.begins_request(right) or (terse and sure_of_other >= SURE))

    def _best(self, text: str) -> tuple[str, float]:
        return likeliest(self._signs.intended(text))


def _anew(text: str, sure: float, words: Patterns) -> bool:
    """Whether it can be no more of the words that a tool before it is given."""
    return sure >= CERTAIN and words.begins_request(text)


def _tells(text: str) -> bool:
    return bool(telling(text) - NOISE)
