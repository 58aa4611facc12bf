"""Wake words: WakeHuBERT's features and classifiers (huggingface.co/TigreGotico/wakehubert-tiny), on onnxruntime.

Every 80 ms the last second and a half becomes 75 rows of features, and those one score for each word. Both were learnt
from clips of that length, so each window is read by itself, and brought to one loudness first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from appliance.audio import Samples
from appliance.ears import onnx

HOP = 1_280
"""Samples between two scores: 80 ms."""
WINDOW = 24_000
"""Samples of one score."""
LOUD = 16_384
"""The loudest sample to which a window is brought: half of full scale."""
GAIN_MOST = 4.0
"""Times that a quiet window is amplified for that, at most: as whoever made the classifiers has it."""
STEEP = 3.0
"""Of a score around its level: 0.35, which the listener takes three times in a row as well, is then close below."""
SURE = 1e-6
"""No probability is nearer to 0 or 1."""
LEVELS = {"jarvis": 0.98, "ok_nabu": 0.9}
"""Probability from which a word was said, where that was measured; of others, what its model says.

"jarvis" by people: of 110 none missed in quiet, 13 in a kitchen at 10 dB, 11 among four voices; two false ones in 99
minutes (`python -m bench.human`, 2 EPYC cores, 2026-11-28).
"""


class WakeHubert:
    """A `WakeDetector`."""

    def __init__(
        self,
        models: Mapping[str, Path],
        features: Path,
        levels: Mapping[str, float] = LEVELS,
        gain_most: float = GAIN_MOST,
    ) -> None:
        """`models`: word -> its classifier.  levels: see LEVELS.  gain_most: see GAIN_MOST.

        Raises ModelMissing, ModelDamaged.
        """
        self._gain_most = gain_most
        self._features = onnx.session(features)
        self._words = {word: onnx.session(path) for word, path in models.items()}
        self._levels = {word: levels.get(word) or own_level(session) for word, session in self._words.items()}
        self.reset()

    def reset(self) -> None:
        self._pending: Samples = np.zeros(0, dtype=np.int16)
        self._window: Samples = np.zeros(WINDOW, dtype=np.int16)
        self._best = (next(iter(self._words)), 0.0)

    def score(self, frame: Samples) -> tuple[str, float]:
        """Changes every 80 ms, when enough frames have come together, and holds in between."""
        self._pending = np.concatenate((self._pending, frame))
        while len(self._pending) >= HOP:
            self._window = np.concatenate((self._window[HOP:], self._pending[:HOP]))
            self._pending = self._pending[HOP:]
            self._best = best_of(self.scores(self._window))
        return self._best

    def scores(self, window: Samples) -> dict[str, float]:
        """Word -> how likely it ends in `window`, shape (24 000,): 0.5 is its level."""
        features = self._features.run(None, {"waveform": levelled(window, self._gain_most)[None]})[0]
        return {word: scaled(self._probability(word, features), self._levels[word]) for word in self._words}

    def _probability(self, word: str, features: NDArray[np.float32]) -> float:
        model = self._words[word]
        (logits,) = model.run(None, {model.get_inputs()[0].name: features})
        return float(1 / (1 + np.exp(-np.ravel(logits)[0])))


def own_level(session: onnxruntime.InferenceSession) -> float:
    """What whoever made the classifier recommends."""
    return float(session.get_modelmeta().custom_metadata_map["default_threshold"])


def levelled(window: Samples, gain_most: float) -> NDArray[np.float32]:
    """In parts of full scale, at one loudness."""
    loudest = max(int(np.abs(window.astype(np.int32)).max()), 1)
    gain = min(LOUD / loudest, gain_most)
    return window.astype(np.float32) * np.float32(gain / 32_768)


def scaled(probability: float, level: float) -> float:
    """0 to 1, with 0.5 where `probability` is at its level: what a word needs differs by its model."""
    return 1 / (1 + math.exp(STEEP * (_log_odds(level) - _log_odds(probability))))


def _log_odds(probability: float) -> float:
    kept = min(max(probability, SURE), 1 - SURE)
    return math.log(kept / (1 - kept))


def best_of(scores: Mapping[str, float]) -> tuple[str, float]:
    word = max(scores, key=scores.__getitem__)
    return word, scores[word]
