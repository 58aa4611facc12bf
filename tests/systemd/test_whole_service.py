"""`appliance run` as systemd runs it: a passed socket, a manager that listens, real sound; then the sound goes away."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from manager import Manager
from room import Room, opened
from small import Small

from appliance import settings_file
from bench.processes import model_process

READY_S, SOON_S = 300, 20
WATCHDOG_S = 8

room = pytest.fixture(opened)


class Connection(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("va", timeout=SOON_S)
        self._path = path

    def connect(self) -> None:
        ends_s = time.monotonic() + SOON_S
        while True:
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.settimeout(SOON_S)
            try:
                return self.sock.connect(str(self._path))
            except (FileNotFoundError, ConnectionRefusedError):  # it is there a moment before anybody listens
                self.sock.close()
                if time.monotonic() > ends_s:
                    raise
                time.sleep(0.02)


class Unit:
    def __init__(self, folder: Path, room: Room, small: Small) -> None:
        self._path, self.manager = folder / "api.sock", Manager(folder / "notify")
        environment = room.environment | {
            "NOTIFY_SOCKET": self.manager.address,
            "WATCHDOG_USEC": str(WATCHDOG_S * 1_000_000),
            "VOICE_APPLIANCE_MODELS": str(settings_file.load().models),
        }
        passed = [word for name in environment for word in ("-E", name)]
        options = ["--config", str(small.config), "--state", str(small.state)]
        command = ["systemd-socket-activate", "-l", str(self._path), *passed, sys.executable, "-m", "appliance", "run"]
        self.process = subprocess.Popen([*command, *options], env=environment, stderr=subprocess.DEVNULL)

    def get(self, target: str) -> tuple[int, dict[str, Any]]:
        connection = Connection(self._path)
        connection.request("GET", target)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    def await_status(self, target: str, status: int) -> dict[str, Any]:
        ends_s = time.monotonic() + SOON_S
        while (answer := self.get(target))[0] != status:
            assert time.monotonic() < ends_s, answer
            time.sleep(0.2)
        return answer[1]


@pytest.fixture
def unit(room: Room, small: Small, tmp_path: Path) -> Iterator[Unit]:
    made = Unit(tmp_path, room, small)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.wait()
        made.manager.close()


def test_from_the_first_question_to_the_last_word(unit: Unit, room: Room) -> None:
    status, told = unit.get("/readyz")  # which is what starts it
    assert (status, told["trouble"]) == (503, "starting")
    assert unit.get("/healthz")[0] == 200
    assert int(unit.manager.await_field("EXTEND_TIMEOUT_USEC", READY_S)) > 0
    assert unit.manager.await_field("READY", READY_S) == "1"
    assert unit.await_status("/readyz", 200)["microphone"] == "open"
    assert unit.get("/status")[1]["devices"]["microphone"] == "default"
    assert unit.manager.await_field("WATCHDOG", WATCHDOG_S / 2) == "1"
    os.kill(model_process(unit.process.pid), signal.SIGKILL)
    assert "the language model" in unit.manager.await_field("STATUS", SOON_S, "degraded")
    assert unit.await_status("/readyz", 200)["trouble"] == ""
    room.server.kill()  # the sound card is gone
    assert "microphone" in unit.manager.await_field("STATUS", SOON_S, "degraded")
    assert unit.await_status("/readyz", 503)["microphone"] == "lost"
    assert unit.manager.count("WATCHDOG", WATCHDOG_S) > 0, "a missing microphone is no reason to be restarted"
    assert unit.get("/healthz") == (200, {"alive": True, "late": []})
    unit.process.send_signal(signal.SIGTERM)
    assert unit.manager.await_field("STOPPING", SOON_S) == "1"
    assert unit.process.wait(SOON_S) == 0
