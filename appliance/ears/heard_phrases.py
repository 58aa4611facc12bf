"""A voice that is learnt by voice: from what is said to the box next."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

from appliance.audio import Samples
from appliance.ears.known_voices import PHRASES
from appliance.ports.speaker import Prints, SpeakerId

LISTENS_S = 120.0
"""After `begin`; three sentences that are asked for take less than a minute. A judgement."""


class HeardPhrases:
    """A `VoiceLearner`. Nothing is kept but between `begin` and `learn`, `LISTENS_S` at most, and then the newest three
    utterances alone."""

    def __init__(
        self, voices: Callable[[], SpeakerId], prints: Prints, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        """now_s: monotonic seconds."""
        self._voices, self._prints, self._now_s = voices, prints, now_s
        self._heard, self._until_s = list[Samples](), -math.inf

    @property
    def listens(self) -> bool:
        return self._now_s() < self._until_s

    def hear(self, utterance: Samples) -> None:
        """One that goes on with the one before, which only paused, takes its place."""
        if not self.listens:
            self._heard = []
            return
        kept = self._heard[:-1] if self._heard and _goes_on(self._heard[-1], utterance) else self._heard
        self._heard = [*kept, utterance][-PHRASES:]

    def knows(self, name: str) -> bool:
        return name.casefold() in map(str.casefold, self._prints.all())

    def begin(self) -> None:
        self._heard, self._until_s = [], self._now_s() + LISTENS_S

    def learn(self, name: str) -> None:
        heard = self._heard if self.listens else []
        self._heard, self._until_s = [], -math.inf
        self._voices().learn(name, heard)


def _goes_on(begun: Samples, whole: Samples) -> bool:
    return bool(np.array_equal(begun, whole[: len(begun)]))
