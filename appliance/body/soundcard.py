"""The sound card, by PyAudio's blocking streams: PortAudio over ALSA, PulseAudio or PipeWire."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from threading import Lock

import numpy as np
import soxr
from numpy.typing import NDArray

from appliance.audio import FRAME, RATE_HZ, Frame, Speech, Stale, begun, silence
from appliance.body import portaudio
from appliance.body.portaudio import Line
from appliance.body.volume import Volume
from appliance.errors import DeviceMissing

CHUNK_S = 0.02
"""Sound handed over between two looks at `stale`."""
PLAY_PERIOD_S = 0.04
"""A third of the playback buffer: a busy machine may be 120 ms late with the next chunk, and a stop drops no more."""
SERVER_S = 0.06
"""What a sound server holds beyond the buffer that PortAudio knows: with less, it swallowed the end (PulseAudio 16)."""


class PyAudioMicrophone:
    """One thread reads; `close` may be called by another, and ends that read."""

    def __init__(self, device: str = "") -> None:
        """`device`: part of its name; empty is the system's default."""
        self._device = device
        self._line: Line | None = None
        self._using = Lock()
        self._wanted = False
        self._held = silence(0)
        self._resample: soxr.ResampleStream | None = None

    @property
    def name(self) -> str:
        """Of the device that is open; empty while none is."""
        line = self._line
        return line.name if line else ""

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
            if portaudio.missed.is_set():
                portaudio.missed.clear()
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
        self._line = Line(self._device, "input", (RATE_HZ,), FRAME / RATE_HZ)
        self._held = silence(0)
        rate_hz = self._line.rate_hz
        self._resample = None if rate_hz == RATE_HZ else soxr.ResampleStream(rate_hz, RATE_HZ, 1, dtype="int16")

    def _heard(self, line: Line) -> NDArray[np.int16]:
        raw = np.frombuffer(line.read(round(FRAME * line.rate_hz / RATE_HZ)), dtype=np.int16)
        return raw if self._resample is None else self._resample.resample_chunk(raw)

    def _lag_s(self, line: Line) -> float:
        """The sound that was captured after the frame and waits in some buffer."""
        delayed = self._resample.delay() if self._resample else 0
        return line.waiting() / line.rate_hz + (len(self._held) + delayed) / RATE_HZ


class PyAudioSpeaker:
    """Opens with the first sound and stays open until it is closed. Only one thread may play."""

    def __init__(self, device: str, volume: Volume) -> None:
        """`device`: part of its name; empty is the system's default."""
        self._device, self._volume = device, volume
        self._line: Line | None = None

    @property
    def name(self) -> str:
        """Of the device that is open; empty while none is."""
        line = self._line
        return line.name if line else ""

    def play(self, sound: Iterable[Speech], stale: Stale, started: Callable[[float], None]) -> None:
        """Block until it is played, or stop within 100 ms of `stale`. Raises DeviceMissing."""
        try:
            line = self._line = self._line or Line(self._device, "output", (), PLAY_PERIOD_S)
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

    def _write(self, line: Line, sound: Iterable[Speech], stale: Stale, started: Callable[[float], None]) -> None:
        chunk = round(CHUNK_S * line.rate_hz)
        for samples, least in _at_rate(begun(sound, started), line):
            while len(samples) and not stale():
                count = max(chunk, line.room())  # at the start, and after it ran dry, the buffer is filled in one go:
                line.write(self._volume.apply(samples[:count], least).tobytes())  # by chunks it would run dry again
                samples = samples[count:]
            if stale():
                return


def _at_rate(sound: Iterable[Speech], line: Line) -> Iterator[tuple[NDArray[np.int16], int]]:
    """Its pieces at the line's rate, without a seam, each with its least volume; then silence.

    Silence at the end pushes the sound through the buffer: stopping the line drops what is left in it.
    """
    end = silence(line.room() / line.rate_hz + SERVER_S, line.rate_hz)
    rate, least = None, 0
    for piece in sound:
        if piece.rate_hz != line.rate_hz:
            rate = rate or soxr.ResampleStream(piece.rate_hz, line.rate_hz, 1, dtype="int16")
        least = piece.least_volume
        yield rate.resample_chunk(piece.samples) if rate else piece.samples, least
    if rate:
        yield rate.resample_chunk(silence(0), last=True), least
    yield end, 0
