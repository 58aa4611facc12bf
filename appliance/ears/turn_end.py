"""Has the speaker finished? Smart-Turn v3.2 (huggingface.co/pipecat-ai/smart-turn-v3), which hears it in the voice."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance.audio import RATE_HZ, Samples
from appliance.ears import onnx

SECONDS = 8
"""What the model listens to: the last 8 s, silence put before a shorter utterance."""
_WINDOW, _HOP, _MELS = 400, 160, 80
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


def _mel_to_hz(mel: NDArray[np.float64]) -> NDArray[np.float64]:
    """Slaney's scale: 200/3 Hz a mel up to 1 kHz (15 mel), then 27 mel for each factor of 6.4."""
    return np.where(mel < 15, mel * 200 / 3, 1_000 * np.exp((mel - 15) * np.log(6.4) / 27))


def _mel_filters() -> Floats:
    """Triangles of equal area, shape (80, 201), evenly spaced in mel from 0 to 8 kHz."""
    top = 15 + 27 * np.log(RATE_HZ / 2 / 1_000) / np.log(6.4)
    edges = _mel_to_hz(np.linspace(0, top, _MELS + 2))
    low, peak, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    hz = np.fft.rfftfreq(_WINDOW, 1 / RATE_HZ)
    triangles = np.maximum(0, np.minimum((hz - low) / (peak - low), (high - hz) / (high - peak)))
    filters: Floats = (triangles * 2 / (high - low)).astype(np.float32)
    return filters


_FILTERS = _mel_filters()
_HANN: Floats = np.hanning(_WINDOW + 1)[:-1].astype(np.float32)
