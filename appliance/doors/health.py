"""/healthz, /readyz, /status and /metrics, over sockets that systemd opened: the service itself may open none.

What is posted is handed on (commands.py), for it may take as long as a turn.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import time
from collections.abc import Callable, Mapping, MutableMapping
from threading import Event, Thread
from types import TracebackType

log = logging.getLogger(__name__)

FIRST_FD = 3
"""Of those passed in (man sd_listen_fds)."""
PATIENCE_S = 2.0
"""For a whole request, and for taking the answer: one caller is served at a time."""
LONGEST = 4_096
"""Bytes of a request."""
LOOK_S = 0.5
"""Between two looks at whether the door closes."""

Told = Mapping[str, object] | str
"""Answered as JSON, or as the text that it is."""
Answer = Callable[[], tuple[bool, Told]]
"""Whether all is well (200 or 503), and what to say about it."""
Taker = Callable[[socket.socket, bytes], None]
"""Given who posted, and the request so far: the head, and perhaps more. Answers on another thread, and hangs up."""


def passed(environment: MutableMapping[str, str]) -> list[socket.socket]:
    """The listening sockets that came with the start, if any; once, for the variables are taken out."""
    return [each for _, each in passed_by_name(environment)]


def passed_by_name(environment: MutableMapping[str, str]) -> list[tuple[str, socket.socket]]:
    """Each with its FileDescriptorName=, by default that of its unit; empty where nobody names any."""
    meant = environment.pop("LISTEN_PID", "") == str(os.getpid())
    count = int(environment.pop("LISTEN_FDS", "0")) if meant else 0
    names = environment.pop("LISTEN_FDNAMES", "").split(":")[:count]
    sockets = [socket.socket(fileno=fd) for fd in range(FIRST_FD, FIRST_FD + count)]
    for each in sockets:
        each.set_inheritable(False)
    return [*zip(names + [""] * (count - len(names)), sockets, strict=True)]


class HealthDoor:
    """A context manager; serves on a thread of its own, so that it answers while the loop hangs, and says so."""

    def __init__(
        self, listener: socket.socket, answers: Mapping[str, Answer], takers: Mapping[str, Taker] | None = None
    ) -> None:
        """`answers`: path -> what to say.  takers: path -> who takes what is posted there."""
        self._listener, self._answers, self._takers = listener, answers, takers or {}
        self._closing = Event()
        self._thread = Thread(target=self._serve, name="health", daemon=True)

    def __enter__(self) -> HealthDoor:
        self._listener.settimeout(LOOK_S)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._thread.join(LOOK_S + 2 * PATIENCE_S)
        self._listener.close()

    def _serve(self) -> None:
        told = ""
        while not self._closing.is_set():
            try:
                caller, _ = self._listener.accept()
            except TimeoutError:
                continue
            except OSError as error:  # no descriptor left, perhaps: whoever looks must find the door all the same
                if str(error) != told:
                    told = str(error)
                    log.warning("nobody can be let in (%s)", told)
                self._closing.wait(LOOK_S)
                continue
            told = ""
            try:
                with caller:
                    self._talk(caller)
            except OSError as error:
                log.debug("a caller went away or was too slow (%s)", error)

    def _talk(self, caller: socket.socket) -> None:
        ends_s = time.monotonic() + PATIENCE_S
        request = b""
        while b"\r\n\r\n" not in request:
            caller.settimeout(max(ends_s - time.monotonic(), 0.001))
            more = caller.recv(1_024)
            if not more or len(request) + len(more) > LONGEST or time.monotonic() > ends_s:
                return
            request += more
        caller.settimeout(PATIENCE_S)
        method, _, rest = request.split(b"\r\n", 1)[0].decode("latin-1").partition(" ")
        path = rest.partition(" ")[0]
        if method == "POST" and (take := self._takers.get(path)):
            take(caller.dup(), request)
        else:
            caller.sendall(self._answer(method, path))

    def _answer(self, method: str, path: str) -> bytes:
        if path in self._takers:
            return response("405 Method Not Allowed", {"title": "ask with POST"})
        answer = self._answers.get(path)
        if answer is None:
            return response("404 Not Found", {"title": f"only {' and '.join(self._answers)} are answered here"})
        if method != "GET":
            return response("405 Method Not Allowed", {"title": "ask with GET"})
        well, told = answer()
        return response("200 OK" if well else "503 Service Unavailable", told)


def response(status: str, told: Told) -> bytes:
    kind = "text/plain; version=0.0.4; charset=utf-8" if isinstance(told, str) else "application/json"
    body = told.encode() if isinstance(told, str) else json.dumps(told).encode() + b"\n"
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Cache-Control: no-store\r\nConnection: close\r\n\r\n".encode() + body
