"""Has the speaker finished? Smart-Turn v3.2 (huggingface.co/pipecat-ai/smart-turn-v3), which hears it in the voice."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance.audio import RATE_HZ, Samples, mel_filters
from appliance.ears import onnx

SECONDS = 8
"""What the model listens to: the last 8 s, silence put before a shorter utterance."""
_WINDOW, _HOP = 400, 160
"""Whisper's own: 25 ms windows, 10 ms apart."""

Floats = NDArray[np.float32]


class SmartTurn:
    """A `TurnEndDetector`."""

    def __init__(self, path: Path) -> None:
        """Raises ModelMissing, ModelDamaged."""
        self._model = onnx.session(path)
        self._judging = ThreadPoolExecutor(1, thread_name_prefix="turn end")
        self._asked: Future[float] = Future()

    def ask(self, utterance: Samples) -> Callable[[], float]:
        """Only the last question is of interest: one that has not begun by then is dropped."""
        self._asked.cancel()
        self._asked = self._judging.submit(self.probability, utterance)
        return self._asked.result

    def probability(self, utterance: Samples) -> float:
        """That the speaker has finished, 0 to 1; 50 ms on one EPYC core (2026-11-23)."""
        sound = np.zeros(SECONDS * RATE_HZ, dtype=np.float32)
        heard = utterance[-len(sound) :]
        sound[len(sound) - len(heard) :] = heard
        (answer,) = self._model.run(None, {"input_features": log_mel(_normalised(sound))[None]})
        return float(answer[0, 0])


def _normalised(sound: Floats) -> Floats:
    """Zero mean and unit variance over the whole 8 s, as in training (the feature extractor's do_normalize)."""
    level: Floats = (sound - sound.mean()) / np.sqrt(sound.var() + 1e-7)
    return level


def log_mel(sound: Floats) -> Floats:
    """Whisper's log-mel spectrogram (openai/whisper, audio.py) of `sound`, shape (n,); shape (80, n // 160)."""
    padded = np.pad(sound, _WINDOW // 2, mode="reflect")
    windows = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::_HOP][: len(sound) // _HOP]
    spectrum = np.fft.rfft(windows * _HANN)
    power = spectrum.real**2 + spectrum.imag**2
    # einsum stays on this thread: the same product by BLAS wakes its threads for 16 ms instead of 2
    mels = np.log10(np.maximum(np.einsum("mf,tf->mt", _FILTERS, power), 1e-10))
    scaled: Floats = (np.maximum(mels, mels.max() - 8) + 4) / 4
    return scaled.astype(np.float32)


_FILTERS = mel_filters()
_HANN: Floats = np.hanning(_WINDOW + 1)[:-1].astype(np.float32)
