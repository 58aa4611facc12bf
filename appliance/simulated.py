"""An in-memory adapter for every port: the shortest documentation of the port, and what logic is tested with."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.audio import FRAME, FRAME_S, Frame, Samples, Stale
from appliance.errors import Cancelled
from appliance.ports import Transcript


class ScriptedMicrophone:
    """A `Microphone` that hears one recording, at any pace; a last piece shorter than a frame is left out."""

    def __init__(self, recording: Samples) -> None:
        self._recording = recording
        self._frames = 0

    def open(self) -> None:
        """Goes on where it was closed."""

    def read(self) -> Frame:
        start = self._frames * FRAME
        if start + FRAME > len(self._recording):
            raise EOFError
        self._frames += 1
        return Frame(self._recording[start : start + FRAME], self._frames * FRAME_S)

    def close(self) -> None: ...


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

    def probability(self, utterance: Samples) -> float:
        self.asked.append(utterance)
        return next(self._probabilities, 1.0)


class CannedTranscriber:
    """A `Transcriber` that hears these texts, one an utterance, then nothing."""

    def __init__(self, texts: Sequence[str] = ()) -> None:
        self._texts = iter(texts)
        self.heard: list[Samples] = []

    def transcribe(self, samples: Samples, stale: Stale) -> Transcript:
        if stale():
            raise Cancelled
        self.heard.append(samples)
        return Transcript(next(self._texts, ""))
