"""What one box has another do, say a text or ring: a connection for each, answered by what came of it.

The box that is called sends a number first that was never used. What it is asked, and what it answers, is sealed with
the house key for that number: what was recorded means nothing in another connection, and an answer is to this question.
Where it rings, the call goes on over the same connection (boxes_call.py).
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from appliance.bridge.boxes_call import Line
from appliance.bridge.boxes_packets import received, send
from appliance.bridge.boxes_seal import Seal

log = logging.getLogger(__name__)

NUMBER_BYTES = 16
MOST_BYTES = 4_000
"""Of a question or an answer."""
MOST_TEXT = 310
"""Characters of a text: those of an announcement (skills/announcements/), and the full stop behind it."""
MOST_CALLERS = 8
"""At once; with more, the newest is turned away."""
CONNECT_S = 1.5
"""For a box at home to take a connection: SYN and one retry of it."""
ANSWER_S = 3.0
"""For what it is asked to be taken there; the core has `ASKED_S` of it (boxes.py)."""
ASK_S = 2.0
"""For a caller to say what it wants."""
ANSWER = b"answer"
RINGS = "rings"
"""The answer of a box that rings."""


class Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")

    of: str = Field(max_length=40)
    to: str = Field(max_length=40)
    text: str = Field(min_length=1, max_length=MOST_TEXT)
    anyway: bool = False

    def about(self, number: bytes) -> bytes:
        """What the answer is sealed for."""
        return number + ANSWER


class Rung(BaseModel):
    """A call."""

    model_config = ConfigDict(extra="forbid")

    of: str = Field(max_length=40)
    to: str = Field(max_length=40)
    call: str = Field(pattern=r"^[0-9a-f]{32}$")
    """A number of the caller's that was never used."""

    def about(self, number: bytes) -> bytes:
        """What the answer is sealed for."""
        return number + ANSWER + self.call.encode()

    def key(self, seal: Seal, number: bytes) -> bytes:
        """Of the call.  number: of the connection."""
        return seal.key_for(b"call" + number + self.call.encode())


WANTED: TypeAdapter[Asked | Rung] = TypeAdapter(Asked | Rung)


class Reply(BaseModel):
    answer: str = Field(max_length=40)


Take = Callable[[Asked | Rung], Awaitable[str]]
"""Does what it is asked; what came of it, as a code of boxes_questions.ANSWERS."""
Talk = Callable[[Line], Awaitable[None]]
"""Holds a call, to its end."""


class Post:
    """Takes what the others ask."""

    def __init__(self, seal: Seal, take: Take, talk: Talk) -> None:
        self._seal, self._take, self._talk = seal, take, talk
        self._callers = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One caller, whoever it is."""
        self._callers += 1
        try:
            if self._callers <= MOST_CALLERS:
                await self._served(reader, writer)
        except (OSError, EOFError, ValueError, TimeoutError) as error:  # pydantic's are ValueErrors
            log.debug("a caller was turned away (%s)", type(error).__name__)
        finally:
            self._callers -= 1
            writer.transport.abort() if writer.is_closing() else writer.close()

    async def _served(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = secrets.token_bytes(NUMBER_BYTES)
        writer.write(number)
        async with asyncio.timeout(ASK_S):
            read = self._seal.opened(await received(reader, MOST_BYTES), number)
        if read is None:
            return
        wanted = WANTED.validate_python(read)
        answer = await self._take(wanted)
        send(writer, self._seal.closed({"answer": answer}, wanted.about(number)))
        async with asyncio.timeout(ASK_S):
            await writer.drain()
        if isinstance(wanted, Rung) and answer == RINGS:
            await self._talk(Line(wanted.call, (reader, writer), wanted.key(self._seal, number), called=True))


async def ask(host: str, port: int, asked: Asked, seal: Seal) -> str:
    """What came of it: a code of boxes_questions.ANSWERS. Never raises what the network does."""
    answer, _ = await _asked(host, port, asked, seal)
    return answer


async def ring(host: str, port: int, rung: Rung, seal: Seal) -> tuple[str, Line | None]:
    """The same of a call, and the call itself where that box rings."""
    return await _asked(host, port, rung, seal)


async def _asked(host: str, port: int, wanted: Asked | Rung, seal: Seal) -> tuple[str, Line | None]:
    try:
        async with asyncio.timeout(CONNECT_S):
            reader, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return "gone", None
    line = None
    try:
        answer, number = await _answer(reader, writer, wanted, seal)
        if isinstance(wanted, Rung) and answer == RINGS:
            line = Line(wanted.call, (reader, writer), wanted.key(seal, number), called=False)
        return answer, line
    finally:
        if line is None:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


async def _answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, wanted: Asked | Rung, seal: Seal
) -> tuple[str, bytes]:
    """And the number of the connection."""
    sent, number = False, b""
    try:
        async with asyncio.timeout(ANSWER_S):
            number = await reader.readexactly(NUMBER_BYTES)
            send(writer, seal.closed(wanted.model_dump(), number))
            sent = True
            read: Any = seal.opened(await received(reader, MOST_BYTES), wanted.about(number))
        return "stranger" if read is None else Reply.model_validate(read).answer, number
    except EOFError:  # it hangs up on who has not its key
        return "stranger" if sent else "gone", number
    except (OSError, TimeoutError):
        return "unknown" if sent else "gone", number
    except (ValidationError, ValueError):
        return "unknown", number
