"""The sound card, by PyAudio's blocking streams: PortAudio over ALSA, PulseAudio or PipeWire."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from threading import Event, Lock
from typing import Any

import numpy as np
import pyaudio
import soxr
from numpy.typing import NDArray

from appliance.audio import FRAME, RATE_HZ, Frame, Speech, Stale, begun, silence
from appliance.body.volume import Volume
from appliance.errors import DeviceMissing

CHUNK_S = 0.02
"""Sound handed over between two looks at `stale`."""
PLAY_PERIOD_S = 0.04
"""A third of the playback buffer: a busy machine may be 120 ms late with the next chunk, and a stop drops no more."""
SERVER_S = 0.06
"""What a sound server holds beyond the buffer that PortAudio knows: with less, it swallowed the end (PulseAudio 16)."""
COMMON_RATES_HZ = (48_000, 44_100)
"""Tried when a device takes neither the rate asked for nor the one it claims as its own."""

_portaudio = Lock()
"""PortAudio's opening and closing is not made for threads."""
_missed = Event()
"""A device was not found. PortAudio looks what there is only while nothing is open, so the microphone makes way."""


@dataclass(frozen=True)
class SoundDevice:
    name: str
    records: bool
    plays: bool
    rate_hz: int
    """The one it claims as its own."""


def devices() -> list[SoundDevice]:
    """Every sound device there is now."""
    with _session() as audio:
        return [device for device, _ in _listed(audio)]


class PyAudioMicrophone:
    """One thread reads; `close` may be called by another, and ends that read."""

    def __init__(self, device: str = "") -> None:
        """`device`: part of its name; empty is the system's default."""
        self._device = device
        self._line: _Line | None = None
        self._using = Lock()
        self._wanted = False
        self._held = silence(0)
        self._resample: soxr.ResampleStream | None = None

    def open(self) -> None:
        """Raises DeviceMissing."""
        self.close()
        with self._using:
            self._begin()
            self._wanted = True

    def read(self) -> Frame:
        """Sound that came while nobody read is lost, and that is not an error. Raises DeviceMissing."""
        with self._using:
            if self._line is None or not self._wanted:
                raise DeviceMissing("the microphone is closed", remedy="open it")
            if _missed.is_set():
                _missed.clear()
                self._line.close()
                self._begin()
            while len(self._held) < FRAME:
                self._held = np.concatenate([self._held, self._heard(self._line)])
            samples, self._held = self._held[:FRAME], self._held[FRAME:]
            return Frame(samples, time.monotonic() - self._lag_s(self._line))

    def close(self) -> None:
        self._wanted = False  # or the reading thread would take the lock again and again before this one gets it
        with self._using:
            if self._line:
                self._line.close()
            self._line = None

    def _begin(self) -> None:
        self._line = None
        self._line = _Line(self._device, "input", (RATE_HZ,), FRAME / RATE_HZ)
        self._held = silence(0)
        rate_hz = self._line.rate_hz
        self._resample = None if rate_hz == RATE_HZ else soxr.ResampleStream(rate_hz, RATE_HZ, 1, dtype="int16")

    def _heard(self, line: _Line) -> NDArray[np.int16]:
        raw = np.frombuffer(line.read(round(FRAME * line.rate_hz / RATE_HZ)), dtype=np.int16)
        return raw if self._resample is None else self._resample.resample_chunk(raw)

    def _lag_s(self, line: _Line) -> float:
        """The sound that was captured after the frame and waits in some buffer."""
        delayed = self._resample.delay() if self._resample else 0
        return line.waiting() / line.rate_hz + (len(self._held) + delayed) / RATE_HZ


class PyAudioSpeaker:
    """Opens with the first sound and stays open until it is closed. Only one thread may play."""

    def __init__(self, device: str, volume: Volume) -> None:
        """`device`: part of its name; empty is the system's default."""
        self._device, self._volume = device, volume
        self._line: _Line | None = None

    def play(self, sound: Iterable[Speech], stale: Stale, started: Callable[[float], None]) -> None:
        """Block until it is played, or stop within 100 ms of `stale`. Raises DeviceMissing."""
        try:
            line = self._line = self._line or _Line(self._device, "output", (), PLAY_PERIOD_S)
            line.start()
            self._write(line, sound, stale, started)
            line.stop()
        except DeviceMissing:
            self.close()
            raise

    def close(self) -> None:
        if self._line:
            self._line.close()
        self._line = None

    def _write(self, line: _Line, sound: Iterable[Speech], stale: Stale, started: Callable[[float], None]) -> None:
        chunk = round(CHUNK_S * line.rate_hz)
        for samples in _at_rate(begun(sound, started), line):
            while len(samples) and not stale():
                count = max(chunk, line.room())  # at the start, and after it ran dry, the buffer is filled in one go:
                line.write(self._volume.apply(samples[:count]).tobytes())  # by single chunks it would run dry again
                samples = samples[count:]
            if stale():
                return


def _at_rate(sound: Iterable[Speech], line: _Line) -> Iterator[NDArray[np.int16]]:
    """Its pieces at the line's rate, without a seam; then silence.

    Silence at the end pushes the sound through the buffer: stopping the line drops what is left in it.
    """
    end = silence(line.room() / line.rate_hz + SERVER_S, line.rate_hz)
    rate: soxr.ResampleStream | None = None
    for piece in sound:
        if piece.rate_hz != line.rate_hz:
            rate = rate or soxr.ResampleStream(piece.rate_hz, line.rate_hz, 1, dtype="int16")
        yield rate.resample_chunk(piece.samples) if rate else piece.samples
    if rate:
        yield rate.resample_chunk(silence(0), last=True)
    yield end


class _Line:
    """One open stream: mono int16, at the first of `rates` that the device takes, or its own."""

    def __init__(self, wanted: str, direction: str, rates: tuple[int, ...], period_s: float) -> None:
        """Raises DeviceMissing."""
        self._direction, self._wanted = direction, wanted
        self._audio = _start()
        try:
            self._stream, self.rate_hz = self._open(rates, period_s)
        except DeviceMissing:
            self._stream = None
            self.close()
            raise

    def read(self, count: int) -> bytes:
        with self._guard():
            return bytes(self._stream.read(count, exception_on_overflow=False))

    def waiting(self) -> int:
        """Samples captured and not yet read."""
        with self._guard():
            return int(self._stream.get_read_available())

    def room(self) -> int:
        """Samples that can be written without waiting."""
        with self._guard():
            return int(self._stream.get_write_available())

    def write(self, data: bytes) -> None:
        with self._guard():
            self._stream.write(data)

    def start(self) -> None:
        with self._guard():
            if self._stream.is_stopped():
                self._stream.start_stream()

    def stop(self) -> None:
        """What is still in the buffer is dropped."""
        with self._guard():
            self._stream.stop_stream()

    def close(self) -> None:
        with _portaudio:
            if self._stream:
                with suppress(OSError):  # it has vanished: closing it is all that is left to do
                    self._stream.close()
            self._audio.terminate()

    def _open(self, rates: tuple[int, ...], period_s: float) -> tuple[Any, int]:
        device, index = self._find()
        refusals = dict[int, str]()
        for rate_hz in dict.fromkeys((*rates, device.rate_hz, *COMMON_RATES_HZ)):
            try:
                with _portaudio:
                    stream = self._audio.open(
                        rate_hz,
                        1,
                        pyaudio.paInt16,
                        frames_per_buffer=round(period_s * rate_hz),
                        **{self._direction: True, f"{self._direction}_device_index": index},
                    )
                return stream, rate_hz
            except (OSError, ValueError) as error:
                refusals[rate_hz] = str(error)
        raise self._missing(f"cannot be opened ({next(iter(refusals.values()))})")

    def _find(self) -> tuple[SoundDevice, int]:
        fitting = [(device, index) for device, index in _listed(self._audio) if self._fits(device)]
        if not fitting:
            _missed.set()
            raise self._missing("is not there")
        if self._wanted:
            return fitting[0]
        try:
            info = getattr(self._audio, f"get_default_{self._direction}_device_info")()
        except OSError:
            return fitting[0]
        return _device(info), int(info["index"])

    def _fits(self, device: SoundDevice) -> bool:
        usable = device.records if self._direction == "input" else device.plays
        return usable and self._wanted.casefold() in device.name.casefold()

    def _missing(self, what: str) -> DeviceMissing:
        part = "microphone" if self._direction == "input" else "speaker"
        named = f"the {part} {self._wanted!r}" if self._wanted else f"the {part}"
        usable = [d.name for d, _ in _listed(self._audio) if (d.records if part == "microphone" else d.plays)]
        there = f"set sound.{part} to one of: {', '.join(usable)}" if usable else "there is no device: plug one in"
        return DeviceMissing(f"{named} {what}", remedy=there)

    @contextmanager
    def _guard(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self._missing(f"has vanished ({error})") from None


def _listed(audio: pyaudio.PyAudio) -> Iterator[tuple[SoundDevice, int]]:
    for index in range(audio.get_device_count()):
        yield _device(audio.get_device_info_by_index(index)), index


def _device(info: Any) -> SoundDevice:
    return SoundDevice(
        str(info["name"]),
        records=int(info["maxInputChannels"]) > 0,
        plays=int(info["maxOutputChannels"]) > 0,
        rate_hz=round(info["defaultSampleRate"]),
    )


@contextmanager
def _session() -> Iterator[pyaudio.PyAudio]:
    audio = _start()
    try:
        yield audio
    finally:
        with _portaudio:
            audio.terminate()


def _start() -> pyaudio.PyAudio:
    with _portaudio:
        _hush()
        return pyaudio.PyAudio()


_Told = ctypes.CFUNCTYPE(None)
_nothing = _Told(lambda: None)
"""Takes no arguments, whatever it is called with: harmless in C where the caller clears the stack, as on Linux."""
_LOUD = {
    "libasound.so.2": ("snd_lib_error_set_handler",),
    "libjack.so.0": ("jack_set_error_function", "jack_set_info_function"),
}


@cache
def _hush() -> None:
    """The libraries below PortAudio write dozens of lines to stderr about devices that nobody asked for."""
    for library, setters in _LOUD.items():
        with suppress(OSError):  # not installed: then it is silent
            loaded = ctypes.CDLL(library)
            for setter in setters:
                getattr(loaded, setter)(_nothing)
