"""Real servers: one made with the official SDK, by both ways, and one from the package index."""

from __future__ import annotations

import gzip
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from running_mcp import HERE, RunningMcp, running, until

from appliance.errors import CannotBeDone
from appliance.settings import McpServer

SDK = [sys.executable, str(HERE / "sdk_server.py")]


def env_file(tmp_path: Path) -> Path:
    """Where Python finds the packages of this environment; a program has no environment of its own accord."""
    path = tmp_path / "env"
    path.write_text(f"PYTHONPATH={os.pathsep.join(sys.path)}\nTZ=UTC\n")
    path.chmod(0o600)
    return path


@contextmanager
def connected(server: McpServer, name: str = "town") -> Iterator[RunningMcp]:
    with running({name: server}) as bridge:
        until(lambda: "link" in bridge.news and bridge.link(name)["up"], 60)
        yield bridge


def free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


@contextmanager
def served(port: int) -> Iterator[McpServer]:
    with subprocess.Popen([*SDK, str(port)], stderr=subprocess.DEVNULL) as process:
        try:
            until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, 60)
            yield McpServer(url=f"http://127.0.0.1:{port}/mcp")
        finally:
            process.kill()


def check_sdk(bridge: RunningMcp) -> None:
    assert bridge.tools("town").keys() >= {"add", "get_weather", "learn"}
    assert bridge.call("town", "add", a=2, b=3)["text"] == "5"
    assert bridge.call("town", "get_weather", town="Bath")["text"] == "Bath: rain for 1 days"
    assert bridge.call("town", "add", a="two", b=3)["failed"]
    assert bridge.call("town", "learn")["text"] == "learnt"
    until(lambda: "sing" in bridge.tools("town"))


def test_the_sdk_by_stdio(tmp_path: Path) -> None:
    with connected(McpServer(command=[*SDK, "stdio"], env_file=env_file(tmp_path))) as bridge:
        check_sdk(bridge)


def test_the_sdk_by_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("appliance.bridge.mcp_server.LOOK_S", 2.0)  # the SDK tells a change to a stateful session only
    with served(free_port()) as server, connected(server) as bridge:
        check_sdk(bridge)


def test_a_server_that_is_away_says_so_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("appliance.bridge.mcp_server.LOOK_S", 1.0)
    port = free_port()
    with served(port) as server, running({"town": server}) as bridge:
        until(lambda: "link" in bridge.news and bridge.link("town")["up"], 60)
        kept = bridge.tools("town").keys()
        with served_ended(port):
            since_s = time.monotonic()
            with pytest.raises(CannotBeDone):
                bridge.call("town", "add", a=2, b=3)
            assert time.monotonic() - since_s < 3
            until(lambda: not bridge.link("town")["up"])
            assert bridge.tools("town").keys() == kept, "what it can do is still known"
        with served(port):
            until(lambda: bridge.link("town")["up"], 60)
            assert bridge.call("town", "add", a=2, b=3)["text"] == "5"


@contextmanager
def served_ended(port: int) -> Iterator[None]:
    """Once whoever listens there has been killed."""
    found = subprocess.run(["pgrep", "-f", f"sdk_server.py {port}"], capture_output=True, text=True, check=True)
    for pid in found.stdout.split():
        os.kill(int(pid), 9)
    until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) != 0)
    yield


def test_the_time_server_of_the_index(tmp_path: Path) -> None:
    pytest.importorskip("mcp_server_time")
    command = [sys.executable, "-m", "mcp_server_time", "--local-timezone=Europe/London"]
    with connected(McpServer(command=command, env_file=env_file(tmp_path)), "time") as bridge:
        assert bridge.tools("time").keys() == {"get_current_time", "convert_time"}
        assert "Asia/Tokyo" in bridge.call("time", "get_current_time", timezone="Asia/Tokyo")["text"]
        answer = bridge.call("time", "get_current_time", timezone="Mars/Olympus")
        assert answer["failed"]
        assert "Mars/Olympus" in answer["text"]


class Odd(BaseHTTPRequestHandler):
    """Answers whatever is asked in its own way."""

    how = ""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        if self.how == "refuses":
            self.send_error(401)
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        if self.how == "packs":
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        try:
            self._write()
        except OSError:
            return

    def _write(self) -> None:
        if self.how == "packs":
            self.wfile.write(gzip.compress(b" " * (1 << 20)))
        while self.how == "pours":
            self.wfile.write(b" " * (1 << 20))
        if self.how == "says nothing":
            time.sleep(3)

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.mark.parametrize(
    ("how", "why"),
    [("refuses", "refused"), ("pours", "flood"), ("packs", "nonsense"), ("says nothing", "no_answer")],
)
def test_an_address_that_is_no_use_says_why(how: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("appliance.bridge.mcp_server.ANSWER_S", 1.0)
    odd = type("OddOne", (Odd,), {"how": how})
    with ThreadingHTTPServer(("127.0.0.1", 0), odd) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        if how != "pours":
            monkeypatch.setattr("appliance.bridge.mcp_server.ANSWER_S", 1.0)
        else:
            monkeypatch.setattr("appliance.bridge.mcp_server.ANSWER_S", 20.0)
        url = f"http://127.0.0.1:{server.server_address[1]}/mcp"
        try:
            with running({"odd": McpServer(url=url)}) as bridge:
                until(lambda: "link" in bridge.news and bridge.link("odd")["why"] == why, 30)
        finally:
            server.shutdown()


def test_nobody_at_an_address_says_so() -> None:
    with running({"odd": McpServer(url=f"http://127.0.0.1:{free_port()}/mcp")}) as bridge:
        until(lambda: "link" in bridge.news and bridge.link("odd")["why"] == "no_server")
