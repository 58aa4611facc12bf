"""The hub at work: the server on its sockets, and the connection to the core."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from appliance.errors import WrongUse
from appliance.hub.app import crowded
from appliance.hub.core import Core

log = logging.getLogger(__name__)

MOST_CONNECTIONS = 64
"""At once; those that are there go on, and whoever comes on top of them is told to come later."""
HEAD_BYTES = 16_384
"""Of a request's line and headers."""
HEAD_S = 10
"""For all of that to arrive."""
IDLE_S = 20
"""For which a connection without a request stays open."""
END_S = 3
"""For answers that are being given, when the hub is to end."""


def listener(address: str, port: int) -> socket.socket:
    """For where no service manager brings one. Raises WrongUse."""
    try:
        return socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET)
    except OSError as error:
        what = f"nobody can listen at {address}, port {port} ({error.strerror})"
        raise WrongUse(what, remedy="end what listens there, or set another hub.port") from None


class Connection(H11Protocol):
    """Closed where no whole head of a request comes in time: few may be open at once.

    uvicorn's own limit answers in plain text, and to those who were there before as well.
    """

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            self.app = crowded
        self._await_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

    def _await_head(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._late is None:
            self._late = self.loop.call_later(HEAD_S, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._late:
            self._late.cancel()
            self._late = None


class _Server(uvicorn.Server):
    """Says that it ends before it waits for the answers that are being given."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ending = ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._ending()
        await super().shutdown(sockets)


class Serving:
    def __init__(
        self, app: ASGIApp, core: Core, ending: Callable[[], None], certificate: tuple[Path, Path] | None = None
    ) -> None:
        """ending: called when it is to end.  certificate: its file, and that of its key."""
        cert, key = certificate or (None, None)
        self._core = core
        self._server = _Server(
            uvicorn.Config(
                app,
                http=Connection,
                ws="none",
                lifespan="off",
                access_log=False,
                log_config=None,
                log_level="warning",
                server_header=False,
                proxy_headers=False,
                h11_max_incomplete_event_size=HEAD_BYTES,
                timeout_keep_alive=IDLE_S,
                timeout_graceful_shutdown=END_S,
                ssl_certfile=cert,
                ssl_keyfile=key,
            ),
            ending,
        )

    async def run(self, sockets: list[socket.socket], started: Callable[[], None]) -> None:
        """Until SIGTERM or SIGINT, or `stop`."""
        for each in sockets:  # or a body waits 40 ms for its head to be acknowledged; connections inherit it
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connected = asyncio.create_task(self._core.run())
        serving = asyncio.create_task(self._server.serve(sockets))
        try:
            while not self._server.started and not serving.done():
                await asyncio.sleep(0.01)
            started()
            await serving
        finally:
            connected.cancel()
            await asyncio.gather(connected, return_exceptions=True)

    def stop(self) -> None:
        self._server.should_exit = True
