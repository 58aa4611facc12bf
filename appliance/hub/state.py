"""What the hub holds while it runs."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict, defaultdict, deque
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from appliance.hub.core import Core
from appliance.hub.limits import Limits
from appliance.hub.metrics import Metrics
from appliance.hub.pairing import Pairing
from appliance.hub.problems import Problem
from appliance.hub.running import Once
from appliance.hub.sessions import Sessions
from appliance.hub.tokens import Tokens

MOST_TALKS = 100
"""Conversations of one token that are known to have been started; the one that was used longest ago goes first."""
MOST_CHATS = 100
TURNS_SHOWN = 30
MOST_WATCHING = 16
MOST_UNREAD = 200
"""Events that one who watches has not taken yet; with more they are let go."""
WORDS = ("heard", "said")
"""Of a turn record: what nobody but the owner reads."""


class Remembered(OrderedDict[str, str]):
    """The newest ones."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def keep(self, key: str, value: str) -> None:
        self[key] = value
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)


class Watchers:
    """Hands on what happens on the box."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[dict[str, Any] | None]] = set()
        self.turns: deque[dict[str, Any]] = deque(maxlen=TURNS_SHOWN)
        """The newest last, without words."""

    def told(self, event: dict[str, Any]) -> None:
        """A `Heard` of core.py."""
        if event.get("event") == "turn":
            self.turns.append(without_words(event)["record"])
        for queue in [*self._queues]:
            if queue.qsize() >= MOST_UNREAD:
                self._queues.discard(queue)
                queue.put_nowait(None)
            else:
                queue.put_nowait(event)

    def close(self) -> None:
        """Let all go who watch: the hub ends."""
        for queue in self._queues:
            queue.put_nowait(None)
        self._queues.clear()

    async def follow(self) -> AsyncIterator[dict[str, Any]]:
        """Ends where whoever follows does not keep up. Raises Problem."""
        if len(self._queues) >= MOST_WATCHING:
            raise Problem.of_kind("busy", f"{MOST_WATCHING} watch already", "close one of the pages that are open")
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._queues.add(queue)
        try:
            while (event := await queue.get()) is not None:
                yield event
        finally:
            self._queues.discard(queue)


def without_words(event: dict[str, Any]) -> dict[str, Any]:
    """A turn's event as the journal has it; any other as it is."""
    if event.get("event") != "turn":
        return event
    record = {key: value for key, value in event["record"].items() if key not in WORDS}
    record["steps"] = [{key: each[key] for key in each if key != "arguments"} for each in record.get("steps", [])]
    return event | {"record": record}


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@dataclass
class Hub:
    core: Core
    tokens: Tokens
    once: Once
    pairing: Pairing
    watchers: Watchers
    per_token: Limits
    per_address: Limits
    """Far more: several clients may be behind one."""
    failures: Limits
    """Of an address that gives no token, or a wrong one."""
    version: str
    name: str
    """As people in the home call it."""
    language: str
    """In which the box speaks, as the settings file has it."""
    releases: Path
    """The folder in which `previous` leads to the release before."""
    wifi: Path
    """The socket of what joins a Wi-Fi network (wifi.py)."""
    secure: bool = False
    """Whether it is reached over TLS."""
    sessions: Sessions = field(default_factory=Sessions)
    metrics: Metrics = field(default_factory=Metrics)
    talks: defaultdict[str, Remembered] = field(default_factory=lambda: defaultdict(lambda: Remembered(MOST_TALKS)))
    """Name of a token -> its conversations of the Command API -> the last line of each."""
    chats: defaultdict[str, Remembered] = field(default_factory=lambda: defaultdict(lambda: Remembered(MOST_CHATS)))
    """Likewise, of the OpenAI-compatible API: what its messages come to, or the id of a call -> the conversation."""
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def background(self, work: Coroutine[Any, Any, None]) -> None:
        """Have it done; nobody waits for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
