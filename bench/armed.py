"""`python -m bench.armed`: seconds from the start of `appliance run` until a timer that is on disk can ring, and until
the box would answer. The real process with this machine's models, in a state of its own; sound is not needed."""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers

LONGEST_S = 900.0
"""For the first reading of the instructions on a slow board."""
LOOK_S = 0.05


class Door(http.client.HTTPConnection):
    """To the API's socket."""

    def __init__(self, path: Path) -> None:
        super().__init__("va", timeout=10)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(10)
        self.sock.connect(str(self._path))


def readyz(path: Path) -> dict[str, Any]:
    """Empty as long as nobody answers."""
    try:
        door = Door(path)
        door.request("GET", "/readyz")
        return dict(json.loads(door.getresponse().read()))
    except (OSError, http.client.HTTPException):
        return {}


def measure(options: list[str], folder: Path, environment: dict[str, str] | None = None) -> dict[str, float]:
    """`options`: of `appliance run`. `folder`: for its state. Seconds since the start: armed, settled."""
    with Store(folder / "appliance.db") as store:
        SqliteTimers(store).add("tea", 3_600, datetime.now(UTC) + timedelta(hours=1))
    door = folder / "api.sock"
    passed = [word for name in (environment or os.environ) for word in ("-E", name)]
    run = [sys.executable, "-m", "appliance", "run", *options, "--state", str(folder)]
    command = ["systemd-socket-activate", "-l", str(door), *passed, *run]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    began_s, found = time.monotonic(), dict[str, float]()
    try:
        while len(found) < 2 and time.monotonic() < began_s + LONGEST_S:
            told = readyz(door)
            if told.get("next_ring_s"):
                found.setdefault("armed", round(time.monotonic() - began_s, 2))
            if told.get("trouble", "starting") != "starting":
                found.setdefault("settled", round(time.monotonic() - began_s, 2))
            time.sleep(LOOK_S)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("options", nargs="*", help="of appliance run, after --")
    with tempfile.TemporaryDirectory(prefix="armed-") as folder:
        print(json.dumps(measure(parser.parse_args().options, Path(folder))))


if __name__ == "__main__":
    main()
