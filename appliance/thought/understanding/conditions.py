"""An order that hangs on something: what has to be so, what is then to be done, and whether a result says so.

A small model acts on nearly every condition, met or not. Numbers and plain words are compared here (`conditions/*.yaml`
explains the words); what neither settles is left to the model.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from appliance.thought.fence import unfenced
from appliance.thought.languages import written_for
from appliance.thought.understanding.patterns import whole
from appliance.thought.understanding.relevance import NOISE, inflected, shared, telling, words
from appliance.thought.understanding.templates import templates

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
END_WORDS = 2
"""Behind the word with which another end of an order begins; more may be what the order is about."""
_CHANCE = r"(?P<{}>\d+(?:\.\d+)?) ?(?:%|per ?cent|prozent)"


@dataclass(frozen=True)
class Conditional:
    test: str
    order: str
    met: Callable[[str], bool | None]
    """Whether a result says that the test is so; None when that cannot be told from numbers and plain words."""
    follows: bool = False
    """Nothing has to be so: the order takes what the test, a question, finds out."""
    certain: bool = False
    """Even if no word of the line speaks for a condition."""
    listed: Callable[[str], bool | None] = lambda result: None
    """As `met`, of a result that is a list."""
    alternative: str = ""
    """The order for the other case."""

    @property
    def act(self) -> str:
        """The order, without the question that may stand in it: "tell Bo | when the bus leaves"."""
        return self.order.replace(self.test, "").strip()


class Conditions:
    def __init__(self, data: dict[str, Any], in_digits: Callable[[str], str]) -> None:
        """`data`: the content of a file in conditions/.  in_digits: gives a line its numbers in digits."""
        self._in_digits = in_digits
        self._forms, self._hinged, self._follows = (
            [_form(form, data) for form in data[name]] for name in ("forms", "hinged", "follows")
        )
        self._joint = re.compile(data["joint"], re.IGNORECASE)
        self._questions, self._asked, self._back = (whole(data[name]) for name in ("questions", "asked", "back"))
        self._then = whole(data["then"])
        self._verbs = whole(f"{data['verbs']}|{data['ambiguous']}")
        self._alternative, self._rest, self._idle = (
            _form(data[name], data) for name in ("alternative", "rest", "idle")
        )
        self._same, self._single = [whole(same) for same in data["same"]], whole(data["single"])
        self._lists, self._otherwise = whole(data["lists"]), re.compile(data["otherwise"], re.IGNORECASE)
        self._comparisons = [
            (re.compile(rf"\b{data[name]}{_BEFORE}?{_NUMBER}", re.IGNORECASE), compare)
            for name, compare in (("below", operator.lt), ("above", operator.gt))
        ]
        self._reported = [whole(words) for words in data["reported"]]
        least: dict[str, dict[str, float]] = data["least"]
        self._least = [(whole(kind), _measure(units), units) for kind, units in least.items()]
        self._opposites = [(whole(word), whole(others)) for word, others in data["opposites"].items()]
        self._negations = whole(data["negations"])

    def read(self, line: str) -> Conditional | None:
        said = self._otherwise.sub("", line.replace("’", "'")).strip(" .!?")
        return self._for_both(said) or self._read(said)

    def _for_both(self, said: str) -> Conditional | None:
        """Of a line that tells what to do in the other case."""
        whole_order = self._alternative.search(said)
        if not (other := whole_order or self._rest.search(said)):
            return None
        before, order = said[: other.start()].strip(" .!?,"), next(filter(None, other.groupdict().values()))
        idle = self._idle.fullmatch(before) if whole_order else None
        if idle and not self._single.search(idle["test"]):
            return self._conditional(idle["test"], order, denied=True)
        if (found := self._read(before)) is None or found.follows:
            return None
        order = order if whole_order else self._resumed(order, found.order)
        return replace(found, alternative=order) if order else None

    def _resumed(self, rest: str, order: str) -> str:
        """`order` with that end instead of its own: "put the heating on 21" | "on 18"; empty where it has no such."""
        for same in self._same if not self._single.search(order) else ():
            ends = [*same.finditer(order)]
            if not same.match(rest) or len(ends) != 1:
                continue
            before, behind = order[: ends[0].start()], order[ends[0].end() :]
            if same.fullmatch(rest):  # only on or off
                return before + rest + behind
            if 0 < len(behind.split()) <= END_WORDS:
                return before + rest
        return ""

    def _read(self, said: str) -> Conditional | None:
        for form in self._hinged:
            if found := form.fullmatch(said):
                return self._found(found, certain=True)
        for form in self._forms:
            if found := form.fullmatch(said):
                return self._found(found)
        for form in self._follows:
            if found := form.fullmatch(said):
                return _follows(found["test"], found["order"])
        return None

    def spans(self, line: str) -> list[tuple[int, int]]:
        """Where the parts of a line are, cut wherever one may begin."""
        cuts = [found.span() for found in self._joint.finditer(line)]
        return [*zip([0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(line)], strict=True)]

    def points_back(self, text: str) -> bool:
        return bool(self._back.search(text))

    def comes_after(self, test: str, joint: str) -> bool:
        """Whether a question that a yes answers is gone on from: "is it dry? then open the skylight"."""
        return bool(self._questions.match(test) and self._then.search(joint))

    def asked_within(self, line: str) -> str:
        """The question that ends an order to tell somebody; empty where there is none."""
        found = self._asked.search(line)
        return line[found.start() :] if found and found.start() else ""

    def depending(self, test: str, order: str) -> Conditional:
        """An order behind what it waits for: a question that a yes answers has to be so, any other is only put in."""
        if self._questions.match(test):
            held = partial(self._held, test, order)
            return Conditional(test, order, partial(self._met, test), certain=True, listed=held)
        return _follows(test, order)

    def _found(self, found: re.Match[str], certain: bool = False) -> Conditional:
        denied = any(value for name, value in found.groupdict().items() if name.startswith("denied"))
        return self._conditional(found["test"], found["order"], denied, certain)

    def _conditional(self, test: str, order: str, denied: bool, certain: bool = False) -> Conditional:
        held = partial(self._held, test, order)
        met, listed = (_turned(check, denied) for check in (partial(self._met, test), held))
        return Conditional(test, order, met, certain=certain, listed=listed)

    def _held(self, test: str, order: str, result: str) -> bool | None:
        """Whether a list holds what the test names; or the order, where that only says "unless it is there already"."""
        there = words(unfenced(result))
        named = telling(self._lists.sub(" ", test)) - NOISE
        held = any(inflected(word, other) for word in named for other in there)
        if not named:
            named = telling(self._lists.sub(" ", self._verbs.sub(" ", order))) - NOISE
            held = all(any(inflected(word, other) for other in there) for word in named)
        denied = any(self._negations.fullmatch(word) or word.endswith("n't") for word in test.split())
        return held is not denied if named else None

    def _met(self, test: str, result: str) -> bool | None:
        result = unfenced(result)
        for pattern, compare in self._comparisons:
            if found := pattern.search(self._in_digits(test)):
                return _agreed(_figures(test, result), compare, _value(found[1], found[2]))
        return self._told(test, result)

    def _told(self, test: str, result: str) -> bool | None:
        for kind in self._reported:
            if found := kind.search(test):
                return self._so(kind, result) is not self._denied(test, found.start())
        for word, opposite in self._opposites:
            if found := word.search(test):
                other = self._so(opposite, result)
                same = self._so(word, result) or (not other and bool(opposite.search(result)))  # "no rain" is dry
                if same != other:
                    return same is not self._denied(test, found.start())
        return None

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
                    return float(found["number"].replace(",", ".")) < least[found["unit"].casefold()]
        return False

    def _denied(self, text: str, at: int) -> bool:
        before = _PART.split(text[:at])[-1].split()[-NEGATED_WITHIN:]
        return any(self._negations.fullmatch(word) or word.endswith("n't") for word in before)


def _improbable(kind: re.Pattern[str], result: str) -> bool:
    """Whether every chance that is given for it is a small one: "rain 2 percent", "a 10 % chance of rain"."""
    between = r"(?:\s+\w+){0,2}"
    forms = (
        rf"{kind.pattern}{between}:?\s+{_CHANCE.format('after')}|{_CHANCE.format('before')}{between}\s+{kind.pattern}"
    )
    found = [*re.finditer(forms, result, re.IGNORECASE)]
    return bool(found) and all(float(each["after"] or each["before"]) < LIKELY_PERCENT for each in found)


@cache
def conditions(language: str) -> Conditions | None:
    """None for a language without a file."""
    data, words = written_for(language, "conditions"), templates(language)
    return Conditions(data, words.quantities.in_digits) if data and words else None


def _follows(test: str, order: str) -> Conditional:
    return Conditional(test, order, partial(_answered, test), follows=True, certain=True)


def _answered(test: str, result: str) -> bool | None:
    """A result that holds neither a number nor a word of what was asked may be that nothing was found."""
    found = unfenced(result)
    near = any(inflected(word, other) for word in telling(test) for other in words(found))
    return True if near or _FIGURE.search(found) else None


def _turned(check: Callable[[str], bool | None], denied: bool) -> Callable[[str], bool | None]:
    def turned(result: str) -> bool | None:
        so = check(result)
        return None if so is None else so is not denied

    return turned


def _measure(units: Iterable[str]) -> re.Pattern[str]:
    names = "|".join(map(re.escape, units))
    return re.compile(rf"(?<![\w.,])(?P<number>\d+(?:[.,]\d+)?) ?(?P<unit>{names})(?!\w)", re.IGNORECASE)


def _form(text: str, data: dict[str, Any]) -> re.Pattern[str]:
    """Lines folded by YAML leave a blank behind bars and brackets."""
    whole = text
    for part in ("reference", "verbs", "ambiguous"):
        whole = whole.replace("{" + part + "}", data[part])
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
