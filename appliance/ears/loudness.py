"""How loud a wake word came in, in a measure that boxes with unlike microphones share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LEAST_RMS = 3.0
"""Of int16: what a quiet microphone gives by itself. Digital silence would stand infinitely far below every word."""
LOUD, QUIET = 90, 10
"""Percentiles: the loud parts of a word, and the quiet between words."""
MOST_DB = 100.0


def over_quiet_db(frames: NDArray[np.int16], word: int) -> float:
    """How far the word stands over the quiet around it, 0 to 100.

    frames: of shape (n, 512), n at least 1.  word: how many of the last of them may hold the word.
    """
    powers = (frames.astype(np.float64) ** 2).mean(axis=1)
    loud, quiet = np.percentile(powers[-word:], LOUD), max(np.percentile(powers, QUIET), LEAST_RMS**2)
    return float(np.clip(10 * np.log10(max(loud, 1e-9) / quiet), 0, MOST_DB))
