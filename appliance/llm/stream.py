"""One request to a chat server and the events of its answer, as they come; can be cut off at any moment."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Self

import httpx

from appliance.audio import Stale
from appliance.errors import Cancelled, outcome_of

POLL_S = 0.05
"""Between two looks at the stop signal: a stop has 300 ms in all."""
REFUSAL_BYTES = 16_384
"""Read of the reason for a refusal."""
CONNECTED = ("connection.connect_tcp.complete", "connection.start_tls.complete")
"""httpcore's names of the moments that bring a socket."""


class Refusal(Exception):
    """The server answered with another status than 200. `reason` may hold what was sent: not to be shown."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(status)
        self.status, self.reason = status, reason


class Lost(Exception):
    """There is no answer, or no more of it. Its text goes on from "the model server"."""


class Exchange:
    """Read on a thread of its own: a read that blocks, while the server thinks, sees no stop signal."""

    def __init__(self, client: httpx.Client, body: dict[str, Any], silence_s: float) -> None:
        """`client` keeps no connections, so that this one can be cut off.

        `silence_s`: longest wait for an event; comments that keep a connection alive are none.
        """
        self._client, self._body, self._silence_s = client, body, silence_s
        self._arrived: SimpleQueue[str | Exception | None] = SimpleQueue()
        self._socket: socket.socket | None = None
        self._given_up = False

    def __enter__(self) -> Self:
        """Send the request."""
        threading.Thread(target=self._read, name="model server", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up, whether or not the answer has ended."""
        self._given_up = True
        self._cut()

    def events(self, stale: Stale) -> Iterator[str]:
        """What stands in each event. Raises Cancelled within POLL_S of `stale`, Refusal or Lost."""
        while (item := self._next(stale)) is not None:
            if isinstance(item, Exception):
                raise _told(item) from None
            yield item

    def _next(self, stale: Stale) -> str | Exception | None:
        until_s = time.monotonic() + self._silence_s
        while time.monotonic() < until_s:
            if stale():
                raise Cancelled
            with suppress(Empty):
                return self._arrived.get(timeout=POLL_S)
        raise Lost(f"gave no answer in {self._silence_s:g} s")

    def _read(self) -> None:
        self._arrived.put(outcome_of(self._read_lines))

    def _read_lines(self) -> None:
        post, watched = ("POST", "chat/completions"), {"trace": self._trace}
        with self._client.stream(*post, json=self._body, extensions=watched) as response:
            if response.status_code != httpx.codes.OK:
                raise Refusal(response.status_code, _reason(next(response.iter_bytes(REFUSAL_BYTES), b"")))
            for line in response.iter_lines():
                if line.startswith("data:"):
                    self._arrived.put(line.removeprefix("data:").strip())

    def _trace(self, event: str, info: dict[str, Any]) -> None:
        """Told by httpcore, on the reading thread, how the request comes along."""
        if event in CONNECTED:
            self._socket = info["return_value"].get_extra_info("socket")
            if self._given_up:
                self._cut()

    def _cut(self) -> None:
        """A shutdown ends a read on another thread at once; a close would not."""
        if self._socket:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)


def _told(error: Exception) -> Exception:
    """What httpx raised, without its words: they may hold a header."""
    if isinstance(error, httpx.TimeoutException):
        return Lost("gave no answer in time")
    if isinstance(error, httpx.ConnectError):
        return Lost("cannot be reached")
    if isinstance(error, (httpx.HTTPError, OSError)):
        return Lost("broke off its answer")
    return error


def _reason(data: bytes) -> str:
    """The words of a refusal, without the request that some servers repeat in it."""
    try:
        told = json.loads(data)
    except ValueError:
        return data.decode(errors="replace")
    for key in ("error", "detail", "message"):
        told = told.get(key, told) if isinstance(told, dict) else told
    if isinstance(told, list):  # FastAPI: one entry for each field that is wrong
        told = [(part.get("loc"), part.get("msg")) for part in told if isinstance(part, dict)]
    return str(told)
