"""The core's end of the bridge's socket."""

from __future__ import annotations

import logging
import socket
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import Future
from itertools import count
from pathlib import Path
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any

from appliance.bridge import wire
from appliance.errors import CannotBeDone, logged
from appliance.ports import LINK, News
from appliance.retries import Retries
from appliance.wording import said

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.5
"""Before the next attempt to connect; doubled each time, up to LONGEST_PAUSE_S."""
LONGEST_PAUSE_S = 10.0
STEADY_S = 5.0
"""After a connection that lasted so long the first pause is the first again: the bridge was merely restarted."""
LOOK_S = 2.0
"""For a connection, and for what is sent to be taken; also between two looks at whether this ends."""
GRACE_S = 0.25
"""Beyond the time of a question, for the bridge to say itself that it took too long."""
GONE = {"up": False, "why": "no_bridge"}


class SocketBridge:
    """A `ports.Bridge`, and a context manager: with a thread that connects, reads, and connects again.

    Nobody may `ask` from within what `follow` calls: that is the thread which brings the answer.
    """

    def __init__(self, path: Path, language: str) -> None:
        self._path, self._language = path, language
        self._lock, self._sending = Lock(), Lock()
        self._socket: socket.socket | None = None
        self._numbers = count(1)
        self._waiting: dict[int, Future[dict[str, Any]]] = {}
        self._followers: defaultdict[str, list[News]] = defaultdict(list)
        self._untold: list[News] = []
        """Those who have not yet heard that nobody is connected."""
        self._tried, self._closing, self._wake = Event(), Event(), Event()
        self._thread = Thread(target=self._run, name="bridge", daemon=True)

    def __enter__(self) -> SocketBridge:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._closing.set()
        self._wake.set()
        self._hang_up()
        if self._thread.is_alive():
            self._thread.join(2 * LOOK_S)

    def ask(self, provider: str, what: str, timeout_s: float = 5.0, **arguments: Any) -> Any:
        ends_s = time.monotonic() + timeout_s
        self._tried.wait(timeout_s)  # the first connection may be on its way
        number, future = next(self._numbers), Future[dict[str, Any]]()
        left_s = max(ends_s - time.monotonic(), 0.01)
        try:
            line = wire.question(number, provider, what, left_s, arguments)
        except ValueError:
            raise self._cannot("bridge_too_long") from None
        with self._lock:
            self._waiting[number] = future
        try:
            self._send(line)
            return wire.answer(future.result(left_s + GRACE_S))
        except TimeoutError:
            raise self._cannot("bridge_slow") from None
        finally:
            with self._lock:
                self._waiting.pop(number, None)

    def follow(self, provider: str, heard: News) -> None:
        with self._lock:
            self._followers[provider].append(heard)
            self._untold.append(heard)
            connected = self._socket is not None
        if connected:
            self._follow(provider)
        else:
            self._wake.set()

    def _follow(self, provider: str) -> None:
        try:
            self._send(wire.line({"follow": provider}))
        except CannotBeDone as error:
            log.debug("%s is asked for once there is a connection: %s", provider, error)

    def _send(self, line: bytes) -> None:
        """Raises CannotBeDone."""
        with self._sending:
            connected = self._socket
            if connected is None:
                raise self._cannot("bridge_gone")
            try:
                connected.sendall(line)
            except OSError:  # perhaps after half a line
                self._hang_up()
                raise self._cannot("bridge_gone") from None

    def _cannot(self, sentence: str) -> CannotBeDone:
        return CannotBeDone(said(sentence, self._language))

    def _hang_up(self) -> None:
        with self._lock:
            if self._socket:
                try:
                    self._socket.shutdown(socket.SHUT_RDWR)
                except OSError as error:  # the other end was quicker
                    log.debug("%s", error)

    def _run(self) -> None:
        retries = Retries(FIRST_PAUSE_S, LONGEST_PAUSE_S)
        while not self._closing.is_set():
            began_s, why = time.monotonic(), "it hung up"
            try:
                with socket.socket(socket.AF_UNIX) as connected:
                    connected.settimeout(LOOK_S)
                    connected.connect(str(self._path))
                    self._connected(connected)
            except (OSError, ValueError) as error:
                why = str(error)
            self._gone()
            if (worked_s := time.monotonic() - began_s) > STEADY_S:
                retries = Retries(FIRST_PAUSE_S, LONGEST_PAUSE_S)
            failed = retries.failed(why, worked_s)
            if failed.is_news and not self._closing.is_set():
                log.warning("no bridge at %s (%s); see: systemctl status va-bridge", self._path, why)
            self._rest(failed.pause_s)

    def _connected(self, connected: socket.socket) -> None:
        """Until the connection ends. Raises OSError, ValueError."""
        with self._lock:
            self._socket = connected
            followed = [*self._followers]
        self._tried.set()
        for provider in followed:
            self._follow(provider)
        for line in self._lines(connected):
            self._take(wire.value(line))

    def _lines(self, connected: socket.socket) -> Iterator[bytes]:
        begun = bytearray()
        while not self._closing.is_set():
            try:
                more = connected.recv(65_536)
            except TimeoutError:
                continue
            if not more:
                return
            *whole, rest = more.split(b"\n")
            for part in whole:
                yield bytes(begun) + part
                begun.clear()
            begun += rest
            if len(begun) > wire.MOST_BYTES:
                raise ValueError("a line without an end")

    def _take(self, told: dict[str, Any]) -> None:
        if "of" in told:
            for heard in self._followers_of(str(told["of"])):
                with logged(log, "news of the bridge"):
                    heard(str(told.get("kind")), told.get("is"))
            return
        with self._lock:
            future = self._waiting.pop(told.get("id", 0), None)
        if future:
            future.set_result(told)

    def _followers_of(self, provider: str) -> list[News]:
        with self._lock:
            return [*self._followers.get(provider, [])]

    def _gone(self) -> None:
        """Nobody is connected: whoever waits for an answer gets none, and all followers hear of it."""
        with self._lock:
            was, self._socket = self._socket, None
            waiting, self._waiting = self._waiting, {}
            if was:
                self._untold = [heard for each in self._followers.values() for heard in each]
        for future in waiting.values():
            future.set_exception(self._cannot("bridge_gone"))
        self._tried.set()

    def _rest(self, pause_s: float) -> None:
        ends_s = time.monotonic() + pause_s
        while not self._closing.is_set():
            self._wake.clear()
            with self._lock:
                untold, self._untold = self._untold, []
            for heard in untold:
                with logged(log, "news of the bridge"):
                    heard(LINK, GONE)
            if not self._wake.wait(max(ends_s - time.monotonic(), 0)):
                return
