"""Recordings in place of a sound card: a microphone that hears one, a speaker that makes one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from appliance.audio import (
    FRAME,
    FRAME_S,
    RATE_HZ,
    Frame,
    Samples,
    Speech,
    Stale,
    begun,
    joined,
    resample,
    silence,
    write_wav,
)
from appliance.ports import Speaker


class RecordedMicrophone:
    """Hears `samples`, then `tail_s` of silence at the pace of sound, then raises EOFError."""

    def __init__(self, samples: Samples, realtime: bool, tail_s: float = 30) -> None:
        """`realtime`: the recording comes at the pace of sound, too; otherwise as fast as it is read."""
        self._frames = np.concatenate([samples, silence(-len(samples) % FRAME / RATE_HZ)]).reshape(-1, FRAME)
        self._quick = 0 if realtime else len(self._frames)
        self._length = len(self._frames) + round(tail_s / FRAME_S)
        self._next = 0
        self._at_s = self._ahead_s = self.opened_s = 0.0

    def open(self) -> None:
        """Goes on where it was closed."""
        self._at_s = self.opened_s = time.monotonic()
        self._ahead_s = 0.0

    def read(self) -> Frame:
        """A frame's time is when a sound card would have given it; what is read fast is ahead of the clock."""
        number = self._next
        if number >= self._length:
            raise EOFError
        self._next += 1
        if number == self._quick > 0:
            self._ahead_s = self._at_s - time.monotonic()
        self._at_s += FRAME_S
        if number >= self._quick:
            time.sleep(max(0.0, self._at_s - self._ahead_s - time.monotonic()))
        return Frame(self._frames[number] if number < len(self._frames) else silence(FRAME_S), self._at_s)

    def close(self) -> None: ...


class NullSpeaker:
    """Nobody hears it."""

    def play(self, sound: Iterable[Speech], stale: Stale, started: Callable[[float], None]) -> None:
        for _ in begun(sound, started):
            pass

    def close(self) -> None: ...


class WavSpeaker:
    """Writes all it plays into one WAV file, at the rate of the first sound; `also` plays it aloud."""

    def __init__(self, path: Path, also: Speaker | None = None, realtime: bool = False) -> None:
        """`realtime`: playing takes as long as the sound, as with a sound card. `also` has a pace of its own."""
        self._path, self._realtime = path, realtime
        self._also = also or NullSpeaker()
        self._samples = silence(0)
        self._rate_hz = 0

    def play(self, sound: Iterable[Speech], stale: Stale, started: Callable[[float], None]) -> None:
        """Raises BadAudio when the file cannot be written."""
        start_s, pieces = time.monotonic(), list[Speech]()

        def passing() -> Iterator[Speech]:
            for piece in sound:
                pieces.append(piece)
                yield piece

        def sounds(at_s: float) -> None:
            nonlocal start_s
            start_s = at_s
            started(at_s)

        self._also.play(passing(), stale, sounds)
        speech = joined(pieces)
        while self._realtime and not stale() and (left_s := start_s + speech.seconds - time.monotonic()) > 0:
            time.sleep(min(left_s, 0.02))
        if self._realtime and stale():
            heard = round((time.monotonic() - start_s) * speech.rate_hz)
            speech = Speech(speech.samples[:heard], speech.rate_hz)
        self._keep(speech)

    def close(self) -> None:
        self._also.close()

    def _keep(self, speech: Speech) -> None:
        self._rate_hz = self._rate_hz or speech.rate_hz
        more = resample(speech.samples, speech.rate_hz, self._rate_hz)
        self._samples = np.concatenate([self._samples, more])
        write_wav(self._path, Speech(self._samples, self._rate_hz))
