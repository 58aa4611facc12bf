"""The one audio format inside the appliance, and the way in and out of it.

Inside, sound is 16 000 Hz mono int16 (`Samples`). What the voice produces keeps its own rate and is called `Speech`.
"""

from __future__ import annotations

import base64
import io
import math
import time
import wave
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
import soxr
from numpy.typing import NDArray

from appliance.errors import BadAudio

RATE_HZ = 16_000
"""What the wake words, silero, Smart-Turn and whisper were all trained on."""
FRAME = 512
"""Samples a microphone frame: 32 ms, the one chunk size that silero accepts at 16 kHz."""
FRAME_S = FRAME / RATE_HZ
LONGEST_RECORDING_S = 3_600
MELS = 80
FFT_BINS = 201
"""Whisper's own, and Smart-Turn's: of a 400-point transform at 16 000 Hz."""

Samples = NDArray[np.int16]
"""Mono, shape (n,), 16 000 Hz."""

Stale = Callable[[], bool]
"""Asked between chunks of any long work: true once nobody wants the result any more."""


def never() -> bool:
    """The `Stale` of work that nobody can cancel."""
    return False


@dataclass(frozen=True)
class Frame:
    """One slice of what the microphone heard."""

    samples: Samples
    """Shape (512,), 16 000 Hz."""
    at_s: float
    """Monotonic time at which its last sample was captured."""


@dataclass(frozen=True)
class Level:
    """How loud a piece of sound is."""

    dbfs: float
    """Root mean square against a full-scale square wave, in dB; -100 at the least, so that it is a number for zeros."""
    clipped: float
    """Share of the samples at the end of the scale, 0 to 1."""
    silent: bool
    """Digital silence: every sample is the same."""


def level_of(samples: Samples) -> Level:
    """Of shape (n,), n at least 1."""
    wide = samples.astype(np.float64)
    rms = max(float(np.sqrt((wide**2).mean())) / 32_768, 1e-5)
    ends = np.iinfo(np.int16)
    clipped = float(((samples == ends.max) | (samples == ends.min)).mean())
    return Level(20 * math.log10(rms), clipped, bool((samples == samples[0]).all()))


@dataclass(frozen=True, eq=False)
class Utterance:
    """What somebody said to the box."""

    samples: Samples
    called: bool = False
    """It begins with the wake word."""
    for_another: bool = False
    """Another device asks what it says: what the household told helps with it nothing."""

    @property
    def seconds(self) -> float:
        return len(self.samples) / RATE_HZ


@dataclass(frozen=True)
class Speech:
    """Sound to be played."""

    samples: NDArray[np.int16]
    """Mono, shape (n,)."""
    rate_hz: int
    least_volume: int = 0
    """Percent: it is played no softer, however quiet the box is."""

    @property
    def seconds(self) -> float:
        return len(self.samples) / self.rate_hz


def joined(pieces: Iterable[Speech]) -> Speech:
    """One behind the other, at the rate and least volume of the first; nothing is silence."""
    each = list(pieces)
    first = each[0] if each else Speech(silence(0), RATE_HZ)
    return replace(first, samples=np.concatenate([silence(0), *(piece.samples for piece in each)]))


def begun(pieces: Iterable[Speech], started: Callable[[float], None]) -> Iterator[Speech]:
    """The same; `started` is told the monotonic time of the first."""
    for number, piece in enumerate(pieces):
        if not number:
            started(time.monotonic())
        yield piece


def silence(seconds: float, rate_hz: int = RATE_HZ) -> NDArray[np.int16]:
    """Zeros, shape (seconds * rate_hz,)."""
    return np.zeros(round(seconds * rate_hz), dtype=np.int16)


def resample(samples: NDArray[np.int16], from_hz: int, to_hz: int) -> NDArray[np.int16]:
    """The same sound at another rate; shape (n * to_hz / from_hz,)."""
    if from_hz == to_hz:
        return samples
    return np.asarray(soxr.resample(samples, from_hz, to_hz), dtype=np.int16)


def as_text(samples: NDArray[np.int16]) -> str:
    """Base64 of PCM, as sound goes over the local sockets."""
    return base64.b64encode(samples.astype("<i2").tobytes()).decode()


def of_text(text: str) -> Samples:
    """What `as_text` made. Raises ValueError."""
    return np.frombuffer(base64.b64decode(text, validate=True), dtype="<i2")


def read_wav(path: Path) -> Samples:
    """A PCM WAV file of any rate, width and channel count, as the appliance hears it.

    Raises BadAudio when it is missing, empty, not a PCM WAV file, or longer than an hour.
    """
    try:
        with path.open("rb") as file:
            return samples_of_wav(file, path)
    except FileNotFoundError:
        raise BadAudio(f"{path} does not exist", remedy="name a WAV file that does") from None
    except OSError as error:
        raise _no_wav(path, error) from None


def samples_of_wav(raw: BinaryIO, name: object, longest_s: int = LONGEST_RECORDING_S) -> Samples:
    """The same of an open file, which errors call by its `name`. Raises BadAudio, before a longer one is read."""
    try:
        with wave.open(raw, "rb") as file:
            channels, width, rate = file.getnchannels(), file.getsampwidth(), file.getframerate()
            frames = file.getnframes()
            if frames > longest_s * rate:
                longest = "an hour" if longest_s == LONGEST_RECORDING_S else f"{longest_s} s"
                raise BadAudio(f"{name} is longer than {longest}", remedy="cut it: one turn needs 20 seconds at most")
            data = file.readframes(frames)
    except (wave.Error, EOFError, OSError, RuntimeError) as error:  # RuntimeError: wave's own, for a chunk of no sense
        raise _no_wav(name, error) from None
    if not data or not rate:
        raise BadAudio(f"{name} holds no sound", remedy="record it again")
    return resample(_mono(data, width, channels), rate, RATE_HZ)


def _no_wav(name: object, error: Exception) -> BadAudio:
    return BadAudio(
        f"{name} is not a PCM WAV file ({error or 'it ends too early'})",
        remedy=f"convert it: ffmpeg -i {name} -ar {RATE_HZ} -ac 1 -c:a pcm_s16le out.wav",
    )


def _mono(data: bytes, width: int, channels: int) -> NDArray[np.int16]:
    whole = len(data) // (width * channels) * width * channels
    raw = np.frombuffer(data[:whole], dtype=np.uint8).reshape(-1, width)
    if width == 1:  # 8-bit WAV is unsigned
        wide = (raw[:, 0].astype(np.int16) - 128) << 8
    else:  # little-endian: the two highest bytes are the 16-bit value
        wide = np.ascontiguousarray(raw[:, -2:]).view("<i2")[:, 0]
    mono: NDArray[np.int16] = wide.reshape(-1, channels).mean(axis=1).astype(np.int16)
    return mono


def write_wav(path: Path, speech: Speech) -> None:
    """Raises BadAudio when the file cannot be written."""
    try:
        with path.open("wb") as raw:
            raw.write(wav_of(speech))
    except OSError as error:
        raise BadAudio(f"cannot write {path} ({error.strerror})", remedy="name a file where you may write") from None


def wav_of(speech: Speech) -> bytes:
    """A whole WAV file."""
    with io.BytesIO() as raw:
        with wave.open(raw, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(speech.rate_hz)
            file.writeframes(speech.samples.astype("<i2").tobytes())
        return raw.getvalue()


def mel_filters(mels: int = MELS, fft_bins: int = FFT_BINS) -> NDArray[np.float32]:
    """Slaney's mel filters with Slaney's area norm, shape (mels, fft_bins), to the bit as librosa rounds them.

    Whisper and Smart-Turn were trained behind them, and a converted Whisper's file holds them: its sha256 is known.
    """
    bins = np.linspace(0, RATE_HZ / 2, fft_bins)
    edges = _hz(np.linspace(0, _mel(RATE_HZ / 2), mels + 2))
    widths = np.diff(edges)
    slopes = edges[:, None] - bins
    rising = -slopes[:-2] / widths[:-1, None]
    falling = slopes[2:] / widths[1:, None]
    triangles = np.maximum(0, np.minimum(rising, falling)).astype(np.float32)
    area = 2.0 / (edges[2:] - edges[:-2])
    return (triangles * area[:, None]).astype(np.float32)


def _mel(hz: float) -> float:
    """Slaney's scale: linear to 1 000 Hz (mel 15), logarithmic above, 27 steps to a factor of 6.4."""
    return 15 + math.log(hz / 1_000) * 27 / math.log(6.4)


def _hz(mel: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(mel < 15, mel * 200 / 3, 1_000 * np.exp((mel - 15) * math.log(6.4) / 27))


def speech_end_s(clean: Samples) -> float | None:
    """Where speech ends in a recording without noise, in seconds; None when there is none.

    The last 10 ms window within 40 dB of the loudest: the decay of a room is under that after 0.3 s, breath always is.
    """
    window = RATE_HZ // 100
    whole = clean[: len(clean) // window * window].astype(np.float64).reshape(-1, window)
    energy = (whole**2).mean(axis=1) if len(whole) else np.zeros(0)
    if not energy.any():
        return None
    floor = np.percentile(energy, 10)
    loud = np.flatnonzero(energy > max(energy.max() * 1e-4, floor * 10))
    return float((loud[-1] + 1) * window / RATE_HZ) if len(loud) else None
