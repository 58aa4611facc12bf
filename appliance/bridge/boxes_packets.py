"""Packets on a connection of two boxes: the length of each stands before it."""

from __future__ import annotations

import asyncio

LENGTH_BYTES = 4


def send(writer: asyncio.StreamWriter, packet: bytes) -> None:
    writer.write(len(packet).to_bytes(LENGTH_BYTES, "big") + packet)


async def received(reader: asyncio.StreamReader, most_bytes: int) -> bytes:
    """Raises ValueError for one that is longer, EOFError, OSError."""
    length = int.from_bytes(await reader.readexactly(LENGTH_BYTES), "big")
    if length > most_bytes:
        raise ValueError("too long")
    return await reader.readexactly(length)
