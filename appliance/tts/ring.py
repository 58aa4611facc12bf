"""The ringing of timers: its sound, and what it plays when."""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from appliance.audio import RATE_HZ, Speech
from appliance.settings import RingSound

RINGS: Mapping[RingSound, tuple[float, ...]] = {
    "chime": (659.26, 880.0),
    "bell": (587.33,),
    "gong": (261.63, 196.0),
    "birds": (1174.66, 1567.98, 1318.51, 1567.98),
}
"""Notes in Hz, one after the other. Small speakers play little below 300 Hz: of the gong they play the partials."""
NOTE_S = 0.22
RING_OUT_S = 0.5
DECAY_S = 0.15
PARTIALS = ((1.0, 1.0), (2.0, 0.3), (3.0, 0.1))
"""(multiple of the note, how loud): a little above the sine, or it is a test tone."""
GAP_S = 1.0
"""Quiet between two chimes, in which a person can be heard saying "stop"."""
PEAK = 0.5
"""Of full scale: as loud as the voice sounds, which peaks near 1."""
RISE = (0.35, 0.5, 0.7, 0.85, 1.0)
"""How loud the first chimes are, as a share of the amplitude: from -9 dB, in some 7 s; then it stays."""
LEAST_VOLUME = 40
"""Percent, -24 dB: a box that was told to be quiet, or silent, is still to be heard when it rings."""


def chime(sound: RingSound = "chime", share: float = 1.0) -> Speech:
    """Falling-off bell notes; 0.5 to 1.2 s at 16 kHz.  share: of the loudest amplitude."""
    notes = RINGS[sound]
    length_s = NOTE_S * (len(notes) - 1) + RING_OUT_S
    samples = np.zeros(round(length_s * RATE_HZ))
    for number, note_hz in enumerate(notes):
        start = round(number * NOTE_S * RATE_HZ)
        samples[start:] += _bell(note_hz, len(samples) - start)
    return Speech((samples * PEAK * share * 32_767 / np.abs(samples).max()).astype(np.int16), RATE_HZ)


def _bell(note_hz: float, samples: int) -> NDArray[np.float64]:
    at_s = np.arange(samples) / RATE_HZ
    tone = sum(loud * np.sin(2 * np.pi * note_hz * multiple * at_s) for multiple, loud in PARTIALS)
    fade = np.minimum(1, at_s / 0.005) * np.minimum(1, at_s[::-1] / 0.05)  # no click at either end
    return np.asarray(tone * np.exp(-at_s / DECAY_S) * fade)


class Ring:
    """What the ringing plays next: a chime, then what is to be announced, then quiet, and so on. Not thread-safe.

    The first chimes rise.
    """

    def __init__(self, sound: RingSound = "chime") -> None:
        self.on = False
        self.chimes = 0
        """The number of the last chime, of all ringings, that began to sound and did not fail."""
        self._begun = 0
        self._number = 0
        self._chimes = [chime(sound, share) for share in RISE]
        self._heard = 0
        """Chimes of this ringing so far."""
        self._announcements: list[Speech] = []
        self._next_s = 0.0

    def start(self) -> int:
        """The number of this ringing; starting it again while it is on changes nothing."""
        if not self.on:
            self.on, self._heard, self._next_s = True, 0, time.monotonic()
            self._number += 1
        return self._number

    def stop(self) -> None:
        self.on = False
        self._announcements.clear()

    def announce(self, speech: Speech, number: int) -> None:
        if self.on and number == self._number:
            self._announcements.append(speech)
            self._next_s = time.monotonic()

    def wait_s(self) -> float | None:
        """Seconds until it sounds again; None when it is off."""
        return self._next_s - time.monotonic() if self.on else None

    def yield_to_reply(self) -> None:
        """A clause has just been spoken, another may follow: leave it room."""
        self._next_s = time.monotonic() + GAP_S

    def speech(self) -> Speech:
        if self._heard and self._announcements:
            return self._announcements[0]
        return self._chimes[min(self._heard, len(self._chimes) - 1)]

    def begun(self) -> None:
        """A new number even after one that failed: a timer may have joined during that, and knows it as heard."""
        self._begun += 1
        self.chimes = self._begun

    def played(self, speech: Speech, cut_off: bool) -> None:
        """What was cut off comes again."""
        if not cut_off:
            self._heard += not any(each is speech for each in self._announcements)
            self._announcements = [each for each in self._announcements if each is not speech]
        more = self._announcements and not cut_off
        self._next_s = time.monotonic() + (0 if more else GAP_S)
