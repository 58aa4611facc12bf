"""One MCP server: connected again and again, asked for its tools, and told what they are to do."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any

from mcp import Client, MCPError
from mcp.client._transport import TransportStreams
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp_types import REQUEST_TIMEOUT, ToolListChangedNotification

from appliance.bridge.mcp_child import child
from appliance.bridge.mcp_results import MOST_TOOLS, Listed, answer, listed
from appliance.bridge.mcp_web import web
from appliance.bridge.secret_lines import secret_lines
from appliance.bridge.trouble import Lost
from appliance.errors import CannotBeDone
from appliance.retries import Retries
from appliance.settings import McpServer

log = logging.getLogger(__name__)

ANSWER_S = 15.0
"""For an answer that is no call: node takes 2 s to start on a desktop, and some 8 on a Raspberry Pi 4."""
LOOK_S = 60.0
"""Between two looks at the tools: a server need not tell when they change, nor that it hangs."""
SETTLE_S = 2.0
"""Between two lists, however often a server tells that they change."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 300.0
"""Before it is connected again; doubled each time until a connection has lasted a minute."""
MOST_PAGES = 10

Told = Callable[[], None]


class Server:
    def __init__(self, name: str, settings: McpServer, cannot: Callable[[str, str], CannotBeDone]) -> None:
        """cannot: the error of a sentence's name (wording/) and of a server's."""
        self.name, self._settings, self._cannot = name, settings, cannot
        self.why = "starting"
        """Why it is not connected, a code of TROUBLE; empty while it is."""
        self.tools: tuple[Listed, ...] = ()
        self._client: Client | None = None
        self._look = asyncio.Event()

    async def run(self, told: Told) -> None:
        """Until cancelled. told: called whenever `why` or `tools` changed."""
        retries = Retries(FIRST_PAUSE_S, LONGEST_PAUSE_S)
        while True:
            began_s = time.monotonic()
            # In a task of its own: the SDK's cancel scopes end with it, whatever broke.
            (how,) = await asyncio.gather(self._connected(told), return_exceptions=True)
            lost = _lost(how)
            failed = retries.failed(lost.why, time.monotonic() - began_s)
            if failed.is_news:
                log.warning("mcp server %s: %s", self.name, lost)
            self._client, self.why = None, lost.why
            told()
            await asyncio.sleep(failed.pause_s)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """See mcp_results.answer. Raises CannotBeDone."""
        if self._client is None:
            raise self._cannot("mcp_gone", self.name)
        try:
            async with asyncio.timeout(self._settings.timeout_s):
                return answer(await self._client.call_tool(tool, dict(arguments)))
        except TimeoutError:
            self._look.set()  # it may hang
            raise self._cannot("mcp_slow", self.name) from None
        except (MCPError, RuntimeError, ValueError) as error:  # it died, refused, or answers what it did not promise
            log.warning("mcp server %s: %s: %s", self.name, tool, type(error).__name__)
            raise self._cannot("mcp_broke", self.name) from None

    async def _connected(self, told: Told) -> None:
        """Raises whatever ends the connection."""
        made = Client(self._transport(), read_timeout_seconds=ANSWER_S, message_handler=self._heard)
        async with made as client, asyncio.TaskGroup() as beside:
            beside.create_task(self._listen(client))
            while True:
                self._look.clear()
                tools = await _tools(client)
                changed = tools != self.tools or self._client is None
                self._client, self.tools, self.why = client, tools, ""
                if changed:
                    log.info("mcp server %s: %d tools", self.name, len(tools))
                    told()
                await asyncio.sleep(SETTLE_S)
                await _within(self._look.wait(), LOOK_S)

    def _transport(self) -> AbstractAsyncContextManager[TransportStreams]:
        chosen = self._settings
        if chosen.command:
            return child(chosen.command, secret_lines(chosen.env_file, "="), chosen.memory_mb)
        return web(chosen.url, secret_lines(chosen.headers_file, ":"))

    async def _listen(self, client: Client) -> None:
        """As the protocols from 2026 on tell of changes. A server that does not is looked at all the same."""
        with suppress(ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError):
            async with client.listen(tools_list_changed=True) as changes:
                async for _ in changes:
                    self._look.set()

    async def _heard(self, message: object) -> None:
        if isinstance(message, ToolListChangedNotification):
            self._look.set()


async def _within(wanted: Any, seconds: float) -> None:
    """Until `wanted` is there or the time is over."""
    with suppress(TimeoutError):
        await asyncio.wait_for(wanted, seconds)


async def _tools(client: Client) -> tuple[Listed, ...]:
    """Raises MCPError, ValueError."""
    found, cursor = list[Listed](), None
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor, cache_mode="bypass")
        found += map(listed, page.tools[: MOST_TOOLS - len(found)])
        cursor = page.next_cursor
        if not cursor or len(found) >= MOST_TOOLS:
            break
    return tuple(found)


def _lost(how: BaseException | None) -> Lost:
    """The reason why a connection ended, out of what the SDK and what it runs on made of it."""
    while isinstance(how, BaseExceptionGroup):
        how = next((each for each in how.exceptions if _is_lost(each)), how.exceptions[0])
    if isinstance(how, Lost):
        return how
    if isinstance(how, MCPError):
        return Lost("no_answer" if how.code == REQUEST_TIMEOUT else "nonsense", str(how))
    return Lost("no_answer" if isinstance(how, TimeoutError) else "nonsense", repr(how))


def _is_lost(error: BaseException) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return any(map(_is_lost, error.exceptions))
    return isinstance(error, Lost)
