"""The real hub on a real port, before a simulated core or another; both on a thread of their own."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Coroutine
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Any, TypeVar

import httpx

from appliance.build import hub as building
from appliance.hub.access import Role
from appliance.hub.serve import Serving, listener
from appliance.hub.state import Hub
from appliance.settings import Settings
from appliance.simulated.hub_core import SimulatedCore

T = TypeVar("T")
PATIENCE_S = 30.0
"""On a machine that does other things as well."""
MANY = 100_000
"""A minute: so that no test but one on limits meets one."""

log = logging.getLogger(__name__)


class RunningHub:
    """A context manager."""

    hub: Hub
    core: SimulatedCore

    def __init__(self, folder: Path, core: SimulatedCore | None = None, **hub: Any) -> None:
        """hub: its settings; with a `core_socket` there is no simulated core."""
        self.folder, self.core = folder / "hub", core or SimulatedCore()
        self._simulates = "core_socket" not in hub
        own = {"folder": self.folder, "core_socket": folder / "core.sock", "per_minute": MANY} | hub
        self.settings = Settings.model_validate({"hub": own})
        self.tokens = building.tokens(self.settings)
        self.folder.mkdir(exist_ok=True)
        self.socket: socket.socket = listener("127.0.0.1", 0)
        scheme = "https" if self.settings.hub.tls else "http"
        self.url = f"{scheme}://127.0.0.1:{self.socket.getsockname()[1]}"
        self._loop: asyncio.AbstractEventLoop
        self._started = Event()
        self._serving: Serving | None = None
        self._thread = Thread(target=lambda: asyncio.run(self._serve()), name="hub", daemon=True)

    def __enter__(self) -> RunningHub:
        self._thread.start()
        assert self._started.wait(PATIENCE_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._serving:
            self._serving.stop()
        self._thread.join(PATIENCE_S)

    def client(self, role: Role | None = "owner", name: str = "", **more: Any) -> httpx.Client:
        """With a token of its own; without, where there is no role."""
        headers = {}
        if role:
            headers["Authorization"] = f"Bearer {self.token(role, name)}"
        return httpx.Client(base_url=self.url, headers=headers, timeout=PATIENCE_S, **more)

    def token(self, role: Role, name: str = "", **more: str) -> str:
        return self.tokens.add(name or f"{role}-{len(self.tokens.all())}", role, **more)

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """On the loop of the hub."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)

    def tell(self, **event: Any) -> None:
        """What the core tells all who watch."""

        async def tell() -> None:
            self.core.tell(**event)

        self.do(tell())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        if self._simulates:
            await self.core.start(self.settings.hub.core_socket)
        self.hub = building.made(self.settings)
        self._serving = building.serving(self.settings, self.hub)
        try:
            await self._serving.run([self.socket], self._started.set)
        finally:
            await self.core.stop()


def started(client: httpx.Client, conversation: str = "c1", **more: Any) -> str:
    """A conversation of the Command API."""
    body = {"conversation_id": conversation, "node_context": {"timezone": "Europe/Berlin"}} | more
    response = client.post("/api/v0/conversation/start", json=body)
    assert response.status_code == 200, response.text
    return conversation


def line(client: httpx.Client, text: str, conversation: str = "c1", **headers: str) -> httpx.Response:
    body = {"voice_command": text, "conversation_id": conversation}
    return client.post("/api/v0/voice/command", json=body, headers=headers)
