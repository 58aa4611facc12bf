"""The hub's end of the core's socket (ports/hub.py): one connection, many requests at once, made again when lost."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from appliance import json_lines
from appliance.hub.problems import Problem
from appliance.ports.hub import LINE_BYTES, Do
from appliance.retries import Retries

log = logging.getLogger(__name__)

Heard = Callable[[dict[str, Any]], None]
"""Told each event of a request, as the core sent it."""

FIRST_PAUSE_S = 0.2
"""Before the next attempt to connect; doubled each time, up to LONGEST_PAUSE_S."""
LONGEST_PAUSE_S = 5.0
CONNECT_S = 2.0
"""Longest wait for a connection that is being made."""
PATIENCE_S = 120.0
"""For an answer: thought.deadline_s of the core's default, for the turn itself and three that go before it."""
MOST_AT_ONCE = 30
"""Requests that are on their way; the core takes 32 of one connection, and one is the hub's own watch."""


def nobody(event: dict[str, Any]) -> None:
    """A `Heard` that does not listen."""


@dataclass
class _Waiting:
    heard: Heard
    future: asyncio.Future[dict[str, Any]]


class Core:
    def __init__(self, path: Path, watched: Heard = nobody) -> None:
        """watched: told what happens on the box, as `watch` tells it."""
        self._path, self._watched = path, watched
        self._numbers = count(1)
        self._waiting: dict[int, _Waiting] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._connected = asyncio.Event()

    @property
    def connected(self) -> bool:
        return self._writer is not None

    async def run(self) -> None:
        """Stay connected, until cancelled."""
        retries = Retries(FIRST_PAUSE_S, LONGEST_PAUSE_S)
        while True:
            began_s, why = time.monotonic(), "it hung up"
            try:
                reader, writer = await asyncio.open_unix_connection(str(self._path), limit=LINE_BYTES + 1)
                retries = Retries(FIRST_PAUSE_S, LONGEST_PAUSE_S)
                try:
                    await self._serve(reader, writer)
                finally:
                    self._gone()
                    writer.close()
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None) or str(error)
            failed = retries.failed(why, time.monotonic() - began_s)
            if failed.is_news:
                log.warning("no core at %s (%s); see: systemctl status va", self._path, why)
            await asyncio.sleep(failed.pause_s)

    async def ask(
        self, do: Do, arguments: BaseModel | None = None, heard: Heard = nobody, within_s: float = PATIENCE_S
    ) -> dict[str, Any]:
        """What it answers. Raises Problem."""
        await self._await_connection()
        if len(self._waiting) > MOST_AT_ONCE:
            raise Problem.of_kind("busy", "the box has enough to answer already", "try again in a moment")
        number, future = next(self._numbers), asyncio.get_running_loop().create_future()
        self._waiting[number] = _Waiting(heard, future)
        try:
            await self._send(number, do, arguments.model_dump(mode="json") if arguments else {})
            async with asyncio.timeout(within_s):
                return _answer(await future)
        except TimeoutError:
            what = f"the box did not answer within {within_s:.0f} s; whether it was done is not known"
            raise Problem.of_kind("slow", what, "look, and ask again") from None
        finally:
            self._waiting.pop(number, None)

    async def _await_connection(self) -> None:
        if self._writer is None:
            try:
                async with asyncio.timeout(CONNECT_S):
                    await self._connected.wait()
            except TimeoutError:
                what, remedy = "the box's service is not running", "start it: sudo systemctl start va"
                raise Problem.of_kind("gone", what, remedy) from None

    async def _send(self, number: int, do: Do, arguments: dict[str, Any]) -> None:
        try:
            line = json_lines.line({"id": number, "do": do, "arguments": arguments})
        except json_lines.TooLong as error:
            raise Problem.of_kind("too_long", str(error), "send less") from None
        if self._writer is None:
            raise Problem.of_kind("gone", "the box's service has just stopped", "try again in a moment")
        self._writer.write(line)
        await self._writer.drain()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Until the connection ends. Raises OSError, ValueError."""
        self._writer = writer
        watch = next(self._numbers)
        await self._send(watch, "watch", {})
        self._connected.set()
        log.info("the core answers")
        async for line in reader:
            told = json_lines.value(line)
            if told.get("id") == watch:
                self._watched(told)
            else:
                self._take(told)

    def _take(self, told: dict[str, Any]) -> None:
        waiting = self._waiting.get(told.get("id", 0))
        if waiting is None:  # whoever asked has gone
            return
        if "event" in told:
            waiting.heard(told)
        elif not waiting.future.done():
            waiting.future.set_result(told)

    def _gone(self) -> None:
        self._connected.clear()
        self._writer = None
        what = "the box's service stopped meanwhile; whether it was done is not known"
        for each in self._waiting.values():
            if not each.future.done():
                each.future.set_exception(Problem.of_kind("unknown", what, "look, and ask again"))


def _answer(told: dict[str, Any]) -> dict[str, Any]:
    """Raises Problem."""
    if "error" in told:
        raise Problem.of_kind(str(told.get("kind", "failed")), str(told["error"]), str(told.get("remedy", "")))
    return dict(told.get("is") or {})
