"""What one box has another do, such as say a text: a connection for each, answered by what came of it.

The box that is called sends a number first that was never used. What it is asked, and what it answers, is sealed with
the house key for that number: what was recorded means nothing in another connection, and an answer is to this question.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from appliance.bridge.boxes_seal import Seal

log = logging.getLogger(__name__)

NUMBER_BYTES = 16
LENGTH_BYTES = 4
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


class Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")

    of: str = Field(max_length=40)
    to: str = Field(max_length=40)
    text: str = Field(min_length=1, max_length=MOST_TEXT)
    anyway: bool = False


class Answered(BaseModel):
    answer: str = Field(max_length=40)


Take = Callable[[Asked], Awaitable[str]]
"""Does what it is asked; what came of it, as a code of boxes.ANSWERS."""


class Post:
    """Takes what the others ask."""

    def __init__(self, seal: Seal, take: Take) -> None:
        self._seal, self._take = seal, take
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
            read = self._seal.opened(await _received(reader), number)
        if read is None:
            return
        answer = await self._take(Asked.model_validate(read))
        _send(writer, self._seal.closed({"answer": answer}, number + ANSWER))
        async with asyncio.timeout(ASK_S):
            await writer.drain()


async def ask(host: str, port: int, asked: Asked, seal: Seal) -> str:
    """What came of it: a code of boxes.ANSWERS. Never raises what the network does."""
    try:
        async with asyncio.timeout(CONNECT_S):
            reader, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return "gone"
    try:
        return await _asked(reader, writer, asked, seal)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def _asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, asked: Asked, seal: Seal) -> str:
    sent = False
    try:
        async with asyncio.timeout(ANSWER_S):
            number = await reader.readexactly(NUMBER_BYTES)
            _send(writer, seal.closed(asked.model_dump(), number))
            sent = True
            read: Any = seal.opened(await _received(reader), number + ANSWER)
        return "stranger" if read is None else Answered.model_validate(read).answer
    except EOFError:  # it hangs up on who has not its key
        return "stranger" if sent else "gone"
    except (OSError, TimeoutError):
        return "unknown" if sent else "gone"
    except (ValidationError, ValueError):
        return "unknown"


def _send(writer: asyncio.StreamWriter, packet: bytes) -> None:
    writer.write(len(packet).to_bytes(LENGTH_BYTES, "big") + packet)


async def _received(reader: asyncio.StreamReader) -> bytes:
    """Raises ValueError, EOFError, OSError."""
    length = int.from_bytes(await reader.readexactly(LENGTH_BYTES), "big")
    if length > MOST_BYTES:
        raise ValueError("too long")
    return await reader.readexactly(length)
