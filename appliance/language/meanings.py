"""What words mean, as vectors: texts about the same lie near each other though they share no word; 0.1 ms, no model.

A table of pieces of words, taken out of a small sentence model once; models/cards/meanings.md says how, and how good.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib import resources
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from appliance.language.stopwords import NOISE

INSIDE = "##"
"""Before a piece that begins no word."""
LONGEST_WORD = 40
"""Characters: what is longer is no word."""
NAME_CHARS = 8
FORM = "c"
"""Of the vectors that `of` makes; another one for another way of making them."""
_NOTHING = 1e-3
"""Length of a sum that is no more than rounding."""
_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True)
class Meanings:
    places: Mapping[str, int]
    """Piece of a word -> its row."""
    vectors: NDArray[np.int8]
    """Shape (pieces, dimensions); rows of one length."""
    weights: NDArray[np.float32]
    """Shape (pieces,): the rarer, the more."""
    name: str = ""
    """The beginning of the SHA-256 of its file, and FORM: kept vectors are of this table and form, or made anew."""

    def of(self, text: str) -> NDArray[np.float32]:
        """Shape (dimensions,), of length 1; zeros where no word of it says anything."""
        rows = [row for word in _WORD.findall(text.casefold()) if word not in NOISE for row in self._rows(word)]
        weights = self.weights[rows]
        total = weights @ self.vectors[rows].astype(np.float32) - weights.sum() * self._usual
        total -= (total @ self._main) * self._main
        length = float(np.linalg.norm(total))
        return total / length if length > _NOTHING else np.zeros_like(self._usual)

    @cached_property
    def _usual(self) -> NDArray[np.float32]:
        """Shape (dimensions,): the mean of what is said, which all texts have in common and which tells none apart."""
        usual: NDArray[np.float32] = self._said @ self.vectors.astype(np.float32) / self._said.sum()
        return usual

    @cached_property
    def _main(self) -> NDArray[np.float32]:
        """Shape (dimensions,), of length 1: the direction in which what is said differs most, often by form alone.

        Taken out of each text, as Mu and Viswanath (2018) found: one direction for each hundred dimensions.
        """
        spread = (self.vectors - self._usual) * np.sqrt(self._said)[:, None]
        main: NDArray[np.float32] = np.linalg.eigh(spread.T @ spread)[1][:, -1]
        return main

    @property
    def _said(self) -> NDArray[np.float32]:
        """Shape (pieces,): in proportion to weight times use, for a weight is r / (r + use) (make_meanings.py)."""
        return 1 - self.weights

    def _rows(self, word: str) -> Iterator[int]:
        """Of the longest pieces, from its beginning on."""
        start = 0
        while start < len(word) <= LONGEST_WORD:
            ends = range(len(word), start, -1)
            pieces = ((INSIDE if start else "") + word[start:end] for end in ends)
            end, piece = next(((e, p) for e, p in zip(ends, pieces, strict=True) if p in self.places), (0, ""))
            if not piece:
                return
            yield self.places[piece]
            start = end


@cache
def meanings(language: str) -> Meanings | None:
    """None for a language that has no table."""
    path = resources.files("appliance.language").joinpath("data", f"{language}.meanings.npz")
    if not path.is_file():
        return None
    content = path.read_bytes()
    with np.load(BytesIO(content), allow_pickle=False) as held:
        places = {piece: row for row, piece in enumerate(str(held["pieces"]).split())}
        return Meanings(places, held["vectors"], held["weights"], f"{sha256(content).hexdigest()[:NAME_CHARS]}{FORM}")
