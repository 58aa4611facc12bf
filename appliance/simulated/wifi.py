"""What joins a Wi-Fi network for the hub (systemd/wifi), without NetworkManager: it keeps to the protocol."""

from __future__ import annotations

import json
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingUnixStreamServer
from threading import Thread
from types import TracebackType
from typing import Any


class SimulatedWifi:
    """A context manager, at a socket. Every network is joined with any password."""

    def __init__(self, path: Path) -> None:
        self.networks: list[dict[str, Any]] = [{"name": "home", "signal": 71, "kind": "password", "joined": False}]
        self._server = _Server(str(path), _Handler)
        self._server.answer = self._answer
        self._thread = Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> SimulatedWifi:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        if asked["do"] == "list":
            return {"networks": self.networks}
        return {"joined": asked["network"]} if asked["do"] == "join" else {"kept": True}


class _Server(ThreadingUnixStreamServer):
    daemon_threads = True
    answer: Any


class _Handler(StreamRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, _Server)
        self.wfile.write(json.dumps(self.server.answer(json.loads(self.rfile.readline()))).encode() + b"\n")
