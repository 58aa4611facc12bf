"""Several wake detectors as one: two in series for a word, and those of different words side by side."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from appliance.audio import Samples
from appliance.ears.wakehubert import HOP, WINDOW, best_of
from appliance.ports import WakeDetector

TOGETHER = 8
"""Hops of 80 ms within which both have to find the word: they find it at different moments of it."""
POSSIBLE = 0.5
"""Score of the first from which the second is asked."""

Look = Callable[[Samples], Mapping[str, float]]
"""A window, shape (24 000,) -> score of each word."""


class InSeries:
    """A `WakeDetector`: the word is what both say it is. The second costs nothing as long as the first says no."""

    def __init__(self, first: WakeDetector, second: Look) -> None:
        self._first, self._second = first, second
        self.reset()

    def reset(self) -> None:
        self._first.reset()
        self._sound: Samples = np.zeros(WINDOW + TOGETHER * HOP, dtype=np.int16)
        self._new, self._highest = 0, 0.0
        self._said = deque([0.0] * TOGETHER, TOGETHER)
        """What the first said, hop by hop."""
        self._looked = deque[float | None]([None] * TOGETHER, TOGETHER)
        """What the second said of the window that ends there; None where it was not asked."""
        self._score = 0.0

    def score(self, frame: Samples) -> tuple[str, float]:
        word, score = self._first.score(frame)
        self._highest = max(self._highest, score)
        self._sound = np.concatenate((self._sound[len(frame) :], frame))
        self._new += len(frame)
        if self._new >= HOP:
            self._new -= HOP
            self._said.append(self._highest)
            self._looked.append(None)
            self._highest = 0.0
            self._score = self._both(word)
        return word, self._score

    def _both(self, word: str) -> float:
        first = max(self._said)
        if first < POSSIBLE:
            return 0.0
        for back in range(TOGETHER):
            if self._looked[-1 - back] is None:
                end = len(self._sound) - self._new - back * HOP
                self._looked[-1 - back] = self._second(self._sound[end - WINDOW : end])[word]
        return min(first, max(each or 0.0 for each in self._looked))


class SideBySide:
    """A `WakeDetector`: whichever of several is surest."""

    def __init__(self, detectors: Sequence[WakeDetector]) -> None:
        self._detectors = detectors

    def reset(self) -> None:
        for each in self._detectors:
            each.reset()

    def score(self, frame: Samples) -> tuple[str, float]:
        return best_of(dict(each.score(frame) for each in self._detectors))
