"""The simulated hub on a real socket of this machine; for the tests beside it."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Any

import uvicorn

PATIENCE_S = 10.0


class HubServer:
    """A context manager."""

    def __init__(self, app: Any, certificate: tuple[Path, Path] | None = None, port: int = 0) -> None:
        """certificate: its file, and that of its key."""
        cert, key = certificate or (None, None)
        self._socket = socket.create_server(("127.0.0.1", port))
        self.port = int(self._socket.getsockname()[1])
        self._scheme = "https" if certificate else "http"
        options = {"http": "h11", "ws": "none", "lifespan": "off", "log_level": "error", "timeout_graceful_shutdown": 1}
        self._server = uvicorn.Server(uvicorn.Config(app, ssl_certfile=cert, ssl_keyfile=key, **options))  # type: ignore[arg-type]
        self._thread = Thread(target=self._server.run, kwargs={"sockets": [self._socket]})

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self.port}"

    def __enter__(self) -> HubServer:
        self._thread.start()
        ends_s = time.monotonic() + PATIENCE_S
        while not self._server.started:
            assert time.monotonic() < ends_s
            time.sleep(0.01)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(PATIENCE_S)
        self._socket.close()
        assert not self._thread.is_alive()
