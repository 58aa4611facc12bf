"""Discord on loopback, as far as discord.py asks it: REST below /api/v10, the gateway at /gateway."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

from aiohttp import WSMsgType, web

BOT = {"id": "900", "username": "box", "discriminator": "0", "avatar": None, "global_name": None, "bot": True}
TOKEN = "bot-token"
DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, HELLO, ACK = 0, 1, 2, 6, 7, 10, 11
PATIENCE_S = 60.0


class FakeDiscord:
    """A context manager, on a thread of its own."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, dict[str, Any]]] = []
        """Channel and body of each message that the bot sent."""
        self.typed: list[int] = []
        self.began: list[int] = []
        """Each IDENTIFY or RESUME."""
        self.limited = 0
        """Messages that are answered with 429 first."""
        self._socket: web.WebSocketResponse | None = None
        self._events: list[dict[str, Any]] = []
        self._changed, self._ready = Event(), Event()
        self._thread = Thread(target=lambda: asyncio.run(self._serve()), name="discord", daemon=True)

    def __enter__(self) -> FakeDiscord:
        self._thread.start()
        assert self._ready.wait(PATIENCE_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(PATIENCE_S)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/v10"

    @property
    def gateway(self) -> str:
        return f"ws://127.0.0.1:{self.port}/gateway"

    def say(self, user: int, text: str, guild: int | None = None, **more: Any) -> None:
        """Somebody writes a message: to the box alone, or in the server."""
        author = {"id": str(user), "username": f"user{user}", "discriminator": "0", "avatar": None} | more.pop(
            "author", {}
        )
        number = 5_000 + len(self._events)
        message: dict[str, Any] = {
            "id": str(number), "channel_id": str(700 if guild else user + 1_000), "author": author, "content": text,
            "timestamp": "2026-11-28T12:00:00+00:00", "edited_timestamp": None, "tts": False, "mention_everyone": False,
            "mentions": [BOT] if "<@900>" in text else [], "mention_roles": [], "attachments": [], "embeds": [],
            "pinned": False, "type": 0,
        } | more  # fmt: skip
        if guild:
            message |= {"guild_id": str(guild), "member": {"roles": [], "joined_at": "2026-01-01T00:00:00+00:00"}}
        self._call(self._dispatch, "MESSAGE_CREATE", message)

    def ask_to_reconnect(self) -> None:
        self._call(self._send, {"op": RECONNECT, "d": None})

    def look(self) -> None:
        """Whoever waits looks again."""
        self._changed.set()

    def wait(self, true: Any) -> None:
        while not true():
            assert self._changed.wait(PATIENCE_S)
            self._changed.clear()

    def _call(self, work: Any, *values: Any) -> None:
        asyncio.run_coroutine_threadsafe(work(*values), self._loop).result(PATIENCE_S)

    async def _dispatch(self, kind: str, data: dict[str, Any]) -> None:
        self._events.append({"op": DISPATCH, "t": kind, "s": len(self._events) + 1, "d": data})
        await self._send(self._events[-1])

    async def _send(self, told: dict[str, Any]) -> None:
        if self._socket is not None and not self._socket.closed:
            await self._socket.send_str(json.dumps(told))

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        app = web.Application()
        app.add_routes([
            web.get("/gateway", self._gateway),
            web.get("/api/v10/users/@me", self._me),
            web.get("/api/v10/oauth2/applications/@me", self._application),
            web.post("/api/v10/channels/{channel}/typing", self._typing),
            web.post("/api/v10/channels/{channel}/messages", self._message),
        ])  # fmt: skip
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = runner.addresses[0][1]
        self._ready.set()
        await self._over.wait()
        if self._socket is not None:
            await self._socket.close()
        await runner.cleanup()

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": 40_000}})
        async for each in socket:
            if each.type is not WSMsgType.TEXT:
                break
            told = json.loads(each.data)
            if told["op"] == HEARTBEAT:
                await socket.send_json({"op": ACK})
            elif told["op"] in (IDENTIFY, RESUME):
                await self._begin(socket, told)
        return socket

    async def _begin(self, socket: web.WebSocketResponse, told: dict[str, Any]) -> None:
        self._socket = socket
        if told["op"] == IDENTIFY:
            ready = {"v": 10, "user": BOT, "guilds": [{"id": "800", "unavailable": True}], "session_id": "s",
                     "resume_gateway_url": self.gateway, "application": {"id": "900", "flags": 0}}  # fmt: skip
            await self._dispatch("READY", ready)
            await self._dispatch("GUILD_CREATE", _guild())
        else:
            for event in self._events[told["d"]["seq"] :]:
                await self._send(event)
            await self._dispatch("RESUMED", {})
        self.began.append(told["op"])
        self._changed.set()

    async def _me(self, request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != f"Bot {TOKEN}":
            return _json({"message": "401: Unauthorized", "code": 0}, status=401)
        return _json(BOT)

    async def _application(self, request: web.Request) -> web.Response:
        return _json({"id": "900", "name": "box", "description": "", "flags": 0, "verify_key": "",
                                  "icon": None, "bot_public": False, "bot_require_code_grant": False,
                                  "owner": {**BOT, "bot": False}, "rpc_origins": None})  # fmt: skip

    async def _typing(self, request: web.Request) -> web.Response:
        self.typed.append(int(request.match_info["channel"]))
        return web.Response(status=204)

    async def _message(self, request: web.Request) -> web.Response:
        if self.limited:
            self.limited -= 1
            return _json({"message": "slow down", "retry_after": 0.2, "global": False}, status=429)
        channel, body = int(request.match_info["channel"]), await request.json()
        self.sent.append((channel, body))
        self._changed.set()
        return _json({
            "id": str(9_000 + len(self.sent)), "channel_id": str(channel), "author": BOT, "content": body["content"],
            "timestamp": "2026-11-28T12:00:00+00:00", "edited_timestamp": None, "tts": False, "mention_everyone": False,
            "mentions": [], "mention_roles": [], "attachments": [], "embeds": [], "pinned": False, "type": 0,
        })  # fmt: skip


def _json(value: dict[str, Any], status: int = 200) -> web.Response:
    """As Discord sends it: discord.py reads no other type as JSON, and takes a 429 without `Via` for a ban."""
    body = json.dumps(value).encode()
    return web.Response(body=body, status=status, content_type="application/json", headers={"Via": "1.1 google"})


def _guild() -> dict[str, Any]:
    channel = {"id": "700", "type": 0, "name": "hall", "position": 0, "permission_overwrites": [], "nsfw": False,
               "parent_id": None, "topic": None, "guild_id": "800"}  # fmt: skip
    return {
        "id": "800", "name": "home", "owner_id": "1", "channels": [channel], "members": [], "roles": [], "emojis": [],
        "stickers": [], "features": [], "threads": [], "presences": [], "voice_states": [], "member_count": 2,
        "large": False, "unavailable": False, "verification_level": 0, "default_message_notifications": 0,
        "explicit_content_filter": 0, "mfa_level": 0, "premium_tier": 0, "nsfw_level": 0, "preferred_locale": "en-US",
        "afk_timeout": 0, "system_channel_flags": 0, "stage_instances": [], "guild_scheduled_events": [],
    }  # fmt: skip


@contextmanager
def pointed(there: FakeDiscord) -> Iterator[None]:
    """discord.py asks this one in the place of Discord."""
    import pytest
    import yarl
    from discord.gateway import DiscordWebSocket
    from discord.http import Route

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Route, "BASE", there.url)
        patch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(there.gateway))
        yield
