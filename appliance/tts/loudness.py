"""How loud a voice is: set to one level by what it makes of a sample, and never cut off at the end of the scale."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.12
"""RMS of full scale to which a voice is set. Piper's own is between 0.05 and 0.07, and peaks between 0.25 and 0.7."""
LINEAR = 0.7
"""Of full scale: what is louder is bent, or a peak would be cut."""
SAMPLE = "The quick brown fox jumps over the lazy dog."
"""Holds every letter: how loud the voice is by itself."""

Sound = NDArray[np.float32]


def gain_of(sample: Iterable[Sound]) -> float:
    """By what the pieces of a voice's `SAMPLE` are multiplied, to be as loud as `LEVEL`."""
    return float(LEVEL / np.sqrt(np.mean(np.concatenate(list(sample)) ** 2)))


def levelled(sound: Sound, gain: float) -> NDArray[np.int16]:
    """The same up to `LINEAR`, and never more than full scale beyond."""
    sound = sound * gain
    loud = np.abs(sound)
    beyond = LINEAR + (1 - LINEAR) * np.tanh((loud - LINEAR) / (1 - LINEAR))
    bent = np.where(loud > LINEAR, np.sign(sound) * beyond, sound)
    return (bent * 32_767).astype(np.int16)
