"""The provider "boxes": the other boxes of the house. Who is there, their wakes, what they are to say, and calls."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

from pydantic import ValidationError

from appliance.bridge.boxes_call import LOST
from appliance.bridge.boxes_lines import Lines
from appliance.bridge.boxes_near import HELLO_S, Near
from appliance.bridge.boxes_post import Asked, Post, Rung, ask, ring
from appliance.bridge.boxes_questions import ANSWERS, Announced, Answered, Called, InCall, Woken
from appliance.bridge.boxes_seal import LEAST_KEY, Seal
from appliance.bridge.trouble import Lost
from appliance.errors import BadArgument, BadSettings
from appliance.ports import LINK, News
from appliance.retries import Retries
from appliance.settings_boxes import Boxes
from appliance.wording import said

log = logging.getLogger(__name__)

ASKED_S = 2.0
"""For the core to say what came of it."""
AGAIN_S = 0.03
"""After a wake the same once more: Wi-Fi loses single datagrams."""
RETRY_S = 15.0
"""Between two attempts to listen."""


class BoxesProvider:
    """A `Provider`. Its news: "present" (names), "wake" (a Wake), "announce" (id, box, text, anyway), "call" (id, box,
    call) and "in_call" (call, kind, pcm, why: see InCall)."""

    name = "boxes"

    def __init__(self, chosen: Boxes, key: Callable[[], str], language: str) -> None:
        """key: of the house. Raises BadSettings."""
        self._chosen, self._key, self._language = chosen, key, language
        self._at = {name: _place(where, chosen.port) for name, where in chosen.others.items()}
        self._addresses: dict[str, tuple[str, int]] = {}
        self._seal, self._near = Seal(""), Near(chosen.own, (), Seal(""), time.monotonic)
        self._transport: asyncio.DatagramTransport | None = None
        self._present: list[str] = []
        self._why = "starting"
        self._tell: News = _nobody
        self._numbers, self._open = count(1), dict[int, asyncio.Future[str]]()
        self._lines = Lines(lambda told: self._tell("in_call", told))

    async def run(self, tell: News) -> None:
        self._tell, retries = tell, Retries(RETRY_S, RETRY_S)
        while True:
            try:
                await self._listen()
            except (Lost, OSError) as error:
                lost = error if isinstance(error, Lost) else Lost("no_port", str(error))
            if retries.failed(lost.why, 0).is_news:
                log.warning("other boxes: %s", lost)
            self._is_now(lost.why)
            await asyncio.sleep(RETRY_S)

    def known(self) -> Iterable[tuple[str, Any]]:
        yield LINK, {"up": not self._why, "why": self._why}
        yield "present", self._present

    async def answer(self, what: str, arguments: dict[str, Any]) -> Any:
        """See boxes_questions.py. Raises BadArgument."""
        try:
            match what:
                case "wake":
                    return self._wake(Woken.model_validate(arguments))
                case "announce":
                    return await self._announce(Announced.model_validate(arguments))
                case "call":
                    return await self._call(Called.model_validate(arguments))
                case "in_call":
                    return self._lines.say(InCall.model_validate(arguments))
                case "answered":
                    return self._answered(Answered.model_validate(arguments))
        except ValidationError as error:
            log.debug("%s: %s", what, error)
        raise BadArgument(said("bridge_no_such", self._language))

    async def _listen(self) -> None:
        """Until cancelled. Raises Lost, OSError."""
        chosen = self._chosen
        self._seal = Seal(_house_key(self._key))
        self._near = Near(chosen.own, chosen.others, self._seal, time.monotonic)
        self._is_now("")  # before: a check ends here, and does not take the port of the bridge that runs
        loop, here = asyncio.get_running_loop(), (chosen.address, chosen.port)
        server = await asyncio.start_server(Post(self._seal, self._asked, self._lines.hold).serve, *here, limit=1 << 13)
        try:
            self._transport, _ = await loop.create_datagram_endpoint(lambda: _Datagrams(self._heard), here)
            await asyncio.gather(*map(self._find, self._at))
            while True:
                await self._greet()
        finally:
            server.close()
            self._lines.close()
            if self._transport:
                self._transport.close()

    async def _greet(self) -> None:
        """Look whether each is there, and where; say so where that changed."""
        self._send(self._near.hellos())
        finding = [self._find(name) for name in self._at if name not in self._present]
        await asyncio.gather(asyncio.sleep(HELLO_S), *finding)
        self._look()

    def _look(self) -> None:
        if (present := self._near.present) != self._present:
            log.info("other boxes that are there: %s", ", ".join(present) or "none")
            self._present = present
            self._tell("present", present)

    async def _find(self, name: str) -> None:
        """Its address, as the network knows it now."""
        try:
            async with asyncio.timeout(HELLO_S):
                found = await asyncio.get_running_loop().getaddrinfo(
                    *self._at[name], family=socket.AF_INET, type=socket.SOCK_DGRAM
                )
            self._addresses[name] = (str(found[0][4][0]), int(found[0][4][1]))
        except (OSError, TimeoutError) as error:
            log.debug("%s is not found: %s", name, error)

    def _heard(self, packet: bytes) -> None:
        answers, wake = self._near.take(packet)
        self._send(answers)
        if wake:
            self._tell("wake", wake)
        elif not answers:
            self._look()  # it may have been the answer of one that was gone

    def _send(self, packets: Iterable[tuple[str, bytes]]) -> None:
        for name, packet in packets:
            if self._transport and not self._transport.is_closing() and name in self._addresses:
                self._transport.sendto(packet, self._addresses[name])

    def _wake(self, woken: Woken) -> bool:
        packets = self._near.wake(woken.word, woken.score, woken.level_db, woken.took)
        self._send(packets)
        asyncio.get_running_loop().call_later(AGAIN_S, self._send, packets)
        return True

    async def _announce(self, announced: Announced) -> dict[str, str]:
        names = [name for name in announced.to or self._at if name in self._at]
        asks = (self._ask(name, announced) for name in names)
        return dict(zip(names, await asyncio.gather(*asks), strict=True))

    async def _ask(self, name: str, announced: Announced) -> str:
        if self._why:
            return "gone"
        asked = Asked(of=self._chosen.own, to=name, text=announced.text, anyway=announced.anyway)
        answer = await ask(*self._at[name], asked, self._seal)
        return answer if answer in ANSWERS else "unknown"

    async def _asked(self, asked: Asked | Rung) -> str:
        """Another box wants something said here, or calls."""
        if asked.to != self._chosen.own or asked.of not in self._at:
            return "stranger"
        number = next(self._numbers)
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._open[number] = future
        told = {"id": number, "box": asked.of} | asked.model_dump(exclude={"of", "to"})
        self._tell("call" if isinstance(asked, Rung) else "announce", told)
        try:
            async with asyncio.timeout(ASKED_S):
                return await future
        except TimeoutError:
            if isinstance(asked, Rung):
                self._lines.told(asked.call, "ended", LOST)
            return "unknown"
        finally:
            del self._open[number]

    async def _call(self, called: Called) -> str:
        if self._why or called.to not in self._at:
            return "gone"
        rung = Rung(of=self._chosen.own, to=called.to, call=called.call)
        answer, line = await ring(*self._at[called.to], rung, self._seal)
        if line:
            self._lines.begin(line)
        return answer if answer in ANSWERS else "unknown"

    def _answered(self, answered: Answered) -> bool:
        future = self._open.get(answered.id)
        if future and not future.done():
            future.set_result(answered.answer)
        return True

    def _is_now(self, why: str) -> None:
        if why:
            self._present = []
        if why != self._why:
            self._why = why
            for kind, value in self.known():
                self._tell(kind, value)


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, heard: Callable[[bytes], None]) -> None:
        self._heard = heard

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self._heard(data)

    def error_received(self, exc: Exception) -> None:
        log.debug("a datagram was not taken: %s", exc)


def _place(where: str, port: int) -> tuple[str, int]:
    host, _, own = where.partition(":")
    return host, int(own or port)


def _house_key(key: Callable[[], str]) -> str:
    """Raises Lost."""
    try:
        read = key()
    except BadSettings as error:
        raise Lost("no_key", error.what) from None
    if len(read) < LEAST_KEY:
        raise Lost("no_key", f"it has fewer than {LEAST_KEY} characters")
    return read


def _nobody(kind: str, value: Any) -> None:
    """A `News` before there is any."""
