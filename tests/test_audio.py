"""Recordings in and out: whatever the file is, it is sound or one clear error."""

from __future__ import annotations

import hashlib
import io
import wave
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from appliance.audio import RATE_HZ, Samples, Speech, mel_filters, read_wav, resample, silence, write_wav
from appliance.errors import BadAudio

TONE_HZ, SECONDS = 440, 0.5
each_example = settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def tone(rate_hz: int) -> NDArray[np.float64]:
    """Half as loud as can be, shape (rate_hz / 2,)."""
    return 0.5 * np.sin(2 * np.pi * TONE_HZ * np.arange(round(SECONDS * rate_hz)) / rate_hz)


def pcm(width: int) -> Callable[[NDArray[np.float64]], bytes]:
    """Samples of -1 to 1 -> the bytes of a WAV file with `width` bytes a sample."""

    def encode(sound: NDArray[np.float64]) -> bytes:
        if width == 1:
            return np.round(sound * 127 + 128).astype(np.uint8).tobytes()
        whole = np.round(sound * (2.0 ** (8 * width - 1) - 1)).astype("<i4")
        return whole.view(np.uint8).reshape(-1, 4)[:, :width].tobytes()

    return encode


def wav(rate_hz: int, width: int, channels: int, data: bytes) -> bytes:
    held = io.BytesIO()
    with wave.open(held, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate_hz)
        file.writeframes(data)
    return held.getvalue()


def is_the_tone(samples: Samples) -> bool:
    middle = samples[len(samples) // 8 : -len(samples) // 8].astype(float)
    loudest = np.argmax(np.abs(np.fft.rfft(middle))) * RATE_HZ / len(middle)
    return bool(abs(loudest - TONE_HZ) < 5 and abs(np.abs(middle).max() - 0.5 * 32767) < 700)


@pytest.mark.parametrize("rate_hz", [8_000, 16_000, 22_050, 44_100, 48_000])
@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("channels", [1, 2])
def test_any_pcm_file_sounds_the_same(tmp_path: Path, rate_hz: int, width: int, channels: int) -> None:
    sound = np.repeat(tone(rate_hz), channels)
    (tmp_path / "in.wav").write_bytes(wav(rate_hz, width, channels, pcm(width)(sound)))
    samples = read_wav(tmp_path / "in.wav")
    assert samples.dtype == np.int16
    assert len(samples) == pytest.approx(SECONDS * RATE_HZ, abs=2)
    assert is_the_tone(samples)


def test_stereo_is_mixed_not_interleaved(tmp_path: Path) -> None:
    both = np.stack([tone(RATE_HZ), np.zeros(round(SECONDS * RATE_HZ))], axis=1).ravel()
    (tmp_path / "in.wav").write_bytes(wav(RATE_HZ, 2, 2, pcm(2)(both)))
    assert np.abs(read_wav(tmp_path / "in.wav").astype(int)).max() == pytest.approx(0.25 * 32767, abs=2)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    samples = np.arange(-32_768, 32_767, 7, dtype=np.int16)
    write_wav(tmp_path / "out.wav", Speech(samples, RATE_HZ))
    np.testing.assert_array_equal(read_wav(tmp_path / "out.wav"), samples)


BAD = {
    "of no bytes": (b"", "not a PCM WAV file"),
    "without a sample": (wav(RATE_HZ, 2, 1, b""), "holds no sound"),
    "that is an mp3": (b"ID3\x04\x00\x00\x00\x00\x00\x23TSSE" + bytes(500), "not a PCM WAV file"),
    "with half a header": (wav(RATE_HZ, 2, 1, bytes(64))[:30], "not a PCM WAV file"),
    "with a header alone": (wav(RATE_HZ, 2, 1, bytes(64))[:44], "holds no sound"),
    "of floats": (wav(RATE_HZ, 4, 1, bytes(64)).replace(b"fmt \x10\0\0\0\x01", b"fmt \x10\0\0\0\x03"), "not a PCM WAV"),
    "that is longer than an hour": (wav(1, 1, 1, bytes(3_601)), "longer than an hour"),
}


@pytest.mark.parametrize(("content", "told"), BAD.values(), ids=BAD)
def test_a_file(tmp_path: Path, content: bytes, told: str) -> None:
    (tmp_path / "in.wav").write_bytes(content)
    with pytest.raises(BadAudio, match=told) as caught:
        read_wav(tmp_path / "in.wav")
    assert str(tmp_path / "in.wav") in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_file_cut_within_a_sample_keeps_what_is_whole(tmp_path: Path) -> None:
    (tmp_path / "in.wav").write_bytes(wav(RATE_HZ, 2, 2, bytes(64))[:-3])
    assert len(read_wav(tmp_path / "in.wav")) == 15


def test_a_place_without_a_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadAudio, match="does not exist"):
        read_wav(tmp_path / "absent.wav")
    with pytest.raises(BadAudio, match="not a PCM WAV file"):
        read_wav(tmp_path)
    with pytest.raises(BadAudio, match="cannot write"):
        write_wav(tmp_path / "absent" / "out.wav", Speech(silence(1), RATE_HZ))


@each_example
@given(content=st.binary(max_size=300))
def test_arbitrary_bytes_are_never_more_than_bad_audio(tmp_path: Path, content: bytes) -> None:
    _reads_or_refuses(tmp_path / "in.wav", content)


@each_example
@given(content=st.data())
def test_a_damaged_header_is_never_more_than_bad_audio(tmp_path: Path, content: st.DataObject) -> None:
    whole = bytearray(wav(RATE_HZ, 2, 1, bytes(range(200))))
    for at in content.draw(st.lists(st.integers(0, 43), max_size=6)):
        whole[at] = content.draw(st.integers(0, 255))
    _reads_or_refuses(tmp_path / "in.wav", bytes(whole[: content.draw(st.integers(0, len(whole)))]))


def _reads_or_refuses(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with suppress(BadAudio):
        assert read_wav(path).dtype == np.int16


@pytest.mark.parametrize("rate_hz", [8_000, 22_050, 48_000])
def test_resampling_keeps_length_and_pitch(rate_hz: int) -> None:
    samples = resample(np.round(tone(rate_hz) * 32767).astype(np.int16), rate_hz, RATE_HZ)
    assert len(samples) == pytest.approx(SECONDS * RATE_HZ, abs=2)
    assert is_the_tone(samples)


def test_silence_is_as_long_as_asked() -> None:
    assert silence(0.25, 22_050).tolist() == [0] * 5_512


def test_mel_filters_have_unit_area() -> None:
    filters = mel_filters()
    assert filters.shape == (80, 201)
    assert np.count_nonzero(filters) == 391
    assert filters[45:].sum(axis=1) * 40 == pytest.approx(1, abs=0.02)  # bins are 40 Hz wide


def test_mel_filters_are_those_of_whisper_s_file_to_the_bit() -> None:
    sha256 = hashlib.sha256(mel_filters().astype("<f4").tobytes()).hexdigest()
    assert sha256 == "4f2701b1d287d74a0dc9871026e9519d98cb76426615f2539b0d151a0ae4ec2e"
