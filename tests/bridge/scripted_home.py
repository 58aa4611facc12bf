"""A server that speaks as Home Assistant does, as far as a test lets it; the real one is in test_home_assistant.py."""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from threading import Event, Thread
from types import TracebackType
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

TOKEN = "the token"


def light(name: str, state: str = "off", **attributes: Any) -> dict[str, Any]:
    return {"entity_id": f"light.{name}", "state": state, "attributes": {"friendly_name": name.title(), **attributes}}


class ScriptedHome:
    """A context manager. What is set on it holds from the next connection, or the next command, on."""

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self.states = [light("desk")]
        self.answers: dict[str, Any] = {}
        """Command -> its result, in place of the usual one."""
        self.slow_s = 0.0
        self.silent: set[str] = set()
        """Commands that are never answered; "auth" is one."""
        self.status: HTTPStatus | None = None
        """What a connection is answered with, in place of a websocket."""
        self.says: str | None = None
        """A text that is sent once the token was taken."""
        self.asked: list[dict[str, Any]] = []
        self.logins = 0
        self._connections: set[ServerConnection] = set()
        self._ready = Event()
        self._thread = Thread(target=lambda: asyncio.run(self._run()))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> ScriptedHome:
        self._thread.start()
        assert self._ready.wait(5)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._end.set_result, None)
        self._thread.join(10)
        assert not self._thread.is_alive(), "a client left its connection half closed"

    def hang_up(self) -> None:
        """On every client."""
        for each in [*self._connections]:
            self._loop.call_soon_threadsafe(each.transport.abort)

    def say(self, value: Any) -> None:
        """To every client."""
        for each in [*self._connections]:
            asyncio.run_coroutine_threadsafe(each.send(json.dumps(value)), self._loop)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._end: asyncio.Future[None] = self._loop.create_future()
        async with serve(
            self._serve, "127.0.0.1", self.port, process_request=self._first, close_timeout=0.1, ping_interval=None
        ) as server:
            self.port = server.sockets[0].getsockname()[1]
            self._ready.set()
            await self._end

    def _first(self, connection: ServerConnection, request: Request) -> Response | None:
        return connection.respond(self.status, "no websocket") if self.status else None

    async def _serve(self, connection: ServerConnection) -> None:
        self._connections.add(connection)
        try:
            await self._talk(connection)
        except ConnectionClosed:
            pass
        finally:
            self._connections.discard(connection)

    async def _talk(self, connection: ServerConnection) -> None:
        if "auth" in self.silent:
            await connection.wait_closed()
        await connection.send('{"type": "auth_required", "ha_version": "2026.1.0"}')
        self.logins += 1
        if json.loads(await connection.recv()).get("access_token") != TOKEN:
            await connection.send('{"type": "auth_invalid", "message": "Invalid access token or password"}')
            return
        await connection.send('{"type": "auth_ok"}')
        if self.says is not None:
            await connection.send(self.says)
        while True:
            asked = json.loads(await connection.recv())
            self.asked.append(asked)
            await asyncio.sleep(self.slow_s)
            if asked["type"] not in self.silent:
                for each in self._answer(asked):
                    await connection.send(json.dumps({"id": asked["id"], **each}))

    def _answer(self, asked: dict[str, Any]) -> list[dict[str, Any]]:
        kind = asked["type"]
        if kind == "config/floor_registry/list":
            return [{"type": "result", "success": False, "error": {"code": "unknown_command", "message": "Unknown"}}]
        usual = {
            "get_states": self.states,
            "homeassistant/expose_entity/list": {
                "exposed_entities": {state["entity_id"]: {"conversation": True} for state in self.states}
            },
            "homeassistant/expose_new_entities/get": {"expose_new": True},
            "config/entity_registry/get_entries": {},
        }
        listed: list[Any] | None = [] if kind.endswith("/list") else None
        answers = [{"type": "result", "success": True, "result": self.answers.get(kind, usual.get(kind, listed))}]
        if kind == "subscribe_entities":
            added = {state["entity_id"]: {"s": state["state"], "a": state["attributes"]} for state in self.states}
            answers.append({"type": "event", "event": {"a": added}})
        return answers
