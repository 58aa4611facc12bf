"""A model server behind a real socket, and the ways in which it leaves one waiting."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from lan_server import END, HELLO, KEY, TIMER, Serve, Text, begin, delta, events, hung_up

from appliance.audio import never
from appliance.errors import Cancelled, PromptTooLong, TurnFailed
from appliance.llm.lan import LanModel
from appliance.llm.pool import Pair, Pool
from appliance.ports import Message, Usage


def waiting(url: str, timeout_s: float, stale: Callable[[], bool] = never) -> list[str]:
    model = LanModel(url, "big", KEY, timeout_s)
    try:
        return list(model.generate(HELLO, None, 16, Usage(), stale))
    finally:
        model.close()


def test_socket_brings_the_answer_as_it_is_written(serve: Serve) -> None:
    read = threading.Event()

    def handle(request: BaseHTTPRequestHandler) -> None:
        begin(request, "one")
        read.wait(5)
        request.wfile.write(events(delta(content="two"), END).encode())

    model = LanModel(serve(handle), "big", KEY, 5)
    pieces = model.generate(HELLO, None, 16, Usage(), never)
    assert next(pieces) == "one"
    read.set()
    assert list(pieces) == ["two"]


@pytest.mark.parametrize("said", [False, True], ids=["before the first word", "within the answer"])
def test_stop_is_obeyed_while_the_server_is_silent_and_it_is_hung_up_on(serve: Serve, said: bool) -> None:
    seen: list[bool] = []
    noticed = threading.Event()

    def handle(request: BaseHTTPRequestHandler) -> None:
        if said:
            begin(request, "one")
        seen.append(hung_up(request))
        noticed.set()

    url, stop_s = serve(handle), time.monotonic() + 0.4
    with pytest.raises(Cancelled):
        waiting(url, 30, lambda: time.monotonic() > stop_s)
    assert time.monotonic() - stop_s < 0.3
    assert noticed.wait(1)
    assert seen == [True]


def test_answer_that_nobody_reads_to_its_end_is_hung_up_on(serve: Serve) -> None:
    noticed = threading.Event()

    def handle(request: BaseHTTPRequestHandler) -> None:
        begin(request, "one", "two")
        if hung_up(request):
            noticed.set()

    pieces = LanModel(serve(handle), "big", KEY, 30).generate(HELLO, None, 16, Usage(), never)
    assert next(pieces) == "one"
    assert isinstance(pieces, Generator)
    pieces.close()
    assert noticed.wait(1)


@pytest.mark.parametrize("comments", [False, True], ids=["silent", "only comments"])
def test_server_that_says_nothing_is_given_up_in_time(serve: Serve, comments: bool) -> None:
    def handle(request: BaseHTTPRequestHandler) -> None:
        begin(request)
        with suppress(ConnectionError):
            for _ in range(40):
                if comments:
                    request.wfile.write(b": ping\n\n")
                time.sleep(0.05)

    started_s = time.monotonic()
    with pytest.raises(TurnFailed, match=r"at http://127\.0\.0\.1:\d+ gave no answer in .*look whether it runs"):
        waiting(serve(handle), 0.5)
    assert 0.4 < time.monotonic() - started_s < 1.5


def test_connection_that_breaks_within_an_answer_is_a_failed_turn(serve: Serve) -> None:
    def handle(request: BaseHTTPRequestHandler) -> None:
        request.protocol_version = "HTTP/1.1"
        request.send_response(200)
        request.send_header("transfer-encoding", "chunked")
        request.end_headers()
        request.wfile.write(b"5\r\ndata:")

    with pytest.raises(TurnFailed, match="broke off its answer"):
        waiting(serve(handle), 5)


def test_server_that_is_off_is_told_at_once() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(TurnFailed, match="cannot be reached"):
            waiting(f"http://127.0.0.1:{taken.getsockname()[1]}/v1", 5)


# --- llama.cpp's own server, with the smallest model of the manifest


@pytest.fixture(scope="module")
def llama_server(model: Callable[..., Path]) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {"model": model("smollm2-135m"), "host": "127.0.0.1", "port": port, "n_ctx": 512, "api_key": KEY}
    command = [sys.executable, "-m", "llama_cpp.server", "--n_threads", "1"]
    command += [str(word) for name, value in options.items() for word in (f"--{name}", value)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port, process)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(10)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    until_s = time.monotonic() + 120
    while time.monotonic() < until_s and process.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.2)
    pytest.fail(f"llama_cpp.server did not start (exit code {process.poll()})")


def test_real_server_answers_obeys_the_grammar_and_stops(llama_server: str) -> None:
    model, usage = LanModel(llama_server, "local", KEY, 60), Usage()
    assert "".join(model.generate(HELLO, Text(), 8, usage, never)) in ("yes", "no")
    assert usage.generated_tokens > 0
    answer = model.converse(HELLO, [TIMER], 8, usage, never)
    assert answer.text or answer.calls or answer.broken
    counting, heard = [Message("user", "Count to one hundred.")], list[str]()
    with pytest.raises(Cancelled):
        heard.extend(model.generate(counting, None, 100, usage, lambda: len(heard) >= 3))
    assert len(heard) == 3


def test_real_server_is_asked_with_the_key_that_it_takes(llama_server: str) -> None:
    wrong, right = (Pair(LanModel(llama_server, "local", key, 60)) for key in ("wrong", KEY))
    pool = Pool([wrong, right])
    for _ in range(2):
        assert "".join(pool.generate(HELLO, Text(), 8, Usage(), never)) in ("yes", "no")
    assert wrong.is_out


def test_prompt_that_is_too_long_for_a_real_server_is_told_as_such(llama_server: str) -> None:
    model = LanModel(llama_server, "local", KEY, 60)
    with pytest.raises(PromptTooLong):
        list(model.generate([Message("user", "and so on " * 600)], None, 8, Usage(), never))
