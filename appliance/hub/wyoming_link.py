"""The way of a satellite to the core (ports/satellite.py): one connection, as long as its host is there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from appliance import json_lines
from appliance.hub.wyoming_core import gone, opened, refused
from appliance.ports.satellite import FromHost, Hosted, ToldHost

log = logging.getLogger(__name__)

SATELLITE = 1
"""Number of the request that is at work as long as the connection is."""
TOLD: TypeAdapter[ToldHost] = TypeAdapter(ToldHost)


class Link:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._numbers = count(SATELLITE + 1)
        self._asked = dict[int, asyncio.Future[None]]()

    @staticmethod
    async def to(core: Path, name: str) -> Link:
        """name: of the host. Raises PartMissing."""
        link = Link(*await opened(core))
        link._send(SATELLITE, "satellite", Hosted(name=name).model_dump())
        return link

    async def told(self) -> AsyncIterator[ToldHost]:
        """What the core tells the host, as long as it is there. Raises what it refuses with, TurnFailed."""
        try:
            while line := await self._reader.readline():
                value = json_lines.value(line)
                number = value.pop("id", 0)
                if "event" in value:
                    yield TOLD.validate_python(value)
                elif number == SATELLITE and "error" in value:
                    raise refused(value)
                else:
                    self._answered(number, value)
        except (OSError, ValueError, ValidationError) as error:  # of the connection; of a line that is none
            raise gone() from error
        finally:
            self.close()
        raise gone()

    async def say(self, told: FromHost) -> None:
        """Waits until the core has taken it, or is gone."""
        await self.say_now(told)

    def say_now(self, told: FromHost) -> asyncio.Future[None]:
        """Done then."""
        number = next(self._numbers)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        if self._writer.is_closing():
            self._give_up()
        else:
            self._send(number, "host", told.model_dump(exclude_defaults=True))
        return answer

    def close(self) -> None:
        """May be called twice."""
        self._writer.close()
        self._give_up()

    def _send(self, number: int, do: str, arguments: dict[str, Any]) -> None:
        self._writer.write(json_lines.line({"id": number, "do": do, "arguments": arguments}))

    def _answered(self, number: int, value: dict[str, Any]) -> None:
        if "error" in value:
            log.warning("the box did not take what its host said: %s", refused(value))
        answer = self._asked.pop(number, None)
        if answer and not answer.done():
            answer.set_result(None)

    def _give_up(self) -> None:
        """Nobody is to wait any more: that it is gone is told by `told`."""
        for answer in self._asked.values():
            if not answer.done():
                answer.set_result(None)
        self._asked.clear()
