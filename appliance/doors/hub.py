"""The hub's way to the running service: a local socket, JSON lines both ways (ports/hub.py), many requests at once."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Thread
from types import TracebackType
from typing import Any

from pydantic import BaseModel, ValidationError

from appliance.doors.hub_lines import Handler, line, refusal, request
from appliance.errors import first_fault, logged
from appliance.json_lines import TooLong
from appliance.ports.hub import ARGUMENTS, LINE_BYTES, Do, Request
from appliance.ports.refusals import Refused

log = logging.getLogger(__name__)

CONNECTIONS_MOST = 16
REQUESTS_MOST = 32
"""Of one connection, that are not done with."""
UNREAD_MOST = 4 * LINE_BYTES
"""Bytes that the hub has not taken yet: with more it is hung up on, and may come again."""
QUICK, SLOW = 4, 8
"""Threads for what answers at once, and for what waits: for a tool, a transcript, a voice."""
JOIN_S, END_S = 3.0, 1.0
"""For the thread to end, and for what it has at work."""


class HubDoor:
    """A context manager; serves on a thread of its own."""

    def __init__(self, listener: socket.socket, handlers: Mapping[Do, Handler]) -> None:
        """handlers: of what may be asked here. `watch` needs none, but is only told what `tell_all` is given."""
        self._listener, self._handlers = listener, handlers
        self._connections: set[_Connection] = set()
        self._pools = {slow: ThreadPoolExecutor(SLOW if slow else QUICK, "hub") for slow in (True, False)}
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._run, name="hub", daemon=True)

    def __enter__(self) -> HubDoor:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._call(self._loop.stop)
        self._thread.join(JOIN_S)
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        self._listener.close()

    def tell_all(self, event: BaseModel) -> None:
        """Whoever watches. For every thread."""
        self._call(self._tell_all, event)

    def _tell_all(self, event: BaseModel) -> None:
        for each in self._connections:
            for number in each.watches:
                each.tell(number, event)

    def _call(self, work: Callable[..., None], *values: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(work, *values)
        except RuntimeError:
            log.debug("the hub's door is closed already")

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        with logged(log, "the hub's door"):
            server = self._loop.run_until_complete(
                asyncio.start_unix_server(self._serve, sock=self._listener, limit=LINE_BYTES)
            )
            self._loop.run_forever()
            server.close()
            for each in [*self._connections]:
                each.hang_up()
            if tasks := asyncio.all_tasks(self._loop):
                self._loop.run_until_complete(asyncio.wait(tasks, timeout=END_S))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = _Connection(self._loop, writer)
        if len(self._connections) >= CONNECTIONS_MOST:
            log.warning("a connection of the hub was turned away: there are %d already", CONNECTIONS_MOST)
            connection.hang_up()
            return
        self._connections.add(connection)
        try:
            async for read in reader:
                self._take(connection, read)
        except (OSError, ValueError) as error:
            log.warning("the hub was hung up on (%s)", str(error).splitlines()[0])
        finally:
            self._connections.discard(connection)
            connection.hang_up()

    def _take(self, connection: _Connection, read: bytes) -> None:
        """Raises ValueError where it is nothing that the hub says."""
        asked = request(read)
        if asked.id in connection.at_work or asked.id in connection.watches:
            raise ValueError(f"request {asked.id} is not done with")
        if len(connection.at_work) + len(connection.watches) >= REQUESTS_MOST:
            busy = Refused("busy", "too many requests wait already; nothing was done", remedy="try again in a moment")
            connection.send(refusal(asked.id, busy))
        elif asked.do == "watch":
            connection.watches.add(asked.id)
        else:
            connection.at_work[asked.id] = self._loop.create_task(self._answer(connection, asked))

    async def _answer(self, connection: _Connection, asked: Request) -> None:
        (done,) = await asyncio.gather(self._done(connection, asked), return_exceptions=True)
        connection.at_work.pop(asked.id, None)
        try:
            answer = (
                refusal(asked.id, done)
                if isinstance(done, BaseException)
                else line(asked.id, {"is": done.model_dump(mode="json")})
            )
        except TooLong as error:
            answer = refusal(asked.id, Refused("failed", str(error), remedy="ask for less"))
        connection.send(answer)

    async def _done(self, connection: _Connection, asked: Request) -> BaseModel:
        """Raises whatever it comes to."""
        try:
            arguments = ARGUMENTS[asked.do].model_validate(asked.arguments)
        except ValidationError as error:
            raise Refused("bad_request", first_fault(error, "the arguments"), remedy="correct it") from None
        handler = self._handlers.get(asked.do)
        if handler is None:
            raise Refused("not_allowed", f"{asked.do} is not answered at this socket", remedy="ask at the hub's")

        def tell(event: BaseModel) -> None:
            self._call(connection.tell, asked.id, event)

        done = await self._loop.run_in_executor(
            self._pools[handler.slow], handler.do, arguments, tell, lambda: connection.gone
        )
        return await asyncio.wrap_future(done, loop=self._loop) if isinstance(done, Future) else done


class _Connection:
    """Of the loop's thread alone, but for `gone`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, writer: asyncio.StreamWriter) -> None:
        self._loop, self._writer = loop, writer
        self.gone = False
        self.watches: set[int] = set()
        self.at_work: dict[int, asyncio.Task[None]] = {}

    def tell(self, number: int, event: BaseModel) -> None:
        try:
            self.send(line(number, event.model_dump(mode="json")))
        except TooLong as error:
            log.error("the hub is not told of something: %s", error)

    def send(self, whole: bytes) -> None:
        """Never waits: a hub that does not read is hung up on."""
        transport = self._writer.transport
        if self.gone or transport.is_closing():
            return
        self._writer.write(whole)
        if transport.get_write_buffer_size() > UNREAD_MOST:
            log.warning("the hub was hung up on, for it does not read what it is told")
            self.hang_up()

    def hang_up(self) -> None:
        """What is at work for it goes stale."""
        self.gone = True
        for task in self.at_work.values():
            task.cancel()
        self._writer.transport.abort()
