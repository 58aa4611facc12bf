"""The bridge on a thread of this process, with providers that a test steers; for the tests beside it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread
from types import TracebackType
from typing import Any

from appliance.bridge.provider import Provider
from appliance.bridge.server import Server, listener
from appliance.errors import ToolError
from appliance.ports import LINK, News

PATIENCE_S = 10.0
UP = {"up": True, "why": ""}


class SteeredProvider:
    """Answers from a dict; `crash` ends its `run`, and "hang" is a question that it never answers."""

    def __init__(self, name: str, answers: dict[str, Any]) -> None:
        self.name, self._answers, self._known = name, answers, {LINK: UP}
        self.starts = 0

    async def run(self, tell: News) -> None:
        self.starts += 1
        self._tell, self._crash = tell, asyncio.get_running_loop().create_future()
        tell(LINK, UP)
        await self._crash

    def crash(self) -> None:
        self._crash.set_exception(RuntimeError("a bug"))

    def known(self) -> Iterable[tuple[str, Any]]:
        return self._known.items()

    def tell(self, kind: str, value: Any) -> None:
        self._known[kind] = value
        self._tell(kind, value)

    async def answer(self, what: str, arguments: dict[str, Any]) -> Any:
        if what == "hang":
            await asyncio.sleep(60)
        answer = self._answers[what]
        if isinstance(answer, ToolError):
            raise answer
        return answer(arguments) if callable(answer) else answer


class RunningBridge:
    """A context manager."""

    def __init__(self, path: Path, *providers: Provider) -> None:
        self.path, self._providers = path, providers
        self._ready = Event()
        self._thread = Thread(target=lambda: asyncio.run(self._run()))

    def __enter__(self) -> RunningBridge:
        self._thread.start()
        assert self._ready.wait(PATIENCE_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    def stop(self) -> None:
        """Also if it ends at this moment by itself."""
        with suppress(RuntimeError):  # its loop is closed
            self.do(self._serving.cancel)

    def do(self, what: Callable[[], Any]) -> None:
        """On the bridge's own thread."""
        self._loop.call_soon_threadsafe(what)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._serving = asyncio.create_task(Server(self._providers, "en").run(listener(self.path)))
        self._ready.set()
        await asyncio.wait({self._serving})


class Ear:
    """A `News` that keeps what it heard."""

    def __init__(self) -> None:
        self._heard: Queue[tuple[str, Any]] = Queue()

    def __call__(self, kind: str, value: Any) -> None:
        self._heard.put((kind, value))

    def next(self, patience_s: float = PATIENCE_S) -> tuple[str, Any]:
        return self._heard.get(timeout=patience_s)

    def until(self, kind: str, fits: Callable[[Any], bool] = lambda value: True, patience_s: float = PATIENCE_S) -> Any:
        """The next value of that kind that fits."""
        ends_s = time.monotonic() + patience_s
        passed: list[Any] = []
        while (left_s := ends_s - time.monotonic()) > 0:
            try:
                heard = self.next(left_s)
            except Empty:
                break
            if heard[0] == kind and fits(heard[1]):
                return heard[1]
            passed.append(str(heard)[:300])
        raise AssertionError(f"no such {kind} within {patience_s} s: {passed}")


def eventually(fits: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
    ends_s = time.monotonic() + patience_s
    while not fits():
        assert time.monotonic() < ends_s
        time.sleep(0.02)


def names(house: dict[str, Any], what: str = "entities") -> Sequence[str]:
    return [each["id"] for each in house[what]]
