"""An order that hangs on something: what has to be so, and what is then to be done; see reports.py for whether it is.

A small model acts on nearly every condition, met or not. `conditions/*.yaml` explains the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from appliance.reply.languages import written_for
from appliance.reply.understanding.patterns import whole
from appliance.reply.understanding.relevance import NOISE, inflected, telling, words
from appliance.reply.understanding.reports import FIGURE, Reports
from appliance.reply.understanding.templates import templates
from appliance.safety.fence import unfenced

_END = re.compile(r"[.!?]\s+")
END_WORDS = 2
"""Behind the word with which another end of an order begins; more may be what the order is about."""


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
    named: frozenset[str] = frozenset()
    """What the order is about, without its verb and any list; of "put it on" what the test names."""

    @property
    def act(self) -> str:
        """The order, without the question that may stand in it: "tell Bo | when the bus leaves"."""
        return self.order.replace(self.test, "").strip()


class Conditions:
    def __init__(self, data: dict[str, Any], in_digits: Callable[[str], str]) -> None:
        """`data`: the content of a file in conditions/.  in_digits: gives a line its numbers in digits."""
        self._forms, self._hinged, self._follows = (
            [_form(form, data) for form in data[name]] for name in ("forms", "hinged", "follows")
        )
        self._joint = re.compile(data["joint"], re.IGNORECASE)
        self._questions, self._asked, self._back = (whole(data[name]) for name in ("questions", "asked", "back"))
        self._then = whole(data["then"])
        self._verbs = whole(f"{data['verbs']}|{data['ambiguous']}")
        self._alternative, self._rest, self._idle, self._second = (
            _form(data[name], data) for name in ("alternative", "rest", "idle", "second")
        )
        self._same, self._single = [whole(same) for same in data["same"]], whole(data["single"])
        self._lists, self._otherwise = whole(data["lists"]), re.compile(data["otherwise"], re.IGNORECASE)
        self._reports = Reports(data, in_digits)
        self._begins = re.compile(rf"(?:{data['begins']})(?!\w)", re.IGNORECASE)

    def read(self, line: str) -> Conditional | None:
        said = self._otherwise.sub("", line.replace("’", "'")).strip(" .!?")
        if found := self._for_both(said) or self._read(said):
            return self._with_second(found)
        rest = next((said[each.end() :] for each in _END.finditer(said)), "")  # "I forget. If it is open, shut it"
        return self.read(rest) if self._begins.match(rest) else None

    def _with_second(self, found: Conditional) -> Conditional:
        """With the order for the opposite case, where that is named: "if it is dry ..., and if it is wet ..."."""
        other = None if found.follows or found.alternative else self._second.search(found.order)
        if other is None or not self._reports.opposed(found.test, other["test"]):
            return found
        return replace(found, order=found.order[: other.start()].strip(" ,"), alternative=other["order"])

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
            named = self._item(test, order)
            return Conditional(test, order, partial(self._reports.met, test), certain=True, listed=held, named=named)
        return _follows(test, order)

    def _found(self, found: re.Match[str], certain: bool = False) -> Conditional:
        denied = any(value for name, value in found.groupdict().items() if name.startswith("denied"))
        return self._conditional(found["test"], found["order"], denied, certain)

    def _conditional(self, test: str, order: str, denied: bool, certain: bool = False) -> Conditional:
        held = partial(self._held, test, order)
        met, listed = (_turned(check, denied) for check in (partial(self._reports.met, test), held))
        named = self._item(test, order)
        return Conditional(test, order, met, certain=certain, listed=listed, named=named)

    def _item(self, test: str, order: str) -> frozenset[str]:
        return frozenset(self._named(self._verbs.sub(" ", order)) or self._named(test))

    def _named(self, text: str) -> set[str]:
        return telling(self._lists.sub(" ", text)) - NOISE

    def _held(self, test: str, order: str, result: str) -> bool | None:
        """Whether a list holds what the test names; or the order, where that only says "unless it is there already"."""
        there = words(unfenced(result))
        named = self._named(test)
        held = any(inflected(word, other) for word in named for other in there)
        if not named:
            named = self._named(self._verbs.sub(" ", order))
            held = all(any(inflected(word, other) for other in there) for word in named)
        return held is not self._reports.denies(test) if named else None


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
    return True if near or FIGURE.search(found) else None


def _turned(check: Callable[[str], bool | None], denied: bool) -> Callable[[str], bool | None]:
    def turned(result: str) -> bool | None:
        so = check(result)
        return None if so is None else so is not denied

    return turned


def _form(text: str, data: dict[str, Any]) -> re.Pattern[str]:
    """Lines folded by YAML leave a blank behind bars and brackets."""
    whole = text
    for part in ("reference", "verbs", "ambiguous"):
        whole = whole.replace("{" + part + "}", data[part])
    return re.compile(rf"\W*{re.sub(r'(?<=[|:(]) ', '', whole)}", re.IGNORECASE)
