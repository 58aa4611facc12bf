"""Music that nobody wrote: chords, a tune and a beat, the same each time."""

from __future__ import annotations

import numpy as np

from appliance.audio import RATE_HZ, Samples

BEAT_S = 0.5
CHORDS = ((0, 4, 7), (-3, 0, 4), (5, 9, 12), (7, 11, 14))
"""Half tones from the key: the four of every other song."""
SCALE = (0, 2, 4, 7, 9, 12)


def tune(seconds: float, seed: int) -> Samples:
    """Loudest at half of full scale."""
    chance = np.random.default_rng(seed)
    key_hz = 220 * 2 ** (chance.integers(-3, 4) / 12)
    beat = round(BEAT_S * RATE_HZ)
    sound = np.zeros(round(seconds / BEAT_S + 1) * beat)
    for number in range(len(sound) // beat):
        piece = sound[number * beat : (number + 1) * beat]
        for half_tone in CHORDS[number // 4 % len(CHORDS)]:
            piece += _note(key_hz * 2 ** (half_tone / 12), beat, 0.25)
        piece += _note(2 * key_hz * 2 ** (chance.choice(SCALE) / 12), beat, 0.6)
        piece += chance.normal(0, 1, beat) * np.exp(-np.arange(beat) / RATE_HZ / 0.03) * 0.4
    sound *= 16_384 / np.abs(sound).max()
    return sound[: round(seconds * RATE_HZ)].astype(np.int16)


def _note(hz: float, length: int, loud: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    at_s = np.arange(length) / RATE_HZ
    partials = sum(np.sin(2 * np.pi * hz * part * at_s) / part for part in range(1, 6))
    return np.asarray(loud * partials * np.exp(-at_s / 0.35))
