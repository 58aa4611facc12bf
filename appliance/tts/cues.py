"""Short sounds for moments at which people wonder: ready, heard, not understood, done, microphone closed and open,
before an announcement, and of a call."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from appliance.audio import RATE_HZ, Speech
from appliance.ports import Cue

NOTES: Mapping[Cue, tuple[tuple[float, float], ...]] = {
    "ready": ((523.25, 0.09), (659.26, 0.09), (783.99, 0.16)),
    "heard": ((783.99, 0.05), (1046.5, 0.07)),
    "nothing": ((392.0, 0.09), (311.13, 0.14)),
    "done": ((1046.5, 0.09),),
    "muted": ((659.26, 0.08), (440.0, 0.12)),
    "open": ((440.0, 0.08), (659.26, 0.12)),
    "announcement": ((659.26, 0.14), (783.99, 0.14), (1046.5, 0.2)),
    "call": ((587.33, 0.12), (739.99, 0.12), (587.33, 0.12), (739.99, 0.12)),
}
"""Each note: Hz, and seconds. What goes up begins something, what goes down ends it."""
PEAK = 0.12
"""Of full scale: -18 dB, below the voice, so that the microphone takes none of it for speech."""
_EDGE_S = 0.01
"""Of each note, to swell and to fade: no click."""


@cache
def sound(cue: Cue) -> Speech:
    """At 16 kHz, less than half a second."""
    notes = [_note(note_hz, seconds) for note_hz, seconds in NOTES[cue]]
    return Speech((np.concatenate(notes) * PEAK * 32_767).astype(np.int16), RATE_HZ)


def _note(note_hz: float, seconds: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    at_s = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    edge = np.minimum(1, np.minimum(at_s, at_s[::-1]) / _EDGE_S)
    return np.asarray(np.sin(2 * np.pi * note_hz * at_s) * edge)
