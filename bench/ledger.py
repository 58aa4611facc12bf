"""What a box acknowledged, kept by whoever speaks to it, and whether it still holds: each thing once.

A line that keeps something is a `Wish`. Words of the box that match it are the acknowledgement, from the moment that
they are about to be spoken. A wish that was cut off before may have been done or not; what it is about is never there
twice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from bench.results import Row

ENDED = re.compile(r"\b(is done|ended|rang)\b")
"""What is said of a timer that rings, or of one that did so while nobody heard it."""


class Fate(Enum):
    """Of a timer, by its label, or of a fact, by its text."""

    ASKED = auto()
    """Not acknowledged: perhaps it is there."""
    KEPT = auto()
    """Acknowledged: it is there once."""
    LEAVING = auto()
    """To be cancelled, which is not acknowledged: perhaps it is there."""
    ENDED = auto()
    """A timer that rang, or was told of: there until somebody has stopped it, once."""
    GONE = auto()
    """Cancelled, and that was acknowledged; or never set: it is not there."""


ALLOWED: Mapping[Fate, tuple[int, int]] = {
    Fate.ASKED: (0, 1),
    Fate.KEPT: (1, 1),
    Fate.LEAVING: (0, 1),
    Fate.ENDED: (0, 1),
    Fate.GONE: (0, 0),
}
"""Least and most times that it may be there."""


@dataclass(frozen=True)
class Wish:
    """kind: set, cancel, adjust, or fact. what: the label, or the fact's text."""

    kind: str
    what: str
    acknowledged: str
    """Part of the words that acknowledge it."""
    seconds: float = 0.0
    """By which a timer's end is set, or moved."""

    def is_acknowledged_by(self, words: str) -> bool:
        return self.acknowledged.casefold() in words.casefold()


@dataclass
class Ledger:
    fates: dict[str, Fate] = field(default_factory=dict)
    acknowledged: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    """There more than once, or again after it had gone."""
    cut_off: Counter[str] = field(default_factory=Counter)
    """Wishes that were neither acknowledged nor answered when the box ended: how many were done, and not."""
    refused: int = 0
    """Answered, and not acknowledged."""
    _wish: Wish | None = None
    _kinds: dict[str, str] = field(default_factory=dict)

    def running(self, kind: str) -> list[str]:
        """What is surely there: labels of timers (set), texts (fact)."""
        return [what for what, fate in self.fates.items() if fate is Fate.KEPT and self._kinds[what] == kind]

    def ask(self, wish: Wish) -> None:
        """It is being said to the box."""
        self._wish = wish
        if wish.kind in ("set", "fact"):
            self.fates[wish.what], self._kinds[wish.what] = Fate.ASKED, wish.kind
        elif wish.kind == "cancel":
            self.fates[wish.what] = Fate.LEAVING

    def hear(self, words: str) -> None:
        """The box says it."""
        if self._wish and self._wish.is_acknowledged_by(words):
            self._acknowledge(self._wish)
        for what, fate in self.fates.items():
            if fate is not Fate.GONE and _ended(what, words.casefold()):
                self.fates[what] = Fate.ENDED

    def answered(self) -> None:
        """The turn is over."""
        self.refused += self._wish is not None
        self._wish = None

    def _acknowledge(self, wish: Wish) -> None:
        self._wish = None
        self.acknowledged[wish.kind] += 1
        if wish.kind in ("set", "fact"):
            self.fates[wish.what] = Fate.KEPT
        elif wish.kind == "cancel":
            self.fates[wish.what] = Fate.GONE

    def compare(self, held: Iterable[str]) -> None:
        """With what the box holds after a start, or at the end. What it may have done is settled by that."""
        found = Counter(text.casefold() for text in held)
        if self._wish and self._wish.kind != "adjust":
            done = bool(found[self._wish.what]) is (self._wish.kind != "cancel")
            self.cut_off["done" if done else "not done"] += 1
        self._wish = None
        for what, fate in self.fates.items():
            least, most = ALLOWED[fate]
            count = found[what]
            if count < least:
                self.lost.append(what)
            elif count > most:
                self.twice.append(what)
            self.fates[what] = _settled(fate, count)

    def told(self) -> str:
        """For a person."""
        return f"{self.acknowledged.total()} acknowledged, {len(self.lost)} lost, {len(self.twice)} twice"

    def row(self) -> Row:
        counts = {"acknowledged": self.acknowledged, "cut_off": self.cut_off}
        told = {name: dict(sorted(count.items())) for name, count in counts.items()}
        return told | {"refused": self.refused, "lost": self.lost, "twice": self.twice}


def _ended(what: str, words: str) -> bool:
    """Whether it is said of this timer: a list of all of them may say it of one beside it, which has no time left."""
    _, there, told = words.partition(f"{what} timer")
    return bool(there and ENDED.search(told.partition(" left")[0]))


def _settled(fate: Fate, count: int) -> Fate:
    """Found there, it is kept from now on; not found, it is gone."""
    if not count:
        return Fate.GONE
    return Fate.ENDED if fate is Fate.ENDED else Fate.KEPT
