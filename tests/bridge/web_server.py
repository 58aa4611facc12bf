"""A real web server on this machine that does what a test tells it, wrong answers among them."""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Callable
from threading import Event, Thread
from types import TracebackType

Behaviour = Callable[["Caller"], None]


class Caller:
    """One connection that has asked for something."""

    def __init__(self, connection: socket.socket, path: str, headers: dict[str, str], ends: Event) -> None:
        self.connection, self.path, self.headers, self.ends = connection, path, headers, ends

    def send(self, content: bytes) -> None:
        self.connection.sendall(content)

    def answer(self, content: bytes, kind: str = "text/html", status: str = "200 OK", *more: str) -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(content)}", *more]
        self.send("\r\n".join([*lines, "Connection: close", "", ""]).encode())
        self.send(content)


class WebServer:
    """A context manager: `does` says how the path of a request (without its query) is answered."""

    def __init__(
        self, does: dict[str, Behaviour], address: str = "127.0.0.1", tls: ssl.SSLContext | None = None
    ) -> None:
        self.does, self._tls = does, tls
        self.asked: list[tuple[str, dict[str, str]]] = []
        """Path with its query, and headers, of each request."""
        self._ends = Event()
        self._listener = socket.create_server((address, 0))
        self._thread = Thread(target=self._listen)

    @property
    def url(self) -> str:
        host, port = self._listener.getsockname()
        return f"http://{host}:{port}"

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def __enter__(self) -> WebServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ends.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()

    def _listen(self) -> None:
        callers = list[Thread]()
        while not self._ends.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                break
            callers.append(Thread(target=self._serve, args=(connection,)))
            callers[-1].start()
        for each in callers:
            each.join()

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(10)
        with contextlib.suppress(OSError), self._secured(connection) as connection:
            asked = b""
            while b"\r\n\r\n" not in asked:
                if not (more := connection.recv(65_536)):
                    return
                asked += more
            first, *lines = asked.decode("latin-1").split("\r\n\r\n")[0].split("\r\n")
            path = first.split(" ")[1]
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
            self.asked.append((path, headers))
            self.does[path.partition("?")[0]](Caller(connection, path, headers, self._ends))

    def _secured(self, connection: socket.socket) -> socket.socket:
        """Raises OSError."""
        return self._tls.wrap_socket(connection, server_side=True) if self._tls else connection


def hung(caller: Caller) -> None:
    """Takes the request and says nothing."""
    caller.ends.wait(30)


def dead(caller: Caller) -> None:
    """Hangs up in the middle of its answer."""
    caller.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>Half")


def drops(caller: Caller) -> None:
    """A byte now and then, for ever."""
    caller.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while not caller.ends.wait(0.05):
        caller.send(b" ")


def flood(caller: Caller) -> None:
    """As fast as it can, for ever."""
    caller.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>The harbour was built in 1808.</p>")
    while not caller.ends.is_set():
        caller.send(b"<p>More and more of it.</p>" * 1_000)


def headers_for_ever(caller: Caller) -> None:
    caller.send(b"HTTP/1.1 200 OK\r\n")
    while not caller.ends.is_set():
        caller.send(b"X-More: and more of it\r\n" * 100)


def moves_on(caller: Caller) -> None:
    """To itself, for ever."""
    caller.answer(b"", "text/html", "302 Found", f"Location: {caller.path}x")


def to(place: str) -> Behaviour:
    return lambda caller: caller.answer(b"", "text/html", "302 Found", f"Location: {place}")


def gives(content: bytes, kind: str = "text/html", status: str = "200 OK", *more: str) -> Behaviour:
    return lambda caller: caller.answer(content, kind, status, *more)
