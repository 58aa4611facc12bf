"""One connection of a Wyoming peer: events in, events out."""

from __future__ import annotations

import asyncio
import logging

from wyoming.error import Error
from wyoming.event import Event, Eventable, async_write_event
from wyoming.ping import Pong

from appliance.errors import ApplianceError
from appliance.hub import wyoming_wire as wire

log = logging.getLogger(__name__)

IDLE_S = 60.0
"""For which a peer may say nothing; also for one event that comes slowly."""
TAKE_S = 30.0
"""For a peer to take what it is told."""


class Peer:
    def __init__(self, reader: wire.Reader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def run(self) -> None:
        """Until the peer hangs up, or sends what cannot be done: it is told why, and the connection ends."""
        try:
            while (event := await self._next()) is not None:
                await self._take(event)
        except ApplianceError as error:
            await self._refuse(error)
        finally:
            await self._close()

    async def _take(self, event: Event) -> None:
        """Do what it asks for. Raises ApplianceError."""
        raise NotImplementedError

    async def _ping(self, event: Event) -> None:
        await self._write(Pong(wire.read(wire.Ping, event).text))

    async def _close(self) -> None:
        """Nothing more comes."""

    async def _refuse(self, error: ApplianceError) -> None:
        log.warning("a Wyoming peer was refused: %s", error)
        await self._write(Error(f"{error.what}; {error.remedy}", type(error).__name__))

    async def _next(self) -> Event | None:
        """None where nothing more comes. Raises WrongUse."""
        try:
            async with asyncio.timeout(IDLE_S):
                return await wire.next_event(self._reader)
        except TimeoutError:
            return None

    async def _write(self, told: Eventable) -> None:
        async with asyncio.timeout(TAKE_S):
            await async_write_event(told.event(), self._writer)
