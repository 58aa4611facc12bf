"""Whether a report says that a test is so: numbers and plain words of it are compared, the rest is left to the model.

The words are in conditions/*.yaml, which explain them.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from appliance.language.quantities import THOUSANDS, decimal
from appliance.reply.understanding.patterns import NEVER, whole
from appliance.reply.understanding.relevance import among, shared, telling, words
from appliance.safety.fence import unfenced

_NUMBER = r"(-|minus )?(\d+(?:\.\d+)?)"
_UNIT = re.compile(r" ?(°|[^\W\d_]+)")
FIGURE = re.compile(rf"(?<![\w:.]){_NUMBER}(?![\w:]|\.\d)(?:{_UNIT.pattern})?")
"""A number of its own; no time of day, no part of a name."""
_PART = re.compile(r"[,;]\s|[.!?]\s|\n")
_BEFORE = r"\s+(?:\w+\s+)?"
"""Between a comparison and its number: nothing, or a word such as "about"."""
COMPARISONS = (("down_to", operator.le), ("up_to", operator.ge), ("below", operator.lt), ("above", operator.gt))
"""Section of conditions/*.yaml -> what it compares by."""
NEGATED_WITHIN = 3
"""Words before another that can deny it: "no chance of rain"."""
LIKELY_PERCENT = 30
"""A chance below this is told as not expected. A judgement: forecasters call under 30 percent "a slight chance"."""
_CHANCE = r"(?P<{}>\d+(?:\.\d+)?) ?(?:%|per ?cent|prozent)"


@dataclass(frozen=True)
class Figure:
    value: float
    unit: str


class Reports:
    def __init__(self, data: dict[str, Any], in_digits: Callable[[str], str]) -> None:
        """`data`: the content of a file in conditions/.  in_digits: gives a line its numbers in digits."""
        self._in_digits = in_digits
        self._comparisons = [
            (re.compile(rf"\b{data[name]}{_BEFORE}?{_NUMBER}", re.IGNORECASE), compare) for name, compare in COMPARISONS
        ]
        self._reported = [whole(words) for words in data["reported"]]
        least: dict[str, dict[str, float]] = data["least"]
        self._least = [(whole(kind), _measure(units), units) for kind, units in least.items()]
        self._opposites = [(whole(word), whole(others)) for word, others in data["opposites"].items()]
        self._negations = whole(data["negations"])
        self._every, self._any, self._dates, self._times, self._lengths, self._unsaid, self._stops = (
            whole(data[name]) for name in ("every", "any", "dates", "times", "lengths", "unsaid", "stops")
        )

    def met(self, test: str, result: str) -> bool | None:
        """Whether a result says that the test is so; None where that cannot be told."""
        result, said = (THOUSANDS.sub("", text) for text in (unfenced(result), self._in_digits(test)))
        for pattern, compare in self._comparisons:
            if found := pattern.search(said):
                subject = [word for word in words(said[: found.start()]) if not self._times.fullmatch(word)]
                figures = _figures(test, subject, self._dates.sub(" ", result))
                unit = _UNIT.match(said, found.end())
                meant = whole(re.escape(unit[1])) if unit else self._unsaid
                if unit and self._times.fullmatch(unit[1]):
                    meant = NEVER if self._lengths.fullmatch(unit[1]) else self._unsaid
                return _agreed(figures, compare, _value(found[1], found[2]), meant)
        return self._told(test, result)

    def opposed(self, one: str, other: str) -> bool:
        """Whether the other test is the opposite of the one: dry, wet."""
        return any(word.search(one) and opposite.search(other) for word, opposite in self._opposites)

    def denies(self, text: str) -> bool:
        """Whether any word of it is one that denies."""
        return any(self._negations.fullmatch(word) or word.endswith("n't") for word in text.split())

    def _told(self, test: str, result: str) -> bool | None:
        for kind in self._reported:
            if found := kind.search(test):
                if self._stops.search(test):
                    return None  # "when the rain stops"
                return self._so(kind, result) is not self._denied(test, found.start())
        for word, opposite in self._opposites:
            if found := word.search(test):
                other = self._so(opposite, result)
                same = self._so(word, result) or (not other and bool(opposite.search(result)))  # "no rain" is dry
                so = same if same != other else self._of_several(test, result, word, opposite) if same else None
                if so is not None:
                    return so is not self._denied(test, found.start())
        return None

    def _of_several(self, test: str, result: str, word: re.Pattern[str], opposite: re.Pattern[str]) -> bool | None:
        """Of things that are partly so: whether all are, or any is, as the test asks; None where it asks neither."""
        parts = [part for part in _PART.split(result) if self._so(word, part) or self._so(opposite, part)]
        named = [part for part in parts if among(telling(word.sub(" ", test)), words(part))] or parts
        if not self._every.search(test):
            return any(self._so(word, part) for part in named) or None if self._any.search(test) else None
        if any(self._so(opposite, part) for part in named):
            return False
        return all(self._so(word, part) for part in named) or None if named else None

    def _so(self, kind: re.Pattern[str], result: str) -> bool:
        """Whether a result has such a word that is neither denied, nor too little to count, nor improbable."""
        said = [found for found in kind.finditer(result) if not self._denied(result, found.start())]
        return any(not self._slight(result, found) for found in said) and not _improbable(kind, result)

    def _slight(self, result: str, word: re.Match[str]) -> bool:
        """Whether the measure that stands with a word, rather behind it than before, is too little: "rain 0 mm"."""
        for kind, measure, least in self._least:
            if kind.fullmatch(word[0]):
                before, behind = _PART.split(result[: word.start()])[-1], _PART.split(result[word.end() :])[0]
                if found := measure.search(behind) or measure.search(before):
                    return float(decimal(found["number"])) < least[found["unit"].casefold()]
        return False

    def _denied(self, text: str, at: int) -> bool:
        before = _PART.split(text[:at])[-1].split()[-NEGATED_WITHIN:]
        return self.denies(" ".join(before))


def _improbable(kind: re.Pattern[str], result: str) -> bool:
    """Whether every chance that is given for it is a small one: "rain 2 percent", "a 10 % chance of rain"."""
    between = r"(?:\s+\w+){0,2}"
    forms = (
        rf"{kind.pattern}{between}:?\s+{_CHANCE.format('after')}|{_CHANCE.format('before')}{between}\s+{kind.pattern}"
    )
    found = [*re.finditer(forms, result, re.IGNORECASE)]
    return bool(found) and all(float(each["after"] or each["before"]) < LIKELY_PERCENT for each in found)


def _agreed(
    figures: list[Figure], compare: Callable[[float, float], bool], limit: float, unit: re.Pattern[str]
) -> bool | None:
    """Whether it is so of all figures, or of those in that unit; None where that cannot be told."""
    for some in (figures, [figure for figure in figures if unit.fullmatch(figure.unit)]):
        if len(said := {compare(figure.value, limit) for figure in some}) == 1:
            return said.pop()
    return None


def _figures(test: str, subject: list[str], result: str) -> list[Figure]:
    """The numbers of the parts about the last word of `subject` that any is about: "gusts of", "the wind is"; else of
    those that share a word with the test; of the whole where none does or they hold none.
    """
    parts = _PART.split(result)
    about = [[part for part in parts if among([word], words(part))] for word in reversed(subject)]
    near = [part for part in parts if shared(part, test)]
    texts = (*map(" , ".join, about), " , ".join(near), result)
    return next(filter(None, map(_figures_in, texts)), [])


def _figures_in(text: str) -> list[Figure]:
    """Each number with the word behind it; in a range the first one has the unit of the second: "8 to 14 degrees"."""
    found, figures = [*FIGURE.finditer(text)], list[Figure]()
    for each in reversed(found):
        ranged = bool(figures) and text[each.end() :].lstrip()[:1].isdigit()
        figures.append(Figure(_value(each[1], each[2]), figures[-1].unit if ranged else each[3] or ""))
    return figures


def _value(sign: str | None, digits: str) -> float:
    return -float(digits) if sign else float(digits)


def _measure(units: Iterable[str]) -> re.Pattern[str]:
    names = "|".join(map(re.escape, units))
    return re.compile(rf"(?<![\w.,])(?P<number>\d+(?:[.,]\d+)?) ?(?P<unit>{names})(?!\w)", re.IGNORECASE)
