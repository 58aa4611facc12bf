"""Noise that is the same each time: pink, babble, and a mix of either with speech at a given ratio."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from appliance.audio import RATE_HZ, Samples

Floats = NDArray[np.float64]
FULL_SCALE = 32_767
_WINDOW = RATE_HZ // 100
_SPEECH_FLOOR_DB = 35
"""10 ms windows this far below the loudest are pauses, not speech: consonants reach 30 dB below vowels."""


def pink(count: int, seed: int) -> Floats:
    """Power falls with 1/f, as in rooms and fans. Shape (count,), RMS 1."""
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(count))
    spectrum /= np.sqrt(np.maximum(np.arange(len(spectrum)), 1))
    spectrum[0] = 0
    return unit(np.fft.irfft(spectrum, count))


def babble(count: int, talkers: Sequence[Samples], seed: int) -> Floats:
    """All talkers at once, equally loud, each looped from a place of its own. Shape (count,), RMS 1."""
    random = np.random.default_rng(seed)
    total = np.zeros(count)
    for talker in talkers:
        looped = np.resize(np.roll(talker.astype(np.float64), random.integers(len(talker))), count)
        total += looped / speech_rms(talker)
    return unit(total)


def mix(speech: Samples, noise: Floats, snr_db: float) -> Samples:
    """`noise`: RMS 1, as long as `speech`. The ratio is to the speech itself, without its pauses."""
    loud = speech.astype(np.float64) + noise * speech_rms(speech) / 10 ** (snr_db / 20)
    return np.clip(loud, -FULL_SCALE, FULL_SCALE).astype(np.int16)


def at_level(samples: Samples, rms_dbfs: float) -> Samples:
    """The same speech with that RMS outside its pauses, or as near as it comes without clipping."""
    gain = FULL_SCALE * 10 ** (rms_dbfs / 20) / speech_rms(samples)
    gain = min(gain, FULL_SCALE / max(1.0, float(np.abs(samples.astype(np.float64)).max())))
    return (samples * gain).astype(np.int16)


def trimmed(samples: Samples) -> Samples:
    """Without the silence before and after the speech."""
    spoken = np.flatnonzero(_is_speech(samples))
    return samples[spoken[0] * _WINDOW : (spoken[-1] + 1) * _WINDOW] if len(spoken) else samples


def speech_rms(samples: Samples) -> float:
    """RMS of the windows that hold speech; at least 1."""
    spoken = _windows(samples)[_is_speech(samples)]
    return max(1.0, float(np.sqrt(np.mean(spoken**2)))) if spoken.size else 1.0


def _is_speech(samples: Samples) -> NDArray[np.bool_]:
    power = np.mean(_windows(samples) ** 2, axis=1)
    loud: NDArray[np.bool_] = power > power.max(initial=0) / 10 ** (_SPEECH_FLOOR_DB / 10)
    return loud


def _windows(samples: Samples) -> Floats:
    whole = len(samples) // _WINDOW * _WINDOW
    return samples[:whole].astype(np.float64).reshape(-1, _WINDOW)


def unit(sound: Floats) -> Floats:
    """With RMS 1, as `mix` takes it."""
    normed: Floats = sound / max(1e-9, float(np.sqrt(np.mean(sound**2))))
    return normed
