"""The provider of MCP servers in an event loop of its own thread, asked as the bridge's socket would ask it."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from appliance.bridge.mcp import McpProvider
from appliance.ports import News
from appliance.settings import McpServer

HERE = Path(__file__).parent


def faulty(how: str, **more: Any) -> McpServer:
    return McpServer(command=[sys.executable, "-S", str(HERE / "faulty_server.py"), how], **more)


class RunningMcp:
    """Implements ports.Bridge."""

    def __init__(self, provider: McpProvider, loop: asyncio.AbstractEventLoop) -> None:
        self._provider, self._loop = provider, loop
        self.news: dict[str, Any] = {}
        self._followers: list[News] = []

    def tell(self, kind: str, value: Any) -> None:
        self.news[kind] = value
        for each in self._followers:
            each(kind, value)

    def ask(self, provider: str, what: str, timeout_s: float = 5.0, **arguments: Any) -> Any:
        assert provider == "mcp"
        answer = self._provider.answer(what, arguments)
        return asyncio.run_coroutine_threadsafe(answer, self._loop).result(timeout_s)

    def follow(self, provider: str, heard: News) -> None:
        assert provider == "mcp"
        for kind, value in self._provider.known():
            heard(kind, value)
        self._followers.append(heard)

    def call(self, server: str, tool: str, **arguments: Any) -> Any:
        return self.ask("mcp", "call", 20.0, server=server, tool=tool, arguments=arguments)

    def link(self, server: str) -> dict[str, Any]:
        return dict(self.news["link"]["servers"][server])

    def tools(self, server: str) -> dict[str, dict[str, Any]]:
        return {row["tool"]: row for row in self.news.get("tools", ()) if row["server"] == server}


@contextmanager
def running(servers: Mapping[str, McpServer]) -> Iterator[RunningMcp]:
    provider, loop = McpProvider(servers, "en"), asyncio.new_event_loop()
    made = RunningMcp(provider, loop)
    task = loop.create_task(provider.run(made.tell))
    thread = Thread(target=lambda: loop.run_until_complete(asyncio.wait([task])))
    thread.start()
    try:
        yield made
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(30)
        assert not thread.is_alive(), "the provider does not end"
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    ends_s = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends_s, "it never came so far"
        time.sleep(0.02)
