"""An order that hangs on something: what has to be so, what is then to be done, and whether a result says so.

A small model acts on nearly every condition, met or not. Numbers and plain words are compared here (`conditions/*.yaml`
explains the words); what neither settles is left to the model.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from appliance.thought.fence import unfenced
from appliance.thought.languages import written_for
from appliance.thought.relevance import shared
from appliance.thought.templates import templates

_NUMBER = r"(-|minus )?(\d+(?:\.\d+)?)"
_FIGURE = re.compile(rf"(?<![\w:.]){_NUMBER}(?![\w:]|\.\d)")
"""A number of its own; no time of day, no part of a name."""
_PART = re.compile(r"[,;]\s|[.!?]\s|\n")
_BEFORE = r"\s+(?:\w+\s+)?"
"""Between a comparison and its number: nothing, or a word such as "about"."""
NEGATED_WITHIN = 3
"""Words before another that can deny it: "no chance of rain"."""
LIKELY_PERCENT = 30
"""A chance below this is told as not expected. A judgement: forecasters call under 30 percent "a slight chance"."""
_CHANCE = r"(\d+(?:\.\d+)?) ?(?:%|per ?cent|prozent)"


@dataclass(frozen=True)
class Conditional:
    test: str
    order: str
    met: Callable[[str], bool | None]
    """Whether a result says that the test is so; None when that cannot be told from numbers and plain words."""
    follows: bool = False
    """Nothing has to be so: the order takes what the test, a question, finds out."""


class Conditions:
    def __init__(self, data: dict[str, Any], in_digits: Callable[[str], str]) -> None:
        """`data`: the content of a file in conditions/.  in_digits: gives a line its numbers in digits."""
        self._in_digits = in_digits
        self._forms = [_form(form, data["verbs"]) for form in data["forms"]]
        self._follows = [_form(form, data["verbs"]) for form in data["follows"]]
        self._comparisons = [
            (re.compile(rf"\b{data[name]}{_BEFORE}?{_NUMBER}", re.IGNORECASE), compare)
            for name, compare in (("below", operator.lt), ("above", operator.gt))
        ]
        self._reported = _whole(data["reported"])
        self._opposites = [(_whole(word), _whole(others)) for word, others in data["opposites"].items()]
        self._negations = _whole(data["negations"])

    def read(self, line: str) -> Conditional | None:
        said = line.replace("’", "'").strip(" .!?")
        for form in self._forms:
            if found := form.fullmatch(said):
                return Conditional(found["test"], found["order"], partial(self._met, found["test"]))
        for form in self._follows:
            if found := form.fullmatch(said):
                return Conditional(found["test"], found["order"], lambda result: True, follows=True)
        return None

    def _met(self, test: str, result: str) -> bool | None:
        result = unfenced(result)
        for pattern, compare in self._comparisons:
            if found := pattern.search(self._in_digits(test)):
                return _agreed(_figures(test, result), compare, _value(found[1], found[2]))
        return self._told(test, result)

    def _told(self, test: str, result: str) -> bool | None:
        if found := self._reported.search(test):
            stem = found[0][:4]
            said = re.finditer(rf"\b{re.escape(stem)}\w*", result, re.IGNORECASE)
            so = any(not self._denied(result, match.start()) for match in said) and not _improbable(stem, result)
            return so is not self._denied(test, found.start())
        for word, opposite in self._opposites:
            if found := word.search(test):
                same, other = bool(word.search(result)), bool(opposite.search(result))
                return None if same == other else same is not self._denied(test, found.start())
        return None

    def _denied(self, text: str, at: int) -> bool:
        before = _PART.split(text[:at])[-1].split()[-NEGATED_WITHIN:]
        return any(self._negations.fullmatch(word) or word.endswith("n't") for word in before)


def _improbable(stem: str, result: str) -> bool:
    """Whether every chance that is given for it is a small one: "rain 2 percent", "a 10 % chance of rain"."""
    word, between = rf"\b{re.escape(stem)}\w*", r"(?:\s+\w+){0,2}"
    found = re.findall(rf"{word}{between}:?\s+{_CHANCE}|{_CHANCE}{between}\s+{word}", result, re.IGNORECASE)
    return bool(found) and all(float(after or before) < LIKELY_PERCENT for after, before in found)


@cache
def conditions(language: str) -> Conditions | None:
    """None for a language without a file."""
    data, words = written_for(language, "conditions"), templates(language)
    return Conditions(data, words.quantities.in_digits) if data and words else None


def _form(text: str, verbs: str) -> re.Pattern[str]:
    """Lines folded by YAML leave a blank behind bars and brackets."""
    whole = text.replace("{verbs}", verbs)
    return re.compile(rf"\W*{re.sub(r'(?<=[|:(]) ', '', whole)}", re.IGNORECASE)


def _agreed(figures: list[float], compare: Callable[[float, float], bool], limit: float) -> bool | None:
    said = {compare(figure, limit) for figure in figures}
    return said.pop() if len(said) == 1 else None


def _figures(test: str, result: str) -> list[float]:
    """The numbers of the parts that share a word with the test; of the whole where none does or they hold none."""
    parts = [part for part in _PART.split(result) if shared(part, test)]
    for text in (" , ".join(parts), result):
        if found := [_value(match[1], match[2]) for match in _FIGURE.finditer(text)]:
            return found
    return []


def _value(sign: str | None, digits: str) -> float:
    return -float(digits) if sign else float(digits)


def _whole(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
