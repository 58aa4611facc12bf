"""Detectors that give what is written for them, and ears that hear what the test says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from appliance.audio import Frame, Samples
from appliance.events import Event
from appliance.ports import Attention


class ScriptedWake:
    """A `WakeDetector` that gives these scores, one a frame, then 0."""

    def __init__(self, scores: Sequence[float] = (), word: str = "hey_jarvis") -> None:
        self._scores = iter(scores)
        self._word = word
        self.resets = 0

    def score(self, frame: Samples) -> tuple[str, float]:
        return self._word, next(self._scores, 0.0)

    def reset(self) -> None:
        self.resets += 1


class ScriptedSpeech:
    """A `SpeechDetector` that gives these probabilities, one a frame, then 0."""

    def __init__(self, probabilities: Sequence[float] = ()) -> None:
        self._probabilities = iter(probabilities)
        self.resets = 0

    def probability(self, frame: Samples) -> float:
        return next(self._probabilities, 0.0)

    def reset(self) -> None:
        self.resets += 1


class ScriptedTurnEnd:
    """A `TurnEndDetector` that gives these probabilities, one a question, then 1."""

    def __init__(self, probabilities: Sequence[float] = ()) -> None:
        self._probabilities = iter(probabilities)
        self.asked: list[Samples] = []

    def ask(self, utterance: Samples) -> Callable[[], float]:
        self.asked.append(utterance)
        return lambda: next(self._probabilities, 1.0)


class ScriptedEars:
    """`Ears` that hear what the test says they hear; `attended` is what was asked of them."""

    def __init__(self) -> None:
        self.attended: list[tuple[Attention, int]] = []
        self.window_s: float | None = None
        """Of the last that was asked."""

    def attend(self, attention: Attention, turn: int, window_s: float | None = None) -> None:
        self.attended.append((attention, turn))
        self.window_s = window_s

    def begin_anew(self) -> None: ...

    def feed(self, frame: Frame) -> list[Event]:
        return []
