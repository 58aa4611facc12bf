"""A real server that fails in every way: the next one answers in time, and nothing is left of it."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
import tracemalloc
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from itertools import repeat

import pytest
from lan_server import END, HELLO, KEY, TIMER, Handler, Serve, begin, delta, events, hung_up, says

from appliance.audio import Stale, never
from appliance.errors import Cancelled, ModelChanged, TurnFailed
from appliance.llm.lan import TOKEN_CHARS, LanModel
from appliance.llm.pool import Pair, Pool
from appliance.llm.stream import ANSWER_BYTES
from appliance.ports import Usage
from appliance.reply.plan import Answer

SILENCE_S = 1.0
SILENT = "gave no answer", "less than 3 tokens a second", "nothing but thoughts"
"""What is told of a server that is given up after so long: a busy machine is no such server."""
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
GARBAGE = bytes(range(256)) * 40
PAGE = b"<html><body><h1>Bad Gateway</h1> hello</body></html>"
ERROR = {"error": {"message": "out of memory: hello", "code": 500}}
ROLE = events(delta(role="assistant", content="")).encode()


def raw(*parts: bytes, pause_s: float = 0) -> Handler:
    """Sends these and hangs up."""

    def handle(request: BaseHTTPRequestHandler) -> None:
        for part in parts:
            request.connection.sendall(part)
            time.sleep(pause_s)

    return handle


def endless(head: bytes, part: bytes, pause_s: float = 0.02) -> Handler:
    def handle(request: BaseHTTPRequestHandler) -> None:
        request.connection.sendall(head)
        while True:
            request.connection.sendall(part)
            time.sleep(pause_s)

    return handle


def silent(*parts: bytes) -> Handler:
    def handle(request: BaseHTTPRequestHandler) -> None:
        raw(*parts)(request)
        hung_up(request)

    return handle


def status(code: int, body: bytes = PAGE, kind: str = "text/html", **headers: str) -> Handler:
    head = [f"HTTP/1.1 {code} Whatever", f"Content-Type: {kind}", f"Content-Length: {len(body)}"]
    head += [f"{name}: {value}" for name, value in headers.items()]
    return raw("\r\n".join([*head, "", ""]).encode(), body)


def sse(*parts: object) -> Handler:
    return raw(OK, events(*parts).encode())


WAYS: dict[str, tuple[Handler, str]] = {
    "hangs up at once": (raw(), "broke off"),
    "within the status": (raw(b"HTTP/1.1 2"), "broke off"),
    "within the headers": (raw(b"HTTP/1.1 200 OK\r\nContent-Ty"), "broke off"),
    "after the headers": (raw(OK), "no answer"),
    "within an event": (raw(OK, b'data: {"choices": [{"del'), "no answer"),
    "after the role": (raw(OK, ROLE), "broke off"),
    "within a chunk": (raw(OK[:-2] + b"Transfer-Encoding: chunked\r\n\r\n", b"ff\r\n", ROLE), "broke off"),
    "before the length is reached": (raw(OK[:-2] + b"Content-Length: 9999\r\n\r\n", ROLE), "broke off"),
    "garbage": (raw(GARBAGE), "broke off"),
    "garbage as an answer": (raw(OK, GARBAGE), "no answer"),
    "garbage as an event": (raw(OK, b"data: " + GARBAGE), "no answer"),
    "a line of 10 MB": (raw(OK, b"data: ", b"x" * 10_000_000, b"\n\n"), "sent more"),
    "comments of 10 MB": (raw(OK, b": ping\n\n" * 1_250_000), "sent more"),
    "an answer of 10 MB, not streamed": (status(200, b" " * 10_000_000, "application/json"), "sent more"),
    "headers without end": (endless(OK[:-2], b"X-Hello: hello\r\n" * 1_000, 0), "broke off"),
    "compressed": (raw(OK[:-2] + b"Content-Encoding: gzip\r\n\r\n", GARBAGE), "no answer"),
    "silent": (silent(), "gave no answer"),
    "silent after the headers": (silent(OK), "gave no answer"),
    "silent after the role": (silent(OK, ROLE), "gave no answer"),
    "comments for ever": (endless(OK, b": ping\n\n"), "gave no answer"),
    "a byte now and then": (raw(*(bytes([byte]) for byte in OK + ROLE), pause_s=0.2), "gave no answer"),
    "empty events for ever": (endless(OK, ROLE), "less than 3 tokens a second"),
    "thoughts for ever": (endless(OK, events(delta(reasoning_content="Hm")).encode()), "nothing but thoughts"),
    "thoughts alone": (sse(delta(reasoning="Hm"), END), "nothing but thoughts"),
    "a page": (status(200), "no answer"),
    "a page with a status": (status(502), "failed (status 502)"),
    "another redirect": (status(307, location="/v1/elsewhere"), "sends elsewhere"),
    "an error as an event": (sse(ERROR, END), "failed (status 500)"),
    "an error of llama-server's of 2025": (
        raw(OK, b"error: " + json.dumps(ERROR["error"]).encode() + b"\n\n"),
        "failed",
    ),
    "an error as vLLM wrote it": (sse({"object": "error", "message": "hello", "code": 400}, END), "does not take"),
    "an error beside the format": (raw(OK, b'{"error": "hello"}\n'), "failed"),
    "an error as an answer": (status(200, json.dumps(ERROR).encode(), "application/json"), "failed"),
    "too much to do, told in the stream": (sse({"error": {"message": "hello", "code": 429}}), "too much to do"),
    "a wrong key": (status(401), "refused the key"),
    "no right": (status(403), "refused the key"),
    "no such model": (status(404), "no such model"),
    "too much to do": (status(429), "too much to do"),
    "starting": (status(503), "is starting"),
}


@pytest.fixture(autouse=True)
def no_thread_stays() -> Iterator[None]:
    yield
    until_s = time.monotonic() + 2
    while readers() and time.monotonic() < until_s:
        time.sleep(0.02)
    assert readers() == []


def readers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "model server"]


def model(url: str, silence_s: float = SILENCE_S) -> LanModel:
    return LanModel(url, "big", KEY, silence_s)


def answer(pool: Pool) -> str:
    return "".join(pool.generate(HELLO, None, 16, Usage(), never))


@pytest.mark.parametrize("way", WAYS)
def test_the_next_server_answers_in_time(serve: Serve, caplog: pytest.LogCaptureFixture, way: str) -> None:
    caplog.set_level(logging.DEBUG)
    handle, told = WAYS[way]
    first = serve(handle)
    silence_s = SILENCE_S if told in SILENT else 10
    pool = Pool([Pair(model(first, silence_s)), Pair(model(serve(says("Here", ".")), 10))])
    began_s = time.monotonic()
    assert answer(pool) == "Here."
    assert time.monotonic() - began_s < SILENCE_S + 4
    (line,) = [record.getMessage() for record in caplog.records if record.name == "appliance.llm.pool"]
    assert told in line
    assert first.removesuffix("/v1") in line
    ours = [record for record in caplog.records if record.name.startswith("appliance")]
    assert not any("hello" in record.getMessage() for record in ours)
    assert KEY not in caplog.text


@pytest.mark.parametrize("way", ["within an event", "silent", "a page with a status", "an error as an event"])
def test_the_next_server_makes_the_calls(serve: Serve, way: str) -> None:
    pool = Pool([Pair(model(serve(WAYS[way][0]))), Pair(model(serve(says("Here.")), 10))])
    assert pool.converse(HELLO, [TIMER], 64, Usage(), never) == Answer("Here.")


def test_server_that_is_off_or_has_no_name_is_passed_over(serve: Serve) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        off = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        assert answer(Pool([Pair(model(off)), Pair(model(serve(says("Here.")), 10))])) == "Here."


def test_nobody_is_followed_to_another_host(serve: Serve) -> None:
    asked: list[str] = []
    other = serve(lambda request: asked.append(request.path))
    first = serve(status(307, location=f"{other}/chat/completions"))
    with pytest.raises(TurnFailed, match="sends elsewhere"):
        list(model(first).generate(HELLO, None, 16, Usage(), never))
    assert asked == []


@pytest.mark.parametrize("tail", [delta(content=""), delta(reasoning="Hm")], ids=["empty", "thoughts"])
def test_answer_that_goes_on_without_saying_anything_is_ended(serve: Serve, tail: object) -> None:
    said = list[str]()
    pieces = model(serve(endless(OK + events(delta(content="Here")).encode(), events(tail).encode()))).generate(
        HELLO, None, 16, Usage(), never
    )
    with pytest.raises(TurnFailed, match="less than 3 tokens"):
        said.extend(pieces)
    assert said == ["Here"]


def test_answer_that_is_read_late_is_not_late(serve: Serve) -> None:
    """Whoever speaks it may take longer over a sentence than the server over the next."""
    pieces = model(serve(says("One.", "Two.", "Three."))).generate(HELLO, None, 16, Usage(), never)
    read = []
    for piece in pieces:
        read.append(piece)
        time.sleep(1.5 * SILENCE_S)
    assert read == ["One.", "Two.", "Three."]


@pytest.mark.parametrize("fat", [False, True], ids=["token by token", "all at once"])
def test_tokens_without_end_are_hung_up_on_at_the_limit(serve: Serve, fat: bool) -> None:
    noticed = threading.Event()

    def handle(request: BaseHTTPRequestHandler) -> None:
        begin(request)
        for part in repeat(events(delta(content="word " * (20_000 if fat else 1))).encode()):
            try:
                request.wfile.write(part)
            except ConnectionError:
                noticed.set()
                return

    text = "".join(model(serve(handle), 5).generate(HELLO, None, 16, Usage(), never))
    assert len(text) == (16 * TOKEN_CHARS if fat else 16 * len("word "))
    assert noticed.wait(2)


def test_memory_is_bounded_however_much_comes(serve: Serve) -> None:
    flood = serve(endless(OK + b"data: ", b"x" * 65_536, 0))
    tracemalloc.start()
    try:
        with pytest.raises(TurnFailed, match="sent more"):
            list(model(flood, 10).generate(HELLO, None, 16, Usage(), never))
        assert tracemalloc.get_traced_memory()[1] < 3 * ANSWER_BYTES
    finally:
        tracemalloc.stop()


def until(stop_s: float) -> Stale:
    return lambda: time.monotonic() > stop_s


@pytest.mark.parametrize("way", ["silent", "silent after the role", "hangs up at once", "a page with a status"])
def test_no_thread_is_left_after_fifty_failed_turns(serve: Serve, way: str) -> None:
    """The fixture looks for them."""
    failing, now_s = model(serve(WAYS[way][0]), 0.05), 0.0
    pool = Pool([Pair(failing)], lambda: now_s)
    for _ in range(50):
        with pytest.raises(ModelChanged):
            answer(pool)
        now_s += 1_000
    assert len(readers()) < 10


def test_no_thread_is_left_after_fifty_turns_that_somebody_cut_short(serve: Serve) -> None:
    """Long before the server is given up, which would end them too."""
    patient = model(serve(silent(OK, ROLE)), 600)
    for _ in range(50):
        with pytest.raises(Cancelled):
            list(patient.generate(HELLO, None, 16, Usage(), until(time.monotonic() + 0.02)))
