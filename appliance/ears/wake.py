"""Wake words: openWakeWord's models (github.com/dscripka/openWakeWord), streamed.

Every 80 ms the sound becomes 8 mel frames, the last 76 of those one embedding, the last 16 of those one score for
each word. Mel frames and embeddings are computed once for all words.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance.audio import RATE_HZ, Samples
from appliance.ears import onnx

HOP = 1_280
"""Samples between two scores: 8 mel frames, 80 ms."""
_LOOK_BACK = 480
"""Samples before a hop that its first mel window (400 samples, 160 apart) reaches into."""
_MEL_WINDOW = 76
_EMBEDDINGS = 16
_WARM_UP = 5
"""Hops after a reset whose score counts as 0: they are mostly padding (openWakeWord does the same)."""

Floats = NDArray[np.float32]


class OpenWakeWord:
    """A `WakeDetector`."""

    def __init__(self, models: Mapping[str, Path], features: tuple[Path, Path]) -> None:
        """`models`: word -> its classifier. `features`: melspectrogram model, embedding model.

        Raises ModelMissing, ModelDamaged.
        """
        mel, embedding = features
        self._mel_model = onnx.session(mel)
        self._embedding_model = onnx.session(embedding)
        self._words = {word: onnx.session(path) for word, path in models.items()}
        self._padding = self._noise_embeddings()
        self.reset()

    def reset(self) -> None:
        self._pending: Samples = np.zeros(0, dtype=np.int16)
        self._before: Samples = np.zeros(0, dtype=np.int16)
        self._mels: Floats = np.ones((_MEL_WINDOW, 32), dtype=np.float32)
        self._embeddings: Floats = self._padding
        self._hops = 0
        self._best = (next(iter(self._words)), 0.0)

    def score(self, frame: Samples) -> tuple[str, float]:
        """Changes every 80 ms, when enough frames have come together, and holds in between."""
        self._pending = np.concatenate((self._pending, frame))
        while len(self._pending) >= HOP:
            hop, self._pending = self._pending[:HOP], self._pending[HOP:]
            self._advance(hop)
        return self._best

    def _advance(self, hop: Samples) -> None:
        sound = np.concatenate((self._before, hop))
        self._before = sound[-_LOOK_BACK:]
        self._mels = np.concatenate((self._mels, self._mel(sound)))[-_MEL_WINDOW:]
        self._embeddings = np.concatenate((self._embeddings, self._embed(self._mels[None])))[-_EMBEDDINGS:]
        self._hops += 1
        if self._hops > _WARM_UP:
            scores = {word: self._classify(word) for word in self._words}
            word = max(scores, key=scores.__getitem__)
            self._best = (word, scores[word])

    def _mel(self, sound: Samples) -> Floats:
        """Shape (n // 160 - 3, 32). The model takes int16 values as floats; the embedding wants `/ 10 + 2`."""
        (mels,) = self._mel_model.run(None, {"input": sound.astype(np.float32)[None]})
        scaled: Floats = np.asarray(mels, dtype=np.float32).reshape(-1, 32) / np.float32(10) + np.float32(2)
        return scaled

    def _embed(self, windows: Floats) -> Floats:
        """`windows`: shape (n, 76, 32). Returns shape (n, 96)."""
        (embeddings,) = self._embedding_model.run(None, {"input_1": windows[..., None]})
        return np.asarray(embeddings, dtype=np.float32).reshape(-1, 96)

    def _classify(self, word: str) -> float:
        model = self._words[word]
        (scores,) = model.run(None, {model.get_inputs()[0].name: self._embeddings[None]})
        return float(scores[0, 0])

    def _noise_embeddings(self) -> Floats:
        """What stands for the past after a reset: faint noise, as in openWakeWord, but the same each time."""
        noise = np.random.default_rng(0).integers(-1_000, 1_000, 2 * RATE_HZ).astype(np.int16)
        mels = self._mel(noise)
        starts = range(0, len(mels) - _MEL_WINDOW + 1, 8)
        windows = np.stack([mels[start : start + _MEL_WINDOW] for start in starts])
        return self._embed(windows)[-_EMBEDDINGS:]
