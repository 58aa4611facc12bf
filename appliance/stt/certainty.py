"""How certain a transcript is: how likely each of its tokens was before whisper.cpp ruled noises out.

whisper.cpp's own figure is of what is left after that, so it is higher for noise: of ten pieces of a kitchen without a
voice whisper base takes two for speech by this one and three by that (2026-11-27).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FAR = 12.0
"""Tokens this far behind the likeliest have no share worth adding up: each at most 6 millionths of its own."""


class Certainty:
    """Of one transcript, token by token."""

    def __init__(self) -> None:
        self._heard: list[tuple[NDArray[np.intp], NDArray[np.float32]]] = []
        """By place: the tokens that it could be, in order, and how likely each was, as a logarithm."""

    def hear(self, place: int, logits: NDArray[np.float32]) -> None:
        """logits: of the token at `place`, shape (vocabulary,)."""
        top = logits.max()
        near = np.flatnonzero(logits > top - FAR)
        values = logits[near] - top
        self._heard[place:] = [(near, values - math.log(np.exp(values).sum()))]

    def of(self, tokens: Sequence[int]) -> float:
        """The geometric mean over the tokens, 0 to 1; 0 of none."""
        heard = [
            float(likely[place]) if place < len(near) and near[place] == token else -math.inf
            for token, (near, likely) in zip(tokens, self._heard, strict=False)
            for place in [int(np.searchsorted(near, token))]
        ]
        return math.exp(sum(heard) / len(heard)) if heard else 0.0
