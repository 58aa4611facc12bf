"""The core's ear and voice, by its door (ports/hub.py): a connection for each request, for hanging up ends the work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from pydantic import BaseModel, ValidationError

from appliance import json_lines
from appliance.audio import Samples, Speech, as_text, of_text
from appliance.errors import ApplianceError, PartMissing, TurnFailed, WrongUse
from appliance.ports.hub import LINE_BYTES, Do, Heard, Speak, Transcribe
from appliance.ports.hub_told import Audio
from appliance.ports.refusals import Refusal

ANSWER_S = 60.0
"""For the next line of an answer: a Pi 4 needs 15 s for as many of speech, and its own turn may go before."""
REMEDY = "see: systemctl status va"
KINDS: dict[int, type[ApplianceError]] = {each.exit_code: each for each in (WrongUse, PartMissing, TurnFailed)}


class Turns:
    """One request at a time, and of each peer only one that waits: whoever asks for much waits for itself."""

    def __init__(self) -> None:
        self._of_all = asyncio.Lock()
        self._of_each: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, peer: str) -> AsyncIterator[None]:
        own = self._of_each.setdefault(peer, asyncio.Lock())
        async with own, self._of_all:
            yield


class CoreSpeech:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._hearing, self._speaking = Turns(), Turns()

    async def transcribe(self, samples: Samples, peer: str) -> str:
        """At most PCM_S of sound. Raises WrongUse, PartMissing, TurnFailed."""
        asked = Transcribe(pcm=as_text(samples))
        async with self._hearing.turn(peer), self._asked("transcribe", asked) as told:
            async for each in told:
                if "is" in each:
                    return Heard.model_validate(each["is"]).text
        raise gone()

    async def speak(self, clause: str, peer: str) -> AsyncGenerator[Speech, None]:
        """Its sound, piece by piece. Raises WrongUse, PartMissing, TurnFailed."""
        async with self._speaking.turn(peer), self._asked("speak", Speak(text=clause)) as told:
            async for each in told:
                if "is" in each:
                    return
                piece = Audio.model_validate({name: value for name, value in each.items() if name != "id"})
                yield Speech(of_text(piece.pcm), piece.rate)
        raise gone()

    @asynccontextmanager
    async def _asked(self, do: Do, arguments: BaseModel) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
        """What is told of it: events, and then what it is."""
        line = json_lines.line({"id": 1, "do": do, "arguments": arguments.model_dump()})
        reader, writer = await opened(self._path)
        try:
            writer.write(line)
            yield self._told(reader)
        except (OSError, ValueError) as error:  # of the connection; of a line that is none
            raise gone() from error
        finally:
            writer.close()

    async def _told(self, reader: asyncio.StreamReader) -> AsyncIterator[dict[str, Any]]:
        """Raises what the core refuses with."""
        while True:
            try:
                async with asyncio.timeout(ANSWER_S):
                    line = await reader.readline()
            except TimeoutError:
                raise TurnFailed(f"the box did not answer within {ANSWER_S:.0f} s", remedy="ask again") from None
            if not line:
                return
            told = json_lines.value(line)
            if "error" in told:
                raise refused(told)
            yield told


async def opened(path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the core. Raises PartMissing."""
    try:
        return await asyncio.open_unix_connection(str(path), limit=LINE_BYTES + 1)
    except OSError as error:
        what = f"the box's service does not answer ({error.strerror or error})"
        raise PartMissing(what, remedy=REMEDY) from None


def refused(told: dict[str, Any]) -> ApplianceError:
    try:
        refusal = Refusal.model_validate({name: value for name, value in told.items() if name != "id"})
    except ValidationError:
        return TurnFailed(str(told["error"]), remedy=REMEDY)
    return KINDS[refusal.code](refusal.error, remedy=refusal.remedy)


def gone() -> ApplianceError:
    return TurnFailed("the box's service stopped meanwhile", remedy=REMEDY)
