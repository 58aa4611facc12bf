"""The provider "hub": the box that thinks for this one, asked over its Command API.

Clauses of an answer are told as news while it is being written; what was said is never logged.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from appliance.bridge.hub_client import HubClient, Told
from appliance.bridge.hub_finding import find
from appliance.bridge.trouble import Lost
from appliance.errors import BadArgument, BadSettings
from appliance.ports import LINK, News
from appliance.ports.command_api import Earlier, NodeContext, ToolResult
from appliance.retries import Retries
from appliance.wording import said

log = logging.getLogger(__name__)

CLAUSE = "clause"
"""Kind of the news of a clause: {"key": of the question, "text": ..}."""
LOOK_S = 10.0
"""Between two looks whether the hub is there."""
FIRST_PAUSE_S = 1.0
"""Before the next look at one that is not; doubled each time, up to LOOK_S."""
PATIENCE_S = 4.0
"""For the answer to a look: a hub that hangs is found out before somebody asks it again."""
SECURE = ("https://",)

Find = Callable[[str], Awaitable[str]]


class Asked(BaseModel):
    """What every question tells."""

    conversation: str
    within_s: float = Field(gt=0, le=600)
    key: str = ""
    """Of the news of its clauses."""
    text: str = ""
    earlier: list[Earlier] = []
    tools: list[dict[str, Any]] = []
    results: list[ToolResult] = []


class Nothing(BaseModel):
    """Of what is only done."""


async def _start(hub: HubClient, asked: Asked, told: Told) -> BaseModel:
    return await hub.start_conversation(asked.conversation, asked.tools)


async def _command(hub: HubClient, asked: Asked, told: Told) -> BaseModel:
    return await hub.send_command(asked.conversation, asked.text, told, asked.earlier)


async def _results(hub: HubClient, asked: Asked, told: Told) -> BaseModel:
    return await hub.send_tool_results(asked.conversation, asked.results, told)


async def _answer(hub: HubClient, asked: Asked, told: Told) -> BaseModel:
    return await hub.send_validation_response(asked.conversation, asked.text, told)


async def _stop(hub: HubClient, asked: Asked, told: Told) -> BaseModel:
    await hub.stop(asked.conversation)
    return Nothing()


ASKS: Mapping[str, Callable[[HubClient, Asked, Told], Awaitable[BaseModel]]] = {
    "start": _start,
    "command": _command,
    "results": _results,
    "answer": _answer,
    "stop": _stop,
}


class HubProvider:
    """A `Provider`."""

    name = "hub"

    def __init__(
        self,
        where: str,
        token: Callable[[], str],
        context: NodeContext,
        language: str,
        fingerprint: str = "",
        find: Find = find,
    ) -> None:
        """where: a name that a hub announces, or its address.  token: raises BadSettings.  find: see hub_finding."""
        self._where, self._token, self._context = where, token, context
        self._language, self._fingerprint, self._find = language, fingerprint, find
        self._why = "starting"
        self._tell: News = lambda kind, value: None
        self._client: HubClient | None = None
        self._left: list[HubClient] = []
        """Those that nobody else is to use: they are closed once nothing is being answered."""
        self._look = asyncio.Event()
        self._asking = 0
        """Questions that are being answered."""
        self._failed = False
        """A question has, since the last look: the others that are being answered are no sign of life."""

    async def run(self, tell: News) -> None:
        self._tell, retries = tell, Retries(FIRST_PAUSE_S, LOOK_S)
        try:
            while True:
                began_s, pause_s = time.monotonic(), LOOK_S
                self._look.clear()
                if lost := await self._lost():
                    failed = retries.failed(lost.why, 0.0)
                    pause_s = failed.pause_s
                    if failed.is_news:
                        log.warning("hub %s: %s", self._where, lost)
                elif retries.count:
                    log.info("hub %s can be reached", self._where)
                    retries = Retries(FIRST_PAUSE_S, LOOK_S)
                self._is_now(lost.why if lost else "")
                await self._pause(pause_s, began_s)
        finally:
            await self._hang_up()

    def known(self) -> Iterable[tuple[str, Any]]:
        yield LINK, {"up": not self._why, "why": self._why}

    async def answer(self, what: str, arguments: dict[str, Any]) -> Any:
        """`start`, `command`, `results`, `answer`, `stop`, with the fields of `Asked`.

        {"result": as ports/command_api.py has it}, or {"why": a code of TROUBLE, "told": for the log}.
        Raises BadArgument.
        """
        try:
            ask, asked = ASKS[what], Asked.model_validate(arguments)
        except (KeyError, ValidationError):
            raise BadArgument(said("bridge_no_such", self._language)) from None

        def told(clause: str) -> None:
            self._tell(CLAUSE, {"key": asked.key, "text": clause})

        self._asking += 1
        try:
            async with asyncio.timeout(asked.within_s):
                result = await ask(await self._reached(), asked, told)
            return {"result": result.model_dump(mode="json")}
        except TimeoutError:
            lost = Lost("slow")
        except Lost as error:
            lost = error
        finally:
            self._asking -= 1
            await self._close_left()
        log.warning("hub %s, %s: %s", self._where, what, lost)
        self._failed = True
        self._look.set()  # whether it is there at all
        return {"why": lost.why, "told": str(lost)}

    async def _lost(self) -> Lost | None:
        """Why it cannot be asked, looked at just now; while it is at work for this box it is left alone."""
        if self._asking and not (self._why or self._failed):
            return None
        self._failed = False
        try:
            client = await self._reached()
            async with asyncio.timeout(PATIENCE_S):
                await client.look()
        except TimeoutError:
            lost: Lost | None = Lost("no_answer")
        except Lost as error:
            lost = error if error.why != "busy" else None
        else:
            return None
        if lost:
            await self._hang_up()  # by its name it may be found elsewhere
        return lost

    async def _reached(self) -> HubClient:
        """Raises Lost."""
        if self._client is None:
            url = self._where if "://" in self._where else await self._find(self._where)
            if self._fingerprint and not url.startswith(SECURE):
                raise Lost("other_hub", "it has no certificate at all")
            try:
                token = self._token()
            except BadSettings as error:
                raise Lost("no_token", error.what) from None
            if self._client is None:
                self._client = HubClient(url, token, self._context, self._fingerprint)
        return self._client

    async def _hang_up(self) -> None:
        """Whoever is being answered keeps the connection until then."""
        if self._client:
            self._left.append(self._client)
            self._client = None
        await self._close_left()

    async def _close_left(self) -> None:
        while self._left and not self._asking:
            await self._left.pop().__aexit__(None, None, None)

    async def _pause(self, pause_s: float, began_s: float) -> None:
        """Until the next look; a failed question brings it nearer."""
        try:
            async with asyncio.timeout(pause_s):
                await self._look.wait()
        except TimeoutError:
            return
        await asyncio.sleep(max(0.0, FIRST_PAUSE_S - (time.monotonic() - began_s)))

    def _is_now(self, why: str) -> None:
        if why != self._why:
            self._why = why
            for kind, value in self.known():
                self._tell(kind, value)
