"""Which token a recogniser writes next: what it heard, and a little of what people say to a box in the house.

Called shallow fusion (Gulcehre et al. 2015, arXiv 1503.03535): each likely token gains by how likely the words make it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from appliance.stt.trigrams import EDGE, Trigrams

WEIGHT = 0.2
"""Of what is expected against what is heard. Of 225 unseen lines in nine voices, a third of them in noise, base had
16.5 % of the words wrong with 0, 14.3 with 0.3, 16.5 with 0.6; 91, 99 and 101 lines right to the word. Of 142
requests 89 were with 0, 94 with 0.2, 92 with 0.3, which puts words into a mouth more readily (2026-11-24)."""
UNEXPECTED = 1e-3
"""A word less likely than this gains nothing by it."""
GAIN = WEIGHT * math.log1p(1 / UNEXPECTED)
"""The most that a token gains: one that is further behind the likeliest cannot be chosen."""
FAR = 12.0
"""Tokens this far behind the likeliest have no share worth adding up: each at most 6 millionths of its own."""
CALL_ENDS_WITHIN = 8
"""Tokens in which the sign after a wake word stands; from there on the line counts."""
_SIGNS = frozenset(",.!?;:")


class Pieces:
    """The texts of a model's tokens."""

    def __init__(self, texts: Sequence[bytes], end: int) -> None:
        """texts: by the number of their token.  end: the token after the last word; those behind it are marks."""
        self.end = end
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts)

    def each(self, tokens: Sequence[int]) -> list[str]:
        """Of marks nothing; a letter that is cut in two is left out."""
        return [self._texts[token].decode(errors="ignore") if token < self.end else EDGE for token in tokens]

    def splitter(self) -> Callable[[str], list[str]]:
        """Splits a word, with the blank before it, into the longest pieces there are, as whisper.cpp does."""
        known = frozenset(text.decode(errors="ignore") for text in self._texts[: self.end])

        def split(word: str) -> list[str]:
            rest, found = f" {word}", list[str]()
            while rest:
                length = next((length for length in range(len(rest), 1, -1) if rest[:length] in known), 1)
                found.append(rest[:length])
                rest = rest[length:]
            return found

        return split

    def text(self, tokens: Sequence[int]) -> str:
        return b"".join(self._texts[token] for token in tokens if token < self.end).decode(errors="ignore")


class Choosing:
    """One transcript, token by token."""

    def __init__(self, pieces: Pieces, expected: Trigrams | None, called: bool) -> None:
        """called: the line begins with a wake word, which is none of it."""
        self._pieces, self._expected, self._called = pieces, expected, called
        self._heard: list[tuple[NDArray[np.intp], NDArray[np.float32]]] = []
        """By place: the tokens that it could be, in order, and how likely each was by ear, as a logarithm."""

    def favour(self, tokens: Sequence[int], logits: NDArray[np.float32]) -> None:
        """Raise what is expected after `tokens`. `logits`: shape (vocabulary,); changed."""
        top = logits.max()
        near = np.flatnonzero(logits > top - FAR)
        values = logits[near]
        self._heard[len(tokens) :] = [(near, values - top - math.log(np.exp(values - top).sum()))]
        rivals = near[values > top - GAIN]
        if self._expected and len(rivals) > 1:
            chances = self._expected.chances(self._line(tokens), self._pieces.each(rivals.tolist()))
            logits[rivals] += (WEIGHT * np.log1p(chances / UNEXPECTED)).astype(np.float32)

    def certainty(self, tokens: Sequence[int]) -> float:
        """The geometric mean of how likely each was by ear alone, 0 to 1."""
        heard = [
            float(likely[place]) if place < len(near) and near[place] == token else -math.inf
            for token, (near, likely) in zip(tokens, self._heard, strict=False)
            for place in [int(np.searchsorted(near, token))]
        ]
        return math.exp(sum(heard) / len(heard)) if heard else 0.0

    def _line(self, tokens: Sequence[int]) -> list[str]:
        pieces = self._pieces.each(tokens)
        if self._called:
            for place, piece in enumerate(pieces[:CALL_ENDS_WITHIN], 1):
                if piece in _SIGNS:
                    return pieces[place:]
        return pieces
