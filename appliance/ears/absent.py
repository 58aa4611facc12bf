"""In place of an ear's model that is missing or damaged: the box goes on with what is left, and says what is not."""

from __future__ import annotations

from collections.abc import Callable

from appliance.audio import Samples


class NoWake:
    """A `WakeDetector` that never wakes: the button is left."""

    def score(self, frame: Samples) -> tuple[str, float]:
        return "", 0.0

    def reset(self) -> None: ...


class NoSpeech:
    """A `SpeechDetector` that hears none: whoever is listened to is taken to be silent."""

    def probability(self, frame: Samples) -> float:
        return 0.0

    def reset(self) -> None: ...


class NoTurnEnd:
    """A `TurnEndDetector` that takes each pause for the end."""

    def ask(self, utterance: Samples) -> Callable[[], float]:
        return lambda: 1.0
