"""A text spoken to a Wyoming peer, clause by clause, while more of it may still come."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing
from typing import Protocol

from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.event import Eventable

from appliance.audio import RATE_HZ, Speech

CHUNK = 2_048
"""Samples that are sent at once: 93 ms of Piper's."""
WIDTH, CHANNELS = 2, 1


class Clauses(Protocol):
    """Text in pieces of any size in, what can be spoken in one go out."""

    def feed(self, text: str) -> list[str]: ...

    def flush(self) -> list[str]:
        """The rest: nothing more will come."""
        ...


class Saying:
    """One text, and one stream of sound."""

    def __init__(
        self,
        speak: Callable[[str], AsyncGenerator[Speech, None]],
        clauses: Clauses,
        write: Callable[[Eventable], Awaitable[None]],
    ) -> None:
        self._speak, self._clauses, self._write = speak, clauses, write
        self._rate_hz, self._sent_ms = 0, 0.0

    async def take(self, text: str) -> None:
        """Speak what of it is whole by now. Raises PartMissing, TurnFailed."""
        await self._say(self._clauses.feed(text))

    async def end(self) -> None:
        """Speak the rest. A peer waits for the end of the sound, also where there was nothing to say."""
        await self._say(self._clauses.flush())
        await self._begin(RATE_HZ)
        await self._write(AudioStop(timestamp=round(self._sent_ms)))

    async def _say(self, clauses: list[str]) -> None:
        for clause in clauses:
            async with aclosing(self._speak(clause)) as pieces:
                async for piece in pieces:
                    await self._begin(piece.rate_hz)
                    for chunk in self._chunks(piece):
                        await self._write(chunk)

    async def _begin(self, rate_hz: int) -> None:
        if not self._rate_hz:
            self._rate_hz = rate_hz
            await self._write(AudioStart(rate_hz, WIDTH, CHANNELS, timestamp=0))

    def _chunks(self, piece: Speech) -> Iterator[AudioChunk]:
        for start in range(0, len(piece.samples), CHUNK):
            part = piece.samples[start : start + CHUNK]
            at_ms = round(self._sent_ms)
            yield AudioChunk(piece.rate_hz, WIDTH, CHANNELS, part.astype("<i2").tobytes(), timestamp=at_ms)
            self._sent_ms += len(part) * 1_000 / piece.rate_hz
