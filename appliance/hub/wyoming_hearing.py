"""What is done with the sound of a Wyoming peer: it is transcribed, or a wake word is listened for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Protocol, TypeVar

import numpy as np
import soxr
from wyoming.asr import Transcript
from wyoming.event import Eventable
from wyoming.wake import Detection, NotDetected

from appliance.audio import FRAME, RATE_HZ, Samples
from appliance.errors import WrongUse
from appliance.hub.wyoming_wire import Chunk, Format
from appliance.ports import WakeListener
from appliance.ports.hub import PCM_S

AHEAD_S = 10.0
"""Sound for wake words is taken no faster than it is spoken, but for so much: a peer that sends an hour of it at once
would have a core of the box for itself."""

Write = Callable[[Eventable], Awaitable[None]]
T = TypeVar("T")


class Sound:
    """One stream of sound, as the box hears it."""

    def __init__(self, format: Format) -> None:
        self.format = format
        self._resampled = soxr.ResampleStream(format.rate, RATE_HZ, 1, dtype="int16")
        self._begun = b""
        """Of a sample: Home Assistant cuts what it is posted wherever it likes."""

    def samples(self, data: bytes, last: bool = False) -> Samples:
        """Of the next piece."""
        data = self._begun + data
        whole = len(data) - len(data) % self.format.width
        self._begun = data[whole:]
        piece = np.frombuffer(data[:whole], dtype="<i2")
        if self.format.rate == RATE_HZ:
            return piece
        return np.asarray(self._resampled.resample_chunk(piece, last=last), dtype=np.int16)


class Sink(Protocol):
    """Where the sound of one request goes."""

    async def take(self, samples: Samples, chunk: Chunk) -> None:
        """Raises WrongUse."""

    async def end(self, rest: Samples) -> None:
        """Answer. Raises WrongUse, PartMissing, TurnFailed."""

    def close(self) -> None:
        """Also where it never ended. May be called twice."""


class ToWords:
    def __init__(self, transcribe: Callable[[Samples], Awaitable[str]], language: str, write: Write) -> None:
        self._transcribe, self._language, self._write = transcribe, language, write
        self._sound = bytearray()

    async def take(self, samples: Samples, chunk: Chunk) -> None:
        self._add(samples)

    def _add(self, samples: Samples) -> None:
        self._sound += samples.tobytes()
        if len(self._sound) > PCM_S * RATE_HZ * 2:
            raise WrongUse(f"more than {PCM_S} s of sound", remedy="send one sentence at a time")

    async def end(self, rest: Samples) -> None:
        self._add(rest)
        text = await self._transcribe(np.frombuffer(self._sound, dtype=np.int16))
        await self._write(Transcript(text, language=self._language))

    def close(self) -> None:
        """Nothing to give back."""


class Listeners:
    """So many may listen for wake words at once, on one thread: it takes turns, a frame each."""

    def __init__(self, words: Sequence[str], make: Callable[[], WakeListener], most: int = 4) -> None:
        """make: takes as long as loading the models, and may raise.  words: for any of which it listens."""
        self.words, self._make, self._most = words, make, most
        self._free = [make()]
        self._lent = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="wake")

    async def lend(self) -> WakeListener:
        """Raises WrongUse where all are lent, and what `make` raises."""
        if self._lent >= self._most:
            raise WrongUse(f"{self._most} peers listen for wake words already", remedy="end one of them")
        self._lent += 1
        try:
            listener = self._free.pop() if self._free else await self.work(self._make)
            await self.work(listener.reset)
        except BaseException:
            self._lent -= 1
            raise
        return listener

    def give_back(self, listener: WakeListener) -> None:
        self._lent -= 1
        self._free.append(listener)

    async def work(self, what: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, what)


class ToWake:
    """Tells of each wake word that is heard; at the end, where there was none, of that."""

    def __init__(self, listeners: Listeners, listener: WakeListener, names: Sequence[str], write: Write) -> None:
        """listener: lent by `listeners`, and given back by `close`.  names: the wake words that are asked for."""
        self._listeners, self._names, self._write = listeners, names, write
        self._listener: WakeListener | None = listener
        self._rest: Samples = np.zeros(0, dtype=np.int16)
        self._heard = False
        self._began_s, self._taken_s = time.monotonic(), 0.0

    async def take(self, samples: Samples, chunk: Chunk) -> None:
        await self._keep_pace(len(samples) / RATE_HZ)
        self._rest = np.concatenate((self._rest, samples))
        while len(self._rest) >= FRAME and self._listener:
            frame, self._rest = self._rest[:FRAME], self._rest[FRAME:]
            called = await self._listeners.work(partial(self._listener.hear, frame))
            if called and called[0] in self._names:
                self._heard = True
                await self._write(Detection(called[0], None if chunk.timestamp is None else round(chunk.timestamp)))

    async def _keep_pace(self, seconds: float) -> None:
        """Whoever is too far ahead waits."""
        ahead_s = self._taken_s - (time.monotonic() - self._began_s)
        if ahead_s < 0:  # a pause is not saved up
            self._began_s, self._taken_s = time.monotonic(), 0.0
        elif ahead_s > AHEAD_S:
            await asyncio.sleep(ahead_s - AHEAD_S)
        self._taken_s += seconds

    async def end(self, rest: Samples) -> None:
        self.close()
        if not self._heard:
            await self._write(NotDetected())

    def close(self) -> None:
        listener, self._listener = self._listener, None
        if listener:
            self._listeners.give_back(listener)
