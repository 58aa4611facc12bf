"""A chat server that gives what it is told to, and the little that a test needs to talk to it."""

from __future__ import annotations

import json
import select
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

from appliance.audio import never
from appliance.llm.lan import Known, LanModel
from appliance.ports import Message, Usage
from appliance.simulated import ListedTool

URL = "http://server:8080/v1"
KEY = "sk-very-secret"
HELLO = [Message("system", "Be brief."), Message("user", "hello")]
TIMER = ListedTool("set_timer", "Start a countdown.", {"minutes": {"type": "number"}}, ("minutes",), effect="act")


@dataclass(frozen=True)
class Text:
    """A Grammar that is only ever sent."""

    gbnf: str = 'root ::= "yes" | "no"'

    def likely(self, written: str) -> str:
        return ""

    def forced(self, written: str) -> str:
        return ""

    def free(self, written: str) -> bool:
        return False

    def barred(self, written: str) -> bool:
        return False

    def whole(self, written: str) -> bool:
        return False

    weighed = False


def events(*parts: object) -> str:
    return "".join(f"data: {part if isinstance(part, str) else json.dumps(part)}\n\n" for part in parts)


def delta(**fields: object) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": None}]}


def piece(arguments: object, **fields: object) -> dict[str, Any]:
    """Of one tool call; `name` belongs to its function."""
    function = {"arguments": arguments} | ({"name": fields.pop("name")} if "name" in fields else {})
    return delta(tool_calls=[{"type": "function", "function": function, **fields}])


def spoken(*words: str) -> httpx.Response:
    return httpx.Response(
        200, text=events(delta(role="assistant", content=""), *(delta(content=w) for w in words), END)
    )


def refused(status: int, reason: object) -> httpx.Response:
    return httpx.Response(status, json=reason)


END = "[DONE]"


class Server:
    """Gives the answers in order, the last one for ever, and keeps what it was asked."""

    def __init__(self, *answers: httpx.Response) -> None:
        self._answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]


def lan(server: Server | httpx.MockTransport, key: str = KEY, url: str = URL, known: Known | None = None) -> LanModel:
    transport = httpx.MockTransport(server) if isinstance(server, Server) else server
    return LanModel(url, "big", key, 5, known, transport)


def written(model: LanModel, limit: int = 16, usage: Usage | None = None, grammar: Text | None = None) -> list[str]:
    return list(model.generate(HELLO, grammar, limit, usage or Usage(), never))


# --- behind a real socket

Handler = Callable[[BaseHTTPRequestHandler], None]
Serve = Callable[[Handler], str]


@contextmanager
def serving() -> Iterator[Serve]:
    """Answers each POST with a function; gives the server's address."""
    servers: list[ThreadingHTTPServer] = []

    def started(handle: Handler) -> str:
        class Answering(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                with suppress(ConnectionError):  # it was hung up on
                    handle(self)

            def log_message(self, format: str, *args: object) -> None: ...

        servers.append(ThreadingHTTPServer(("127.0.0.1", 0), Answering))
        threading.Thread(target=servers[-1].serve_forever, args=(0.05,), daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}/v1"

    yield started
    for server in servers:
        server.shutdown()
        server.server_close()


def begin(request: BaseHTTPRequestHandler, *words: str) -> None:
    request.send_response(200)
    request.end_headers()
    request.wfile.write(events(*(delta(content=word) for word in words)).encode())


def says(*words: str) -> Handler:
    def handle(request: BaseHTTPRequestHandler) -> None:
        begin(request, *words)
        request.wfile.write(events(END).encode())

    return handle


def hung_up(request: BaseHTTPRequestHandler, within_s: float = 5) -> bool:
    """Whether the client closes the connection in time."""
    readable, _, _ = select.select([request.connection], [], [], within_s)
    with suppress(ConnectionError):
        return bool(readable) and request.connection.recv(1) == b""
    return True
