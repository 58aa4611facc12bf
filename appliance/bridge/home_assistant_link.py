"""A connection to Home Assistant's websocket API: https://developers.home-assistant.io/docs/api/websocket/

hass-client does the same, and is not used: its heartbeat of 55 s is fixed, so that a hung server is noticed after 80;
it drops the code of an error; and whoever waits for an answer as the connection ends is cancelled.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection, connect

from appliance.bridge.trouble import Lost

log = logging.getLogger(__name__)

MOST_BYTES = 8 << 20
"""Of one message: the states of 10,000 things, at some 600 bytes each."""
OPEN_S = 5.0
"""For a connection, until the token is taken."""
ANSWER_S = 10.0
"""For what is read of the house: a Raspberry Pi lists 2,000 entities within a second."""
PING_S = 5.0
SILENT_S = 10.0
"""Without an answer to a ping the server hangs. Its loop may well block for some seconds while it starts."""
STARTING = {502, 503, 504}
"""What a proxy answers while the server behind it is down."""
Heard = Callable[[dict[str, Any]], None]


class Refused(Exception):
    """A command that Home Assistant does not carry out, and why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message = code, message


@asynccontextmanager
async def connected(url: str, token: str) -> AsyncIterator[HomeAssistantLink]:
    """Raises Lost."""
    link = HomeAssistantLink(await _opened(url, token))
    try:
        yield link
    finally:
        await link.close()


async def _opened(url: str, token: str) -> ClientConnection:
    """Raises Lost."""
    address = f"ws{url.removeprefix('http').rstrip('/')}/api/websocket"
    try:
        async with asyncio.timeout(OPEN_S):
            socket = await connect(
                address, compression=None, max_size=MOST_BYTES, max_queue=4, open_timeout=None, proxy=None,
                ping_interval=PING_S, ping_timeout=SILENT_S, close_timeout=1,
            )  # fmt: skip
            try:
                await _greet(socket, token)
            except BaseException:
                socket.transport.abort()
                raise
    except (Lost, OSError, EOFError, ValueError, websockets.WebSocketException) as error:
        raise _lost(error) from error
    return socket


async def _greet(socket: ClientConnection, token: str) -> None:
    """Raises Lost, and what a connection raises."""
    asked = _read(await socket.recv())
    await socket.send(json.dumps({"type": "auth", "access_token": token}))
    told = _read(await socket.recv())
    if told.get("type") == "auth_invalid":
        raise Lost("refused", str(told.get("message", "")))
    if (asked.get("type"), told.get("type")) != ("auth_required", "auth_ok"):
        raise Lost("nonsense", "it does not greet as Home Assistant does")


class HomeAssistantLink:
    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._heard: dict[int, Heard] = {}
        self._listening = asyncio.create_task(self._listen())

    @property
    def ended(self) -> bool:
        return self._listening.done()

    async def close(self) -> None:
        await self._socket.close()
        await asyncio.wait({self._listening})

    async def ask(self, command: str, **fields: Any) -> Any:
        """What it answers, however long that takes. Raises Refused, Lost."""
        return await self._ask(next(self._numbers), command, None, fields)

    async def read(self, command: str, **fields: Any) -> Any:
        """What it answers within ANSWER_S. Raises Refused, Lost."""
        return await self._ask(next(self._numbers), command, ANSWER_S, fields)

    async def subscribe(self, command: str, heard: Heard, **fields: Any) -> int:
        """`heard` gets each event. Gives a number to `unsubscribe` by. Raises Refused, Lost."""
        number = next(self._numbers)
        self._heard[number] = heard  # before it is asked for: the first event may come with the answer
        await self._ask(number, command, ANSWER_S, fields)
        return number

    async def unsubscribe(self, number: int) -> None:
        """Raises Refused, Lost."""
        self._heard.pop(number, None)
        await self.read("unsubscribe_events", subscription=number)

    async def wait(self, for_what: asyncio.Event, at_most_s: float) -> None:
        """Raises Lost once the connection ends."""
        waiter = asyncio.create_task(for_what.wait())
        try:
            await asyncio.wait({waiter, self._listening}, timeout=at_most_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiter.cancel()
        if self.ended:
            raise self._listening.result()

    async def _ask(self, number: int, command: str, within_s: float | None, fields: dict[str, Any]) -> Any:
        if self.ended:
            raise self._listening.result()
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(within_s):
                await self._socket.send(json.dumps({"id": number, "type": command, **fields}))
                return await future
        except (TimeoutError, websockets.ConnectionClosed) as error:
            raise _lost(error) from error
        finally:
            self._waiting.pop(number, None)

    async def _listen(self) -> Lost:
        """Why it ended."""
        try:
            async for text in self._socket:
                self._take(_read(text))
            how = Lost("no_server", "it closed the connection")
        except (OSError, ValueError, websockets.WebSocketException) as error:
            how = _lost(error)
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(how)
        await self._socket.close()
        return how

    def _take(self, told: dict[str, Any]) -> None:
        """Raises ValueError where it is nothing that Home Assistant says."""
        number, kind = told.get("id"), told.get("type")
        if not isinstance(number, int) or not isinstance(kind, str):
            raise ValueError("a message without id or type")
        if kind == "event" and number in self._heard:
            self._heard[number](_mapping(told.get("event")))
        elif kind == "result" and (future := self._waiting.get(number)) and not future.done():
            if told.get("success"):
                future.set_result(told.get("result"))
            else:
                error = _mapping(told.get("error"))
                future.set_exception(Refused(str(error.get("code")), str(error.get("message"))))


def _read(text: str | bytes) -> dict[str, Any]:
    """Raises ValueError."""
    try:
        return _mapping(json.loads(text))
    except RecursionError:
        raise ValueError("a message is nested too deeply") from None


def _mapping(value: Any) -> dict[str, Any]:
    """Raises ValueError."""
    if not isinstance(value, dict):
        raise ValueError("a message is no object")
    return value


def _lost(error: Exception) -> Lost:
    """What a failed connection is called."""
    detail = str(error) or type(error).__name__
    match error:
        case Lost():
            return error
        case TimeoutError():
            return Lost("no_answer")
        case websockets.InvalidStatus() if error.response.status_code in STARTING:
            return Lost("no_server", detail)
        case websockets.InvalidMessage() if isinstance(error.__cause__, EOFError | OSError):
            return Lost("no_server", detail)
        case websockets.ConnectionClosed():
            return Lost(_closed(error), detail)
        case OSError() | EOFError():
            return Lost("no_server", detail)
    return Lost("nonsense", detail)


def _closed(error: websockets.ConnectionClosed) -> str:
    """Codes of RFC 6455: what this end closed the connection for, if it did."""
    if error.sent and not error.rcvd_then_sent:
        return "no_answer" if error.sent.code == 1011 else "nonsense" if error.sent.code > 1001 else "no_server"
    return "no_server"
