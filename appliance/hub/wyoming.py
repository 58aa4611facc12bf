"""The box's ear and voice for others in the home, over the Wyoming protocol (Home Assistant speaks it).

The protocol knows no passwords. Whoever reaches the port may have a text spoken and a sound written down, and nothing
else: no turn is taken, nothing is remembered or carried out, and the box's own microphone and speaker are out of reach.
A satellite has a port of its own beside it (wyoming_satellite.py), at which one address may do more.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections import Counter
from collections.abc import Callable

from appliance.errors import WrongUse, logged
from appliance.hub.wyoming_peer import Peer
from appliance.hub.wyoming_wire import Reader

log = logging.getLogger(__name__)

MOST_CONNECTIONS = 32
MOST_OF_ONE = 16
"""Of one address. Home Assistant has one for each of its satellites whose wake word is listened for here, and one for
each request."""

MakePeer = Callable[[Reader, asyncio.StreamWriter, str], Peer]
"""Of a connection, and the address of whoever has made it."""


def listener(address: str, port: int) -> socket.socket:
    """address: empty is every address of this machine. Raises WrongUse."""
    both = socket.has_dualstack_ipv6()
    six = ":" in address or (not address and both)
    family = socket.AF_INET6 if six else socket.AF_INET
    try:
        return socket.create_server((address, port), family=family, dualstack_ipv6=six and not address)
    except OSError as error:
        what = f"nobody can listen at {address or 'any address'}, port {port} ({error.strerror or error})"
        raise WrongUse(what, remedy="end what listens there, or set another wyoming.port") from None


class Server:
    def __init__(self, talk: MakePeer, most: int = MOST_CONNECTIONS, most_of_one: int = MOST_OF_ONE) -> None:
        """talk: makes what serves one connection."""
        self._talk, self._most, self._most_of_one = talk, most, most_of_one
        self._peers: dict[asyncio.Task[None], str] = {}

    async def run(self, listener: socket.socket) -> None:
        """Until cancelled."""
        loop = asyncio.get_running_loop()
        server = await loop.create_server(self._protocol, sock=listener)
        try:
            await loop.create_future()  # not serve_forever(): from Python 3.12 on that ends when the last peer hangs up
        finally:
            server.close()
            for each in self._peers:
                each.cancel()
            await asyncio.gather(*self._peers, return_exceptions=True)

    def _protocol(self) -> asyncio.StreamReaderProtocol:
        reader = Reader()

        def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._admit(reader, writer)

        return asyncio.StreamReaderProtocol(reader, connected)

    def _admit(self, reader: Reader, writer: asyncio.StreamWriter) -> None:
        peer = str((writer.get_extra_info("peername") or ("",))[0])
        if len(self._peers) >= self._most or Counter(self._peers.values())[peer] >= self._most_of_one:
            log.warning("a Wyoming peer was turned away: there are %d already", len(self._peers))
            writer.transport.abort()
            return
        task = asyncio.create_task(self._serve(self._talk(reader, writer, peer), writer))
        self._peers[task] = peer
        task.add_done_callback(self._peers.pop)

    async def _serve(self, talk: Peer, writer: asyncio.StreamWriter) -> None:
        with logged(log, "a connection of a Wyoming peer broke"):
            try:
                await talk.run()
            except OSError as error:  # TimeoutError is one of them
                log.debug("a Wyoming peer hung up, or takes nothing (%s)", error)
                writer.transport.abort()
            finally:
                writer.close()
