"""Work that may be followed by more than one: whoever asks again under the same key gets the same events and answer."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from appliance.hub.problems import Problem

Told = tuple[str, Any]
"""An event: its name, and what it says."""
Tell = Callable[[str, Any], None]
Work = Callable[[Tell], Awaitable[Any]]

HEADER = "idempotency-key"
LONGEST_KEY = 200
KEPT_S = 3_600.0
"""For which an answer is kept in memory."""
MOST_KEPT = 256
MARKED_S = 86_400.0
"""For which it is known on disk that a key was used."""
FILE = "keys.db"


class Running:
    """Begins at once, and goes on though nobody follows."""

    def __init__(self, work: Work) -> None:
        self._told: list[Told] = []
        self._more = asyncio.Event()
        self.since_s = time.monotonic()
        self._task: asyncio.Task[Any] = asyncio.create_task(self._run(work))
        self._task.add_done_callback(self._ended)

    @property
    def done(self) -> bool:
        return self._task.done()

    @property
    def problem(self) -> Problem | None:
        """Why it failed, once it has."""
        failed = self._task.exception() if self.done and not self._task.cancelled() else None
        return failed if isinstance(failed, Problem) else None

    async def answer(self) -> Any:
        """Raises Problem, or whatever else the work raised."""
        return await asyncio.shield(self._task)

    async def begun(self) -> None:
        """Once it has told something, or has ended."""
        if not self._told and not self.done:
            await self._more.wait()

    async def events(self) -> AsyncIterator[Told]:
        """All of them, from the first, until it ends."""
        at = 0
        while True:
            more = self._more
            while at < len(self._told):
                yield self._told[at]
                at += 1
            if self.done:
                return
            await more.wait()

    def abandon(self) -> None:
        """Nobody wants it any more."""
        self._task.cancel()

    async def _run(self, work: Work) -> Any:
        return await work(self._tell)

    def _tell(self, name: str, value: Any) -> None:
        self._told.append((name, value))
        self._wake()

    def _wake(self) -> None:
        more, self._more = self._more, asyncio.Event()
        more.set()

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._wake()
        if not task.cancelled():
            task.exception()  # looked at: nobody may be following


class Once:
    """What was asked for under a key: done once, and answered alike each time.

    Answers are in memory alone, for they hold what was said. That a key was used is on disk before the work begins:
    after a restart of the hub the same key is refused, and nothing is done twice.
    """

    def __init__(self, folder: Path) -> None:
        self._held: OrderedDict[str, tuple[str, Running]] = OrderedDict()
        self._file = folder / FILE
        self._lock = asyncio.Lock()

    async def run(self, key: str, body: bytes, work: Work) -> Running:
        """Raises Problem for a key that is used for something else, or was before the hub was started again."""
        what = hashlib.sha256(body).hexdigest()
        if (running := self._known(key, what)) is not None:
            return running
        async with self._lock:
            if (running := self._known(key, what)) is not None:
                return running
            self._make_room()
            if not await asyncio.to_thread(self._mark, key):
                detail = "this key was used before the hub was started again, and its answer is gone"
                raise Problem(409, detail, "look whether it was done, and use a new key", kind="key_used")
            running = Running(work)
            self._held[key] = (what, running)
            return running

    def _known(self, key: str, what: str) -> Running | None:
        known, running = self._held.get(key, ("", None))
        if running is None or (problem := running.problem) is None or not problem.undone:
            if running is not None and known != what:
                raise Problem(422, "this key was used for another request", "use a new key", kind="key_reused")
            return running
        del self._held[key]  # nothing was done: it may be tried again
        self._unmark(key)
        return None

    def _make_room(self) -> None:
        now_s = time.monotonic()
        old = [key for key, (_, each) in self._held.items() if each.done and now_s - each.since_s > KEPT_S]
        for key in old:
            del self._held[key]
        if len(self._held) >= MOST_KEPT:
            done = next((key for key, (_, each) in self._held.items() if each.done), None)
            if done is None:
                raise Problem.of_kind("busy", "too much is at work already", "try again in a moment")
            del self._held[done]

    def _mark(self, key: str) -> bool:
        """Whether it is new. Raises Problem where nothing can be written."""
        hashed, now_s = hashlib.sha256(key.encode()).hexdigest(), time.time()
        try:
            with closing(self._open()) as file, file:
                file.execute("DELETE FROM keys WHERE at < ?", (now_s - MARKED_S,))
                added = file.execute("INSERT OR IGNORE INTO keys (key, at) VALUES (?, ?)", (hashed, now_s))
                return added.rowcount == 1
        except sqlite3.Error as error:
            detail = f"that a key was used cannot be noted ({error}); nothing was done"
            raise Problem(503, detail, "look at the hub's disk, or send no key", kind="keys_unusable") from None

    def _unmark(self, key: str) -> None:
        with suppress(sqlite3.Error), closing(self._open()) as file, file:  # then it stays used
            file.execute("DELETE FROM keys WHERE key = ?", (hashlib.sha256(key.encode()).hexdigest(),))

    def _open(self) -> sqlite3.Connection:
        """Each time, for a thread of its own."""
        file = sqlite3.connect(self._file, timeout=5)
        file.execute("PRAGMA synchronous = FULL")
        file.execute("CREATE TABLE IF NOT EXISTS keys (key TEXT PRIMARY KEY, at REAL NOT NULL)")
        return file
