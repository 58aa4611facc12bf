"""The health door, on a socket that systemd's own tool passed in; asked as one should, and as one should not."""

from __future__ import annotations

import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from appliance.doors import client, health
from appliance.doors.health import Answer, HealthDoor, passed

SERVE = """
import os, sys, time
from appliance.doors.health import HealthDoor, passed
listener, = passed(os.environ)
assert not [name for name in os.environ if name.startswith("LISTEN_")], "a child would think they are its own"
with HealthDoor(listener, {"/healthz": lambda: (True, {"alive": True}), "/readyz": lambda: (False, {"ready": False})}):
    sys.stdin.read()
"""


def ask(path: Path, request: bytes, within_s: float = 10) -> bytes:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.settimeout(within_s)
        caller.connect(str(path))
        caller.sendall(request)
        answer = b""
        while more := caller.recv(4_096):
            answer += more
        return answer


def get(path: Path, target: str) -> tuple[int, dict[str, object]]:
    head, _, body = ask(path, f"GET {target} HTTP/1.1\r\nHost: va\r\n\r\n".encode()).partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "api.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        answers: dict[str, Answer] = {
            "/healthz": lambda: (True, {"alive": True}),
            "/readyz": lambda: (False, {"trouble": "starting"}),
            "/text": lambda: (True, "va_ready 0\n"),
        }
        with HealthDoor(listener.dup(), answers):
            yield path


@pytest.mark.skipif(shutil.which("systemd-socket-activate") is None, reason="systemd is not here: apt install systemd")
def test_socket_passed_by_systemd_is_served(tmp_path: Path) -> None:
    path = tmp_path / "api.sock"
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        ["systemd-socket-activate", "-E", "PYTHONPATH", "-l", str(path), sys.executable, "-c", SERVE],
        env=environment,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        ends_s = time.monotonic() + 10
        while not path.exists() and time.monotonic() < ends_s:
            time.sleep(0.02)
        assert get(path, "/healthz") == (200, {"alive": True})
        assert get(path, "/readyz") == (503, {"ready": False})
        process.communicate(timeout=10)
    assert process.returncode == 0


@pytest.mark.skipif(shutil.which("systemd-socket-activate") is None, reason="systemd is not here: apt install systemd")
@pytest.mark.parametrize(("named", "names"), [(["--fdname=api:hub"], ["api", "hub"]), ([], ["", ""])])
def test_sockets_are_told_apart_by_their_names(tmp_path: Path, named: list[str], names: list[str]) -> None:
    tell = (
        "import json, os; from appliance.doors.health import passed_by_name;"
        "print(json.dumps([[name, each.getsockname()] for name, each in passed_by_name(os.environ)]))"
    )
    paths = [str(tmp_path / "one.sock"), str(tmp_path / "two.sock")]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(__file__).parents[2])}
    listens = [word for path in paths for word in ("-l", path)]
    with subprocess.Popen(
        ["systemd-socket-activate", "-E", "PYTHONPATH", *named, *listens, sys.executable, "-c", tell],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        ends_s = time.monotonic() + 20
        while time.monotonic() < ends_s and not all(Path(path).exists() for path in paths):
            time.sleep(0.02)
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(paths[1])
            told, _ = process.communicate(timeout=30)
    assert json.loads(told) == [list(each) for each in zip(names, paths, strict=True)]


def test_no_socket_is_passed_to_another_process_or_by_nobody() -> None:
    assert passed({}) == []
    assert passed({"LISTEN_FDS": "1", "LISTEN_PID": "1"}) == []
    assert passed({"LISTEN_FDS": "1"}) == []
    assert passed({"LISTEN_FDS": "0", "LISTEN_PID": str(os.getpid())}) == []


@pytest.mark.parametrize("target", ["/", "/metrics", "/healthz/", "/../etc/passwd", "/api/v0/voice/command"])
def test_nothing_else_is_answered(door: Path, target: str) -> None:
    assert get(door, target)[0] == 404


def test_text_is_answered_as_such(door: Path) -> None:
    answer = ask(door, b"GET /text HTTP/1.1\r\n\r\n")
    assert b"\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n" in answer
    assert answer.endswith(b"\r\n\r\nva_ready 0\n")
    assert client.read("/text", door) == "va_ready 0\n"
    with pytest.raises(OSError, match="nonsense"):
        client.ask("/text", door)


def test_only_get(door: Path) -> None:
    assert ask(door, b"POST /healthz HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello").startswith(b"HTTP/1.1 405")


@pytest.mark.parametrize(
    "request_", [b"\r\n\r\n", b"\x16\x03\x01\x02\x00\r\n\r\n", b"GET\r\n\r\n", b"\xff" * 99 + b"\r\n\r\n"]
)
def test_nonsense_is_refused_and_the_next_caller_served(door: Path, request_: bytes) -> None:
    assert b"404" in ask(door, request_)
    assert get(door, "/healthz")[0] == 200


def test_a_request_without_end_is_cut_off(door: Path) -> None:
    with suppress(ConnectionResetError, BrokenPipeError):
        assert ask(door, b"GET /healthz HTTP/1.1\r\n" + b"x: y\r\n" * 100_000) == b""
    assert get(door, "/healthz")[0] == 200


def test_silent_and_slow_callers_do_not_hold_the_door(door: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PATIENCE_S", 0.3)
    with socket.socket(socket.AF_UNIX) as silent, socket.socket(socket.AF_UNIX) as slow:
        silent.connect(str(door))
        slow.connect(str(door))
        slow.sendall(b"GET /hea")
        start_s = time.monotonic()
        assert get(door, "/healthz")[0] == 200
        assert time.monotonic() - start_s < 3


def test_a_caller_that_hangs_up_is_no_matter(door: Path) -> None:
    for _ in range(20):
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(str(door))
            caller.sendall(b"GET /readyz HTTP/1.1\r\n\r\n")
    assert get(door, "/readyz") == (503, {"trouble": "starting"})


def test_lack_of_descriptors_is_one_line_in_the_log_and_passes(
    door: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(health, "LOOK_S", 0.01)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    with socket.socket(socket.AF_UNIX) as caller:
        os.close(lowest := os.dup(0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, limits[1]))
        try:
            caller.connect(str(door))
            time.sleep(0.5)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        caller.sendall(b"GET /healthz HTTP/1.1\r\n\r\n")
        assert caller.recv(4_096).startswith(b"HTTP/1.1 200")
    assert len([record for record in caplog.records if "let in" in record.getMessage()]) == 1


def test_the_client_is_answered_well_or_not_and_told_of_what_is_not_known(door: Path) -> None:
    assert client.ask("/healthz", door) == {"alive": True}
    assert client.ask("/readyz", door) == {"trouble": "starting"}
    assert client.ask("/status", door) is None
    with pytest.raises(OSError, match="No such file"):
        client.ask("/healthz", door.with_name("nobody.sock"))


def test_the_client_asks_where_systemd_listens() -> None:
    unit = Path(__file__).parents[2] / "systemd/va-api.socket"
    assert f"ListenStream={client.SOCKET}" in unit.read_text().splitlines()
