"""One request to a chat server and the events of its answer, as they come; can be cut off at any moment."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Self

import httpx

from appliance.audio import Stale
from appliance.errors import Cancelled, outcome_of

POLL_S = 0.05
"""Between two looks at the stop signal: a stop has 300 ms in all."""
REFUSAL_BYTES = 16_384
"""Read of the reason for a refusal."""
ANSWER_BYTES = 2_000_000
"""Longest answer: a token comes in an event of 250 to 400 bytes, and `thought.reply_tokens` is at most 1,024."""
NO_LINGER = struct.pack("ii", 1, 0)
"""A close resets the connection (struct linger of socket(7): on, 0 seconds)."""
CONNECTED = ("connection.connect_tcp.complete", "connection.start_tls.complete")
"""httpcore's names of the moments that bring a socket."""


class Refusal(Exception):
    """The server answered with another status than 200. `reason` may hold what was sent: not to be shown.

    `wait_s`: for how long the server asks to be left alone; None where it does not say.
    """

    def __init__(self, status: int, reason: str, wait_s: float | None = None) -> None:
        super().__init__(status)
        self.status, self.reason, self.wait_s = status, reason, wait_s


class Lost(Exception):
    """There is no answer, or no more of it. Its text goes on from "the model server"."""


class NoEvents(Lost):
    """The stream ended without any."""

    def __init__(self) -> None:
        super().__init__("sent what is no answer")


class Event(NamedTuple):
    text: str
    at_s: float
    """Monotonic time at which it came, however late it is read."""


class Exchange:
    """Read on a thread of its own: a read that blocks, while the server thinks, sees no stop signal."""

    def __init__(self, client: httpx.Client, body: dict[str, Any], silence_s: float) -> None:
        """`client` keeps no connections, so that this one can be cut off.

        `silence_s`: longest wait for an event; comments that keep a connection alive are none.
        """
        self._client, self._body, self._silence_s = client, body, silence_s
        self._arrived: SimpleQueue[Event | Exception | None] = SimpleQueue()
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

    def events(self, stale: Stale) -> Iterator[Event]:
        """Each as it comes. Raises Cancelled within POLL_S of `stale`, Refusal or Lost."""
        while (item := self._next(stale)) is not None:
            if isinstance(item, Exception):
                raise _told(item) from None
            yield item

    def _next(self, stale: Stale) -> Event | Exception | None:
        until_s = time.monotonic() + self._silence_s
        while time.monotonic() < until_s:
            if stale():
                raise Cancelled
            with suppress(Empty):
                return self._arrived.get(timeout=POLL_S)
        raise Lost(f"gave no answer in {self._silence_s:.2g} s")

    def _read(self) -> None:
        self._arrived.put(outcome_of(self._read_events))

    def _read_events(self) -> None:
        post, watched = ("POST", "chat/completions"), {"trace": self._trace}
        with self._client.stream(*post, json=self._body, extensions=watched) as response:
            if response.status_code != httpx.codes.OK:
                reason = _reason(next(_plain(response, REFUSAL_BYTES), b""))
                raise Refusal(response.status_code, reason, _wait_s(response.headers.get("retry-after", "")))
            whole = response.headers.get("content-type", "").startswith("application/json")
            for line in [_text(response)] if whole else _lines(_bounded(response)):
                if self._given_up:
                    return
                if event := _event(line):
                    self._arrived.put(Event(event, time.monotonic()))

    def _trace(self, event: str, info: dict[str, Any]) -> None:
        """Told by httpcore, on the reading thread, how the request comes along."""
        if event in CONNECTED:
            self._socket = info["return_value"].get_extra_info("socket")
            if self._given_up:
                self._cut()

    def _cut(self) -> None:
        """A shutdown ends a read on another thread at once; a close would not. The close behind it tells the server
        that nobody reads any more: without NO_LINGER one that sends without end may wait a minute for room."""
        if self._socket:
            with suppress(OSError):
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
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


def _plain(response: httpx.Response, size: int | None = None) -> Iterator[bytes]:
    """What it says, unless compressed: nobody asked for that, and a little of it may grow without end."""
    return response.iter_bytes(size) if "content-encoding" not in response.headers else iter(())


def _bounded(response: httpx.Response) -> Iterator[bytes]:
    size = 0
    for data in _plain(response):
        size += len(data)
        if size > ANSWER_BYTES:
            raise Lost("sent more than an answer can be")
        yield data


def _text(response: httpx.Response) -> str:
    return b"".join(_bounded(response)).decode(errors="replace")


def _lines(data: Iterable[bytes]) -> Iterator[str]:
    rest = bytearray()
    for part in data:
        rest += part
        if b"\n" in part:
            *lines, rest = rest.split(b"\n")
            yield from (line.decode(errors="replace") for line in lines)
    yield rest.decode(errors="replace")


def _event(line: str) -> str:
    """What stands in an event; empty for comments and whatever else there is in a stream."""
    name, _, value = line.strip().partition(":")
    if name.startswith("{"):  # an error that Ollama tells outside of the format, or an answer that is not streamed
        return line
    if name == "error":  # as llama-server did until September 2025 (llama.cpp, pull request 16109)
        return f'{{"error": {value}}}'
    return value.strip() if name == "data" else ""


def _wait_s(retry_after: str) -> float | None:
    """Seconds, of either form that the header has (RFC 9110, 10.2.3)."""
    if retry_after.isdecimal():
        return float(retry_after[:9])
    try:
        until = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds()


def _reason(data: bytes) -> str:
    """The words of a refusal, without the request that some servers repeat in it."""
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        return data.decode(errors="replace")
    return words(told)


def words(told: Any) -> str:
    """Of a refusal that was read."""
    for key in ("error", "detail", "message"):
        told = told.get(key, told) if isinstance(told, dict) else told
    if isinstance(told, list):  # FastAPI: one entry for each field that is wrong
        told = [(part.get("loc"), part.get("msg")) for part in told if isinstance(part, dict)]
    return str(told)
