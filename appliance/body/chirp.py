"""A chirp, and whether it is in what a microphone heard."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from appliance.audio import RATE_HZ, Samples, level_of
from appliance.ports.soundcheck import Echo

CHIRP_S = 0.5
FROM_HZ, TO_HZ = 500, 4_000
"""What a small speaker plays and any microphone hears."""
PEAK = 16_000
"""Half of full scale, before the volume."""
FADE_S = 0.02
"""At both ends, so that it does not click."""
HEARD = 0.2
"""Likeness from which it was heard. Noise alone comes to 0.1 at the best of 32,000 places (test_chirp.py)."""


def chirp() -> Samples:
    """It rises evenly; shape (8000,)."""
    at_s = np.arange(round(CHIRP_S * RATE_HZ)) / RATE_HZ
    phase = 2 * np.pi * (FROM_HZ * at_s + (TO_HZ - FROM_HZ) * at_s**2 / (2 * CHIRP_S))
    fade = np.minimum(1, np.minimum(at_s, CHIRP_S - at_s) / FADE_S)
    return np.asarray(PEAK * fade * np.sin(phase), dtype=np.int16)


def find(heard: Samples, from_s: float = 0.0) -> Echo:
    """The likest place in `heard`, shape (n,), at or after `from_s`, from where the delay counts."""
    wanted, heard = chirp(), heard[max(0, round(from_s * RATE_HZ)) :]
    if len(heard) < len(wanted):
        return Echo(False, 0.0, 0.0, -100.0)
    likeness = _likeness(heard.astype(np.float64), wanted.astype(np.float64))
    at = int(np.argmax(likeness))
    level = level_of(heard[at : at + len(wanted)])
    return Echo(bool(likeness[at] >= HEARD), float(likeness[at]), at * 1_000 / RATE_HZ, level.dbfs)


def _likeness(heard: NDArray[np.float64], wanted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of `wanted` to each stretch of `heard` that is as long: 0 to 1, whatever its loudness or sign."""
    size = len(heard) + len(wanted)
    product = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(wanted, size)), size)
    sums = np.concatenate([[0.0], np.cumsum(heard**2)])
    energy = sums[len(wanted) :] - sums[: -len(wanted)]
    floor = len(wanted)  # one step of the converter, all along: in digital silence nothing is like anything
    return np.asarray(np.abs(product[: len(energy)]) / np.sqrt(np.maximum(energy, floor) * (wanted**2).sum()))
