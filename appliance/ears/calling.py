"""Whether somebody has just said a wake word: scores that stay high for long enough."""

from __future__ import annotations

import math
from collections import Counter

from appliance.audio import FRAME, FRAME_S, Samples
from appliance.ports import WakeDetector
from appliance.settings import Ears

REFRACTORY_S = 1.0
"""After a wake word none is heard for so long, lest its own end or its echo in the room be a second one."""
WAKE_HOP_FRAMES = 1_280 / FRAME
"""Frames for which the wake detector holds one score."""
HELD_SHARE = 0.7
"""Of the threshold: what stays over this for one score more is the word as well, as it sounds in noise. 216 calls at 15
and 10 dB of noise: 203 woke it instead of 201, of 142 requests 2 more; in 30 minutes of other speech no three scores in
a row were over 0.23, of 63 near misses none over 0.34 that had not woken it anyhow (`python -m bench.wake`)."""
_LONG_AGO = 1_000_000
"""Frames: more than any window here."""


class Calling:
    """A `WakeListener`."""

    def __init__(self, wake: WakeDetector, settings: Ears) -> None:
        self._wake, self._settings = wake, settings
        self.missed: tuple[str, float] | None = None
        """What the last frame ended: a word that was nearly enough of one, and its highest score."""
        self._forget()

    def reset(self) -> None:
        self._wake.reset()
        self._forget()

    def _forget(self) -> None:
        self._word, self._highest = "", 0.0
        self._reached = Counter[float]()
        self._since = _LONG_AGO
        self.missed = None

    def hear(self, frame: Samples) -> tuple[str, float] | None:
        word, score = self._wake.score(frame)
        self._since += 1
        before, highest = self._word, self._highest
        is_word = self._is_word(word, score)
        self.missed = (before, highest) if highest and not self._highest and not is_word else None
        if not is_word:
            return None
        self._wake.reset()
        self._since, self._highest = 0, 0.0
        self._reached = Counter[float]()
        return word, score

    def _is_word(self, word: str, score: float) -> bool:
        """Whether this frame's score ends a row that is long enough."""
        resting, goes_on = self._since * FRAME_S < REFRACTORY_S, word == self._word
        before = self._reached if goes_on else Counter[float]()
        self._word, enough = word, self._enough(word)
        self._reached = Counter({least: before[least] + 1 for least in enough if score >= least and not resting})
        self._highest = max(score, self._highest if goes_on else 0.0) if self._reached else 0.0
        return any(self._reached[least] >= frames for least, frames in enough.items())

    def _enough(self, word: str) -> dict[float, int]:
        """Score -> for how many frames in a row it has to be reached."""
        once, hops = self._settings.wakes_from(word)
        return {once: patience_frames(hops), once * HELD_SHARE: patience_frames(hops + 1)}


def patience_frames(hops: int) -> int:
    """Frames in a row over the threshold that only `hops` scores in a row can fill.

    A score holds for 2 or 3 frames, so a row one longer than `hops - 1` scores can last has `hops` in it.
    """
    return math.ceil((hops - 1) * WAKE_HOP_FRAMES) + 1
