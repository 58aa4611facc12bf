"""A Wyoming server asked as Home Assistant asks it: `appliance wyoming check`."""

from __future__ import annotations

from wyoming.audio import AudioChunk, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.event import Event
from wyoming.info import Describe, Info
from wyoming.tts import Synthesize

from appliance.errors import WrongUse


class Server:
    def __init__(self, address: str, port: int) -> None:
        self._address, self._port = address, port

    async def told(self) -> str:
        """What it has. Raises OSError, WrongUse."""
        async with AsyncTcpClient(self._address, self._port) as client:
            await client.write_event(Describe().event())
            info = Info.from_event(await _next(client))
        models = [each.name for program in info.asr for each in program.models]
        models += [each.name for program in info.tts for each in program.voices]
        return ", ".join([*models, *(each.name for program in info.wake for each in program.models)])

    async def spoken(self, text: str) -> float:
        """Seconds of sound that it makes of `text`. Raises OSError, WrongUse."""
        seconds = 0.0
        async with AsyncTcpClient(self._address, self._port) as client:
            await client.write_event(Synthesize(text).event())
            while not AudioStop.is_type((event := await _next(client)).type):
                seconds += AudioChunk.from_event(event).seconds if AudioChunk.is_type(event.type) else 0
        return seconds


async def _next(client: AsyncTcpClient) -> Event:
    event = await client.read_event()
    if event is None:
        raise WrongUse("it hung up", remedy="see its journal")
    if Error.is_type(event.type):
        raise WrongUse(Error.from_event(event).text, remedy="see its journal")
    return event
