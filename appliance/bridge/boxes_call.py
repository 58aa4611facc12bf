"""The connection of one call between two boxes, once the one that is called rings: either end says what happens at it.

It is encrypted (ChaCha20-Poly1305), with a key of the house key, of the number that the called box made for the
connection and of one that the caller made: what was recorded means nothing in another call. Each packet is numbered, so
that none can be left out, repeated or sent back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Literal, get_args

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from appliance.bridge.boxes_packets import received, send

log = logging.getLogger(__name__)

Kind = Literal["took", "sound", "spoke", "alive", "ended"]
"""took: somebody there takes the call.  sound: int16, 16,000 Hz, of what is said.  spoke: they have finished.  alive:
said every 1.5 s by a box that is there (service/calls.py).  ended: the call is over, and why."""
KINDS = get_args(Kind)
Tell = Callable[[Kind, bytes], None]

GONE_S = 6.0
"""Of an end that says nothing: four times as long as between two that it is alive."""
MOST_BYTES = 64_000
"""Of a packet: 2 s of sound; a piece has a quarter of one (ears/talk.py)."""
MOST_WAITING = 320_000
"""Bytes that the other end has not taken yet: 10 s of sound. With more the connection is as good as lost."""
LOST = b"lost"


class _Cipher:
    """One direction of a call."""

    def __init__(self, key: bytes, direction: bytes) -> None:
        """direction: 4 bytes."""
        self._made, self._direction, self._count = ChaCha20Poly1305(key), direction, 0

    def closed(self, plain: bytes) -> bytes:
        return self._made.encrypt(self._next(), plain, None)

    def opened(self, sealed: bytes) -> bytes:
        """Raises InvalidTag."""
        return self._made.decrypt(self._next(), sealed, None)

    def _next(self) -> bytes:
        self._count += 1
        return self._direction + self._count.to_bytes(8, "big")


class Line:
    def __init__(
        self, id: str, streams: tuple[asyncio.StreamReader, asyncio.StreamWriter], key: bytes, called: bool
    ) -> None:
        """id: by which the core knows the call.  called: whether this is the box that is called."""
        self.id = id
        self._reader, self._writer = streams
        sends, hears = (b"from", b"to  ") if called else (b"to  ", b"from")
        self._sends, self._hears = _Cipher(key, sends), _Cipher(key, hears)

    def say(self, kind: Kind, body: bytes = b"") -> None:
        """Never waits: an end that takes nothing is dropped."""
        transport = self._writer.transport
        if transport.is_closing():
            return
        send(self._writer, self._sends.closed(bytes([KINDS.index(kind)]) + body))
        if kind == "ended":
            self._writer.close()
        elif transport.get_write_buffer_size() > MOST_WAITING:
            log.warning("the other end of a call takes no sound any more")
            transport.abort()

    async def run(self, tell: Tell) -> None:
        """Until it is over. The last that is told is "ended", unless this end said that."""
        try:
            while True:
                async with asyncio.timeout(GONE_S):
                    kind, body = await self._received()
                if kind != "alive":
                    tell(kind, body)
                if kind == "ended":
                    return
        except (OSError, EOFError, ValueError, TimeoutError, InvalidTag) as error:
            log.debug("a call ended: %s", type(error).__name__)
            tell("ended", LOST)
        finally:
            self._writer.close()

    async def _received(self) -> tuple[Kind, bytes]:
        """Raises ValueError, EOFError, OSError, InvalidTag."""
        plain = self._hears.opened(await received(self._reader, MOST_BYTES))
        if not plain or plain[0] >= len(KINDS):
            raise ValueError("of no kind that is known here")
        return KINDS[plain[0]], plain[1:]
