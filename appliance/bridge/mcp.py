"""The provider "mcp": every configured MCP server at once, each tool under a name of its own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping
from typing import Any

from appliance.bridge.mcp_server import Server
from appliance.bridge.wire import MOST_BYTES, written
from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import LINK, News
from appliance.settings import McpServer
from appliance.wording import said

NAME, TOOLS, CALL = "mcp", "tools", "call"
"""The provider; its news of all tools; its question."""
MOST_NAME = 64
"""Characters of a tool's name with its server's in front, as model servers on the LAN allow."""
MOST_NEWS_BYTES = MOST_BYTES - 10_000
"""Of all tools: with what stands around them no more than goes over the bridge's socket at once."""
_STRANGE = re.compile(r"[^a-z0-9]+")


class McpProvider:
    """Implements Provider."""

    def __init__(self, servers: Mapping[str, McpServer], language: str, name: str = NAME) -> None:
        self.name, self._language = name, language
        self._servers = {name: Server(name, each, self._cannot) for name, each in servers.items()}

    async def run(self, tell: News) -> None:
        def told() -> None:
            for kind, value in self.known():
                tell(kind, value)

        async with asyncio.TaskGroup() as group:  # and not gather, which leaves the others when the first is cancelled
            for server in self._servers.values():
                group.create_task(server.run(told))

    def known(self) -> Iterable[tuple[str, Any]]:
        each = {name: {"up": not server.why, "why": server.why} for name, server in self._servers.items()}
        up = any(link["up"] for link in each.values())
        yield LINK, {"up": up, "why": "" if up else next(iter(each.values()))["why"], "servers": each}
        yield TOOLS, self._tools()

    async def answer(self, what: str, arguments: dict[str, Any]) -> Any:
        """`call` {"server", "tool", "arguments"}: see mcp_results.answer."""
        server = self._servers.get(str(arguments.get("server")))
        given = arguments.get("arguments", {})
        if what != CALL or server is None or not isinstance(given, dict):
            raise BadArgument(said("mcp_no_such", self._language))
        return await server.call(str(arguments.get("tool")), given)

    def _tools(self) -> list[dict[str, Any]]:
        """Those of all servers, also of one that is not connected now: what it can do is known still."""
        found, room = list[dict[str, Any]](), MOST_NEWS_BYTES
        for name, server in self._servers.items():
            for tool in server.tools:
                row: dict[str, Any] = {
                    "name": called(name, tool.name),
                    "server": name,
                    "tool": tool.name,
                    "digest": tool.digest,
                }
                row |= {"description": tool.description, "schema": tool.schema}
                room -= len(written(row))
                if room > 0:
                    found.append(row)
        return found

    def _cannot(self, sentence: str, server: str) -> CannotBeDone:
        return CannotBeDone(said(sentence, self._language).format(server=server.replace("_", " ")))


def called(server: str, tool: str) -> str:
    """What a model calls a tool: an identifier; the server's name, two underscores, and the tool's."""
    return f"{server}__{_STRANGE.sub('_', tool.casefold()).strip('_')}"[:MOST_NAME]
