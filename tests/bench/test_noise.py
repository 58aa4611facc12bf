"""Noise for the trials: the same each time, and as loud as it says."""

import numpy as np
import pytest

from appliance.audio import RATE_HZ, Samples, silence
from bench import noise


def voice(hz: float, seconds: float = 1.0) -> Samples:
    return (8_000 * np.sin(2 * np.pi * hz * np.arange(round(seconds * RATE_HZ)) / RATE_HZ)).astype(np.int16)


TALKERS = [voice(220), voice(330, 0.7)]


def test_the_same_seed_gives_the_same_noise_and_another_seed_another() -> None:
    assert np.array_equal(noise.pink(5_000, 7), noise.pink(5_000, 7))
    assert np.array_equal(noise.babble(5_000, TALKERS, 7), noise.babble(5_000, TALKERS, 7))
    assert not np.array_equal(noise.pink(5_000, 7), noise.pink(5_000, 8))
    assert not np.array_equal(noise.babble(5_000, TALKERS, 7), noise.babble(5_000, TALKERS, 8))


def test_pink_noise_has_the_same_power_in_each_octave() -> None:
    power = np.abs(np.fft.rfft(noise.pink(RATE_HZ * 10, 1))) ** 2
    octaves = [power[10 * low : 20 * low].sum() for low in (100, 200, 400, 800, 1600, 3200)]
    assert max(octaves) / min(octaves) < 1.3


@pytest.mark.parametrize("snr_db", [0, 15])
def test_the_ratio_is_to_the_speech_without_its_pauses(snr_db: float) -> None:
    speech = np.concatenate((silence(3), voice(300), silence(3)))
    added = noise.mix(speech, noise.pink(len(speech), 1), snr_db).astype(float) - speech
    ratio = 20 * np.log10(np.sqrt(np.mean(voice(300).astype(float) ** 2)) / np.sqrt(np.mean(added**2)))
    assert ratio == pytest.approx(snr_db, abs=0.3)


def test_a_mix_too_loud_is_clipped_and_does_not_wrap() -> None:
    loud = np.full(RATE_HZ, 32_000, dtype=np.int16)
    assert noise.mix(loud, np.ones(RATE_HZ), 0).min() == noise.FULL_SCALE


def test_levelled_speech_has_that_level_and_never_clips() -> None:
    assert 20 * np.log10(noise.speech_rms(noise.at_level(voice(300), -26)) / noise.FULL_SCALE) == pytest.approx(
        -26, abs=0.1
    )
    assert np.abs(noise.at_level(voice(300), 0).astype(int)).max() <= noise.FULL_SCALE


def test_trimming_takes_the_silence_around_speech_and_not_the_pause_within() -> None:
    speech = np.concatenate((voice(300, 0.5), silence(0.4), voice(300, 0.5)))
    padded = np.concatenate((silence(0.5), speech, silence(1)))
    assert len(noise.trimmed(padded)) == pytest.approx(len(speech), abs=RATE_HZ // 50)
    assert len(noise.trimmed(silence(1))) == RATE_HZ
