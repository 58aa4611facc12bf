"""A voice that is learnt by voice: from what is said to the box next."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from appliance.audio import Samples
from appliance.ears.known_voices import PHRASES
from appliance.ports.speaker import Prints, SpeakerId


class HeardPhrases:
    """A `VoiceLearner`. Nothing is kept but between `begin` and `learn`, and then the newest three utterances alone."""

    def __init__(self, voices: Callable[[], SpeakerId], prints: Prints) -> None:
        self._voices, self._prints = voices, prints
        self._heard, self._listens = list[Samples](), False

    def hear(self, utterance: Samples) -> None:
        """One that goes on with the one before, which only paused, takes its place."""
        if self._listens:
            kept = self._heard[:-1] if self._heard and _goes_on(self._heard[-1], utterance) else self._heard
            self._heard = [*kept, utterance][-PHRASES:]

    def knows(self, name: str) -> bool:
        return name.casefold() in map(str.casefold, self._prints.all())

    def begin(self) -> None:
        self._heard, self._listens = [], True

    def learn(self, name: str) -> None:
        heard, self._heard, self._listens = self._heard, [], False
        self._voices().learn(name, heard)


def _goes_on(begun: Samples, whole: Samples) -> bool:
    return bool(np.array_equal(begun, whole[: len(begun)]))
