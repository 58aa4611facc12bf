"""A voice that is a tone."""

from __future__ import annotations

import time

import numpy as np

from appliance.audio import RATE_HZ, Speech


class CannedSynthesizer:
    """A `Synthesizer` whose speech is a tone of 50 ms a character; remembers what it was given."""

    def __init__(self, takes_s: float = 0) -> None:
        self._takes_s = takes_s
        self.clauses: list[str] = []

    def synthesize(self, clause: str) -> Speech:
        self.clauses.append(clause)
        time.sleep(self._takes_s)
        tone = 8_000 * np.sin(2 * np.pi * 440 / RATE_HZ * np.arange(len(clause) * RATE_HZ // 20))
        return Speech(tone.astype(np.int16), RATE_HZ)
