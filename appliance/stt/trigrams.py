"""How people talk to a box in the house: how likely each next piece of a word is, by the two words before it.

A recogniser that was taught with films and lectures hears "what is this in letters"; who knows the house hears litres.
The counts are of the lines in models/training/; models/training/make_trigrams.py counts them, models/cards/trigrams.md
says what they are worth. Interpolated after Witten and Bell (1991).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources

import numpy as np
from numpy.typing import NDArray

WORD = re.compile(r"[\w']+|[^\w\s]")
"""A word, or one sign."""
ORDER = 3
EDGE = ""
"""Stands before a line and after it."""
_CUT = "\x01"
"""Behind each piece of a word, so that `part` is no beginning of `parked` where that is one piece."""
_LAST = "\uffff"
"""Sorted behind whatever a word may go on with."""

Counts = NDArray[np.int64]
Chances = NDArray[np.float64]
Split = Callable[[str], Sequence[str]]
"""A word as the pieces that a recogniser writes it in."""


@dataclass(frozen=True)
class Trigrams:
    spelt: tuple[str, ...]
    """The words, in lower case and in pieces, see `spelling`; sorted, so `EDGE` is the first."""
    runs: tuple[Counts, ...]
    """Of one, two, three words: each run of words as one number, see `numbered`; sorted."""
    sums: tuple[Counts, ...]
    """How often each of the runs before it was said, together; one longer than the runs."""

    def chances(self, before: Sequence[str], pieces: Sequence[str]) -> Chances:
        """How likely each of the pieces comes next, 0 to 1. Shape (pieces,).

        before: the line so far, in pieces; it may end within a word.  pieces: each with a blank before it where a word
        begins; `EDGE` is the end of the line.
        """
        start = _last_word(before)
        said, begun = WORD.findall(_folded("".join(before[:start]))), spelling(before[start:])
        starts = [self._range(_spelt(piece)) for piece in pieces]
        if not begun:
            return self._masses(said, starts)
        longer = [self._range(begun + _spelt(piece)) for piece in pieces]
        *same_word, whole, any_word = self._masses(said, [*longer, self._exactly(begun), self._range(begun)])
        if not any_word:  # of a word that nobody said, no end is expected either
            return np.zeros(len(pieces))
        new_word = whole * self._masses([*said, _word(begun)], starts)
        chances: Chances = np.where([*map(_in_word, pieces)], same_word, new_word) / any_word
        return chances

    def _masses(self, said: Sequence[str], ranges: Sequence[tuple[int, int]]) -> Chances:
        """How likely the next word is one of each range of words."""
        lows, highs = np.array(ranges, np.int64).T
        mass: Chances = (highs - lows) / len(self.spelt)
        history = [self._index.get(word, -1) for word in [EDGE, EDGE, *said][1 - ORDER :]]
        for length, (runs, sums) in enumerate(zip(self.runs, self.sums, strict=True)):
            known = history[len(history) - length :]
            if -1 in known:
                break
            base = numbered(known, len(self.spelt)) * len(self.spelt)
            first, last = np.searchsorted(runs, (base, base + len(self.spelt)))
            if first == last:
                break
            count, kinds = sums[last] - sums[first], last - first
            found = sums[np.searchsorted(runs, base + highs)] - sums[np.searchsorted(runs, base + lows)]
            mass = (found + kinds * mass) / (count + kinds)
        return mass

    def _range(self, begun: str) -> tuple[int, int]:
        """Where the words that begin so stand."""
        return (bisect_left(self.spelt, begun), bisect_left(self.spelt, begun + _LAST)) if begun else (0, 1)

    def _exactly(self, word: str) -> tuple[int, int]:
        place = bisect_left(self.spelt, word)
        return place, place + (self.spelt[place : place + 1] == (word,))

    @cached_property
    def _index(self) -> dict[str, int]:
        return {_word(word): place for place, word in enumerate(self.spelt)}


def counted(words: Sequence[str], runs: Sequence[Counts], counts: Sequence[Counts], split: Split) -> Trigrams:
    """runs: of one word, of two, and so on, numbered by the places in `words`.  counts: of each."""
    spelt = [spelling(split(word)) if word else EDGE for word in words]
    order = sorted(range(len(words)), key=spelt.__getitem__)
    place = np.empty(len(words), np.int64)
    place[order] = np.arange(len(words))
    sorted_runs, sums = [], []
    for length, (run, count) in enumerate(zip(runs, counts, strict=True), 1):
        powers = len(words) ** np.arange(length)
        renumbered = (place[run[:, None] // powers % len(words)] * powers).sum(axis=1)
        places = renumbered.argsort()
        sorted_runs.append(renumbered[places])
        sums.append(np.concatenate([[0], count[places].cumsum()]))
    return Trigrams(tuple(spelt[place] for place in order), tuple(sorted_runs), tuple(sums))


def trigrams(language: str, split: Split) -> Trigrams | None:
    """None for a language whose lines nobody counted."""
    path = resources.files("appliance.stt").joinpath("household", f"{language}.npz")
    if not path.is_file():
        return None
    with path.open("rb") as file, np.load(file) as data:
        words = data["words"].tobytes().decode().split("\n")
        lengths = range(1, ORDER + 1)
        return counted(
            words, [data[f"runs{length}"] for length in lengths], [data[f"counts{length}"] for length in lengths], split
        )


def numbered(run: Sequence[int], words: int) -> int:
    """A run of places among `words` words as one number."""
    number = 0
    for place in run:
        number = number * words + place
    return number


def spelling(pieces: Sequence[str]) -> str:
    """A word of these pieces, as it is sorted."""
    return "".join(map(_spelt, pieces))


def _spelt(piece: str) -> str:
    found = WORD.search(_folded(piece))
    return found[0] + _CUT if found else EDGE


def _word(spelt: str) -> str:
    return spelt.replace(_CUT, "")


def _last_word(pieces: Sequence[str]) -> int:
    """Where the word begins that the pieces end within; their number where they end with a sign."""
    start = len(pieces)
    while start and _in_word(pieces[start - 1]):
        start -= 1
    if start and pieces[start - 1][:1].isspace() and _in_word(pieces[start - 1].lstrip()):
        return start - 1
    return start


def _in_word(piece: str) -> bool:
    """Whether it goes on with the word before it."""
    return bool(piece) and (piece[0].isalnum() or piece[0] in "'’_")


def _folded(text: str) -> str:
    return text.casefold().replace("’", "'")
