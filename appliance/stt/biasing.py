"""Known names are likelier: a bonus to the tokens that go on with one, while a transcript is written.

Contextual biasing by shallow fusion (D. Zhao and others, Interspeech 2019), but greedy: a bonus cannot be taken back
when the name ends up unsaid. So a beginning of few letters, with which many other words begin too, gains little.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

BEGUN = 3.0
"""Added at most to the logit of a token that begins a name: it is written where another is up to e^3, twenty times, as
likely."""
BEGUN_PER_LETTER = 0.75
"""So much of it for each letter of that token."""
GOES_ON = 4.0
"""Added to the logit of a token that goes on with a name. All three: docs/measured.md, "Hearing real people"."""

_RUN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]+|_+")


class Vocabulary:
    """The tokens of a recogniser that are text. They are byte pairs, numbered in the order in which they are merged."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        """texts: of each token, by its number."""
        self._numbers: dict[bytes, int] = {}
        for number, text in enumerate(texts):
            self._numbers.setdefault(text, number)
        self._letters = [len(text.decode(errors="ignore").strip()) for text in texts]

    def letters(self, token: int) -> int:
        return self._letters[token]

    def split(self, name: str) -> list[int]:
        """The tokens of a name behind other words."""
        return [token for word in name.split() for run in _runs(word) for token in self._merged(run)]

    def _merged(self, run: str) -> list[int]:
        parts = [bytes([byte]) for byte in run.encode()]
        while pairs := [one + other for one, other in pairwise(parts) if one + other in self._numbers]:
            first = min(pairs, key=self._numbers.__getitem__)
            place = next(place for place in range(len(parts)) if parts[place] + parts[place + 1] == first)
            parts[place : place + 2] = [first]
        return [self._numbers[part] for part in parts if part in self._numbers]


def _runs(word: str) -> Iterator[str]:
    """Its letters, digits and signs apart; the space before the word goes with the first of them."""
    for place, run in enumerate(_RUN.findall(word)):
        yield run if place else f" {run}"


@dataclass
class _Node:
    """What has been written of a name."""

    next: dict[int, _Node] = field(default_factory=dict)
    """Token -> what has been written with it."""


class Bias:
    """Of the names that are known now."""

    def __init__(self, vocabulary: Vocabulary, names: Iterable[str]) -> None:
        """names: each is also looked for in small letters and with a capital at the beginning of each word."""
        forms = {form for name in names for form in (name, name.lower(), name.title())}
        split = [vocabulary.split(form) for form in forms]
        self._root, self._longest = _Node(), max(map(len, split), default=0)
        for tokens in split:
            self._add(tokens)
        begins = self._root.next
        self._begins = np.fromiter(begins, np.intp, len(begins))
        letters = np.array([vocabulary.letters(token) for token in begins], np.float32)
        self._begun = np.minimum(letters * BEGUN_PER_LETTER, BEGUN)

    def favour(self, written: Sequence[int], logits: NDArray[np.float32]) -> None:
        """written: the tokens so far.  logits: of the next one, shape (vocabulary,); they are changed.

        What began a name gains nothing as the beginning of another: over noise, one name would follow itself on and on.
        """
        goes_on = list(self._after(written))
        before = logits[goes_on]
        new = ~np.isin(self._begins, written)
        logits[self._begins[new]] += self._begun[new]
        logits[goes_on] = before + GOES_ON

    def _add(self, tokens: Sequence[int]) -> None:
        node = self._root
        for token in tokens:
            node = node.next.setdefault(token, _Node())

    def _after(self, written: Sequence[int]) -> set[int]:
        """What goes on with any name whose beginning the text ends with."""
        found: set[int] = set()
        for start in range(max(0, len(written) - self._longest), len(written)):
            node: _Node | None = self._root
            for token in written[start:]:
                node = node.next.get(token) if node else None
            found.update(node.next if node else ())
        return found
