"""A wake word by microWakeWord (github.com/OHF-Voice/pymicro-wakeword): half a percent of a core."""

from __future__ import annotations

from pathlib import Path

import pymicro_wakeword
from pymicro_wakeword import MicroWakeWord, MicroWakeWordFeatures

from appliance.audio import Samples
from appliance.ears.wakehubert import scaled
from appliance.errors import ModelDamaged, ModelMissing, explained

AVERAGED = 5
"""Probabilities, one each 30 ms, of which the mean counts: as the published configurations have it."""


class MicroWake:
    """A `WakeDetector` for one word."""

    def __init__(self, word: str, model: Path, level: float) -> None:
        """level: probability from which the word was said, perhaps. Raises ModelMissing, ModelDamaged."""
        if not model.is_file():
            raise ModelMissing(f"there is no model at {model}", remedy="run: appliance models fetch")
        self._word, self._level = word, level
        remedy = "run: appliance models verify"
        with explained(lambda error: ModelDamaged(f"{model} is not a usable model ({error})", remedy=remedy)):
            self._model = MicroWakeWord(
                id=word,
                wake_word=word,
                tflite_model=model,
                probability_cutoff=level,
                sliding_window_size=AVERAGED,
                trained_languages=[],
                libtensorflowlite_c_path=next(_LIBRARIES.glob("*tensorflowlite_c*")),
            )
        self.reset()

    def reset(self) -> None:
        self._model.reset()
        self._sound, self._score = MicroWakeWordFeatures(), 0.0

    def score(self, frame: Samples) -> tuple[str, float]:
        """The highest of those that `frame` completed; holds where it completed none."""
        found = [self._model.process_streaming_prob(each) for each in self._sound.process_streaming(frame.tobytes())]
        if found:
            self._score = scaled(max(each or 0.0 for each in found), self._level)
        return self._word, self._score


_LIBRARIES = Path(pymicro_wakeword.__file__).parent / "lib"
