"""A voice that is a tone, and one that is silent."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from appliance.audio import RATE_HZ, Speech, Stale, never
from appliance.ports import Cue, Mouth

PIECES = 2


class CannedSynthesizer:
    """A `Synthesizer` whose speech is a tone of 50 ms a character, in two pieces; remembers what it was given."""

    def __init__(self, takes_s: float = 0) -> None:
        self._takes_s = takes_s
        self.clauses: list[str] = []

    def synthesize(self, clause: str, stale: Stale = never, hurried: bool = False) -> Iterator[Speech]:
        self.clauses.append(clause)
        tone = 8_000 * np.sin(2 * np.pi * 440 / RATE_HZ * np.arange(len(clause) * RATE_HZ // 20))
        for piece in np.array_split(tone.astype(np.int16), PIECES):
            time.sleep(self._takes_s / PIECES)
            yield Speech(piece, RATE_HZ)


class SlowVoice:
    """A `Voice` without a sound: every reply takes as long; `told` is what it said, `rings` whether it does."""

    def __init__(self, takes_s: float) -> None:
        self._takes_s = takes_s
        self.told: list[str] = []
        self.rings = False
        self.chimes = 0

    def begin(self, stale: Stale, started: Callable[[float], None]) -> Mouth:
        return _SlowMouth(self.told, self._takes_s, stale, started)

    def ring(self, sentences: Sequence[str]) -> None:
        self.rings = True
        self.chimes += 1

    def silence(self) -> None:
        self.rings = False

    def cue(self, cue: Cue) -> None:
        """It makes none."""


class _SlowMouth:
    def __init__(self, told: list[str], takes_s: float, stale: Stale, started: Callable[[float], None]) -> None:
        self._told, self._takes_s, self._stale, self._started = told, takes_s, stale, started
        self._text = ""

    def say(self, text: str) -> None:
        self._text += text

    def finish(self) -> str:
        self._told.append(self._text)
        self._started(time.monotonic())
        ends_s = time.monotonic() + self._takes_s
        while not self._stale() and time.monotonic() < ends_s:
            time.sleep(0.01)
        return self._text
