"""The bridge itself: keeps its providers running, and answers whoever is connected to its socket."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from appliance.bridge import wire
from appliance.bridge.provider import Provider
from appliance.errors import CannotBeDone, ToolError, WrongUse, explained
from appliance.ports import LINK
from appliance.retries import Retries
from appliance.wording import said

log = logging.getLogger(__name__)

MOST_CLIENTS = 16
"""The appliance is one, and each `appliance ask` beside it."""
MOST_QUESTIONS = 32
"""Of one client, that are being answered."""
MOST_WAITING = 4 * wire.MOST_BYTES
"""Bytes that a client has not taken yet: with more it is dropped, and may come again."""
FIRST_PAUSE_S = 1.0
"""Before a provider that broke is started again; doubled each time."""
BROKEN = "broken"
"""Why a provider that broke cannot be reached."""
NOT_SET = "not_set"
"""Why one that is not in the settings cannot be."""


def listener(path: Path) -> socket.socket:
    """For where no service manager brings one. Raises WrongUse where another bridge listens, or nobody may."""
    made = socket.socket(socket.AF_UNIX)
    try:
        with socket.socket(socket.AF_UNIX) as caller:
            if caller.connect_ex(str(path)) == 0:
                raise WrongUse(f"a bridge listens at {path} already", remedy="end it, or name another bridge.socket")
        path.unlink(missing_ok=True)
        made.bind(str(path))
        path.chmod(0o600)
        made.listen()
    except OSError as error:
        made.close()
        raise WrongUse(f"nobody can listen at {path} ({error.strerror})", remedy="correct bridge.socket") from None
    return made


class Client:
    """One connection."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.follows: set[str] = set()
        self.answering: set[asyncio.Task[None]] = set()

    def send(self, line: bytes) -> None:
        """Never waits: who does not read is dropped."""
        transport = self._writer.transport
        if transport.is_closing():
            return
        self._writer.write(line)
        if transport.get_write_buffer_size() > MOST_WAITING:
            log.warning("a client was dropped, for it does not read what it is told")
            transport.abort()

    def drop(self) -> None:
        for each in self.answering:
            each.cancel()
        self._writer.transport.abort()


class Server:
    def __init__(self, providers: Sequence[Provider], language: str) -> None:
        self._providers = {provider.name: provider for provider in providers}
        self._language = language
        self._clients: set[Client] = set()
        self._broken: set[str] = set()
        self._too_long: set[str] = set()

    async def run(self, listener: socket.socket) -> None:
        """Until cancelled."""
        keepers = [asyncio.create_task(self._keep(provider)) for provider in self._providers.values()]
        server = await asyncio.start_unix_server(self._serve, sock=listener, limit=wire.MOST_BYTES)
        try:
            # not serve_forever(): from Python 3.12 on that ends when the last client hangs up, cancelled or not
            await asyncio.gather(*keepers, asyncio.get_running_loop().create_future())
        finally:
            server.close()
            for keeper in keepers:
                if not keeper.cancelling():  # a second time would end its clearing up
                    keeper.cancel()
            await asyncio.gather(*keepers, return_exceptions=True)
            for client in [*self._clients]:
                client.drop()

    async def _keep(self, provider: Provider) -> None:
        """Start it, again and again."""
        name, retries = provider.name, Retries(FIRST_PAUSE_S)
        while True:
            began_s = time.monotonic()
            self._broken.discard(name)
            (how,) = await asyncio.gather(provider.run(partial(self._tell, name)), return_exceptions=True)
            self._broken.add(name)
            self._tell(name, LINK, _down(BROKEN))
            failed = retries.failed(type(how).__name__, time.monotonic() - began_s)
            if failed.is_news:
                log.error("%s broke, and is started again; please report it", name, exc_info=how)
            await asyncio.sleep(failed.pause_s)

    def _tell(self, name: str, kind: str, value: Any) -> None:
        """A `News`."""
        following = [client for client in self._clients if name in client.follows]
        if following and (line := self._news(name, kind, value)):
            for client in following:
                client.send(line)

    def _news(self, name: str, kind: str, value: Any) -> bytes:
        """Empty where it is too long."""
        try:
            return wire.line({"of": name, "kind": kind, "is": value})
        except ValueError as error:
            if name not in self._too_long:
                log.error("%s has too much to tell of %s at once: %s", name, kind, error)
            self._too_long.add(name)
            return b""

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = Client(writer)
        if len(self._clients) >= MOST_CLIENTS:
            log.warning("a client was turned away: there are %d already", MOST_CLIENTS)
            client.drop()
            return
        self._clients.add(client)
        try:
            async for line in reader:
                self._take(client, line)
        except (OSError, ValueError) as error:  # pydantic's are of the latter, too
            log.warning("a client was dropped (%s)", str(error).splitlines()[0])
        finally:
            self._clients.discard(client)
            client.drop()

    def _take(self, client: Client, line: bytes) -> None:
        """Raises ValueError where it is nothing that a client says."""
        told = wire.value(line)
        if "follow" in told:
            self._follow(client, str(told["follow"]))
            return
        question = wire.Question.model_validate(told)
        if len(client.answering) >= MOST_QUESTIONS:
            client.send(wire.refusal(question.id, self._cannot("bridge_busy")))
            return
        task = asyncio.create_task(self._answer(client, question))
        client.answering.add(task)
        task.add_done_callback(client.answering.discard)

    def _follow(self, client: Client, name: str) -> None:
        provider = self._providers.get(name)
        if provider is None or name in self._broken:
            known: Any = [(LINK, _down(BROKEN if provider else NOT_SET))]
        else:
            known = provider.known()
        client.follows.add(name)
        for kind, value in known:
            client.send(self._news(name, kind, value))

    async def _answer(self, client: Client, question: wire.Question) -> None:
        try:
            async with asyncio.timeout(question.within):
                answer = await self._asked(question)
            line = wire.line({"id": question.id, "is": answer})
        except TimeoutError:
            line = wire.refusal(question.id, self._cannot("bridge_slow"))
        except ToolError as error:
            line = wire.refusal(question.id, error)
        except ValueError:
            line = wire.refusal(question.id, self._cannot("bridge_too_long"))
        client.send(line)

    async def _asked(self, question: wire.Question) -> Any:
        """Raises ToolError."""
        provider = self._providers.get(question.to)
        if provider is None or question.to in self._broken:
            raise self._cannot("bridge_no_such")
        with explained(lambda error: self._cannot("bridge_broke"), log):
            return await provider.answer(question.do, question.arguments)

    def _cannot(self, sentence: str) -> CannotBeDone:
        return CannotBeDone(said(sentence, self._language))


def _down(why: str) -> dict[str, Any]:
    return {"up": False, "why": why}
