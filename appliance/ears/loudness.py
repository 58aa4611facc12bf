"""How loud a wake word came in, in a measure that boxes with unlike microphones share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LEAST_RMS = 2.0
"""Of the differences of int16: what a quiet microphone gives by itself. Over digital silence every word would stand
infinitely far."""
QUIET = 25
"""Percentile of the frames before the word."""
MOST_DB = 100.0


def over_quiet_db(frames: NDArray[np.int16], word: int) -> float:
    """How far the loudest frame of the word stands over the quiet before it, 0 to 100.

    Of the differences from sample to sample, for rooms hum and speech hisses. Of 880 pairs of boxes at 1 m and at 2 or
    4 m from a caller, in a simulated room, the nearer one had the higher level in 696 (`python -m bench.earshot`).
    frames: of shape (n, 512), n at least 1.  word: how many of the last of them may hold the word.
    """
    sound = frames.astype(np.float64).ravel()
    powers = (np.diff(sound, prepend=sound[:1]).reshape(frames.shape) ** 2).mean(axis=1)
    before = powers[:-word] if len(powers) > word else powers
    quiet = max(float(np.percentile(before, QUIET)), LEAST_RMS**2)
    return float(np.clip(10 * np.log10(max(float(powers[-word:].max()), 1e-9) / quiet), 0, MOST_DB))
