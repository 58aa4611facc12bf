"""The ringing of timers: its sound, and what it plays when."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from appliance.audio import RATE_HZ, Speech

NOTES_HZ = (659.26, 880.0)
"""E5 and A5: within what small speakers play well, above most of a speaking voice."""
NOTE_S = 0.22
RING_OUT_S = 0.5
DECAY_S = 0.15
PARTIALS = ((1.0, 1.0), (2.0, 0.3), (3.0, 0.1))
"""(multiple of the note, how loud): a little above the sine, or it is a test tone."""
GAP_S = 1.0
"""Quiet between two chimes, in which a person can be heard saying "stop"."""
PEAK = 0.5
"""Of full scale: as loud as the voice sounds, which peaks near 1."""
LEAST_VOLUME = 40
"""Percent, -24 dB: a box that was told to be quiet, or silent, is still to be heard when it rings."""


def chime() -> Speech:
    """Two falling-off bell notes, a fourth apart; 0.72 s at 16 kHz."""
    length_s = NOTE_S * (len(NOTES_HZ) - 1) + RING_OUT_S
    sound = np.zeros(round(length_s * RATE_HZ))
    for number, note_hz in enumerate(NOTES_HZ):
        start = round(number * NOTE_S * RATE_HZ)
        sound[start:] += _bell(note_hz, len(sound) - start)
    return Speech((sound * PEAK * 32_767 / np.abs(sound).max()).astype(np.int16), RATE_HZ)


def _bell(note_hz: float, samples: int) -> NDArray[np.float64]:
    at_s = np.arange(samples) / RATE_HZ
    tone = sum(loud * np.sin(2 * np.pi * note_hz * multiple * at_s) for multiple, loud in PARTIALS)
    fade = np.minimum(1, at_s / 0.005) * np.minimum(1, at_s[::-1] / 0.05)  # no click at either end
    return np.asarray(tone * np.exp(-at_s / DECAY_S) * fade)


class Ring:
    """What the ringing plays next: a chime, then what is to be announced, then quiet, and so on. Not thread-safe."""

    def __init__(self) -> None:
        self.on = False
        self.chimes = 0
        """The number of the last chime, of all ringings, that began to sound and did not fail."""
        self._begun = 0
        self._number = 0
        self._chime = chime()
        self._chimed = False
        self._announcements: list[Speech] = []
        self._next_s = 0.0

    def start(self) -> int:
        """The number of this ringing; starting it again while it is on changes nothing."""
        if not self.on:
            self.on, self._chimed, self._next_s = True, False, time.monotonic()
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
        return self._announcements[0] if self._chimed and self._announcements else self._chime

    def begun(self) -> None:
        """A new number even after one that failed: a timer may have joined during that, and knows it as heard."""
        self._begun += 1
        self.chimes = self._begun

    def played(self, speech: Speech, cut_off: bool) -> None:
        """What was cut off comes again."""
        if not cut_off:
            self._chimed = True
            self._announcements = [each for each in self._announcements if each is not speech]
        more = self._announcements and not cut_off
        self._next_s = time.monotonic() + (0 if more else GAP_S)
