"""A chirp is found in what was heard, with its delay, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from appliance.audio import RATE_HZ, Samples, silence
from appliance.body.chirp import HEARD, chirp, find


def noise(seconds: float, rms: float, seed: int = 1) -> Samples:
    return np.random.default_rng(seed).normal(0, rms, round(seconds * RATE_HZ)).astype(np.int16)


def looped_back(delay_s: float, gain: float, rms: float) -> Samples:
    """A room with noise in which the chirp comes back, softer and a while later."""
    heard = noise(2, rms).astype(np.float64)
    start = round(delay_s * RATE_HZ)
    heard[start : start + len(chirp())] += gain * chirp()
    return heard.astype(np.int16)


@pytest.mark.parametrize(("gain", "rms"), [(1.0, 0), (0.1, 10), (-0.05, 300), (0.02, 300)])
def test_it_is_heard_with_its_delay_also_softly_and_with_its_sign_turned(gain: float, rms: float) -> None:
    echo = find(looped_back(0.12, gain, rms))
    assert echo.heard, echo
    assert echo.delay_ms == pytest.approx(120, abs=1)


def test_the_delay_counts_from_when_it_was_played() -> None:
    assert find(looped_back(0.62, 0.5, 10), from_s=0.5).delay_ms == pytest.approx(120, abs=1)


def test_it_is_heard_in_a_room_with_an_echo() -> None:
    decay = np.exp(-np.arange(RATE_HZ // 3) / (0.05 * RATE_HZ)) * np.random.default_rng(2).normal(0, 0.1, RATE_HZ // 3)
    decay[0] = 1
    heard = np.convolve(looped_back(0.12, 0.3, 10).astype(np.float64), decay)[: 2 * RATE_HZ]
    assert find(heard.astype(np.int16)).delay_ms == pytest.approx(120, abs=5)


@pytest.mark.parametrize("seed", range(10))
def test_noise_is_none(seed: int) -> None:
    echo = find(noise(2.5, 1_000, seed))
    assert echo.likeness < HEARD / 1.5, echo


@pytest.mark.parametrize("sound", [silence(2), silence(0.1), np.full(32_000, -1, dtype=np.int16)])
def test_silence_is_none(sound: Samples) -> None:
    assert not find(sound).heard


def test_a_tone_and_another_chirp_are_none() -> None:
    at_s = np.arange(2 * RATE_HZ) / RATE_HZ
    assert not find((8_000 * np.sin(2 * np.pi * 1_000 * at_s)).astype(np.int16)).heard
    falling = np.concatenate([silence(0.5), chirp()[::-1], silence(0.5)])
    assert not find(falling).heard
