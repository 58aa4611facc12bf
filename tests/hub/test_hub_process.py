"""`appliance hub run` in a process of its own, as va-hub.service starts it."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import httpx
import pytest

from appliance.hub.serve import END_S
from appliance.hub.tokens import Tokens
from appliance.simulated.hub_core import SimulatedCore

PATIENCE_S = 60.0
"""On a machine that does other things as well."""
MOST_MB = 160
"""Of memory: va-hub.service lets it have 192 before it is slowed down."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@pytest.fixture
def core(tmp_path: Path) -> Iterator[Path]:
    """The socket of a simulated one."""
    ready, over = Event(), asyncio.Event()
    loops = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        core = SimulatedCore()
        await core.start(tmp_path / "core.sock")
        ready.set()
        await over.wait()
        await core.stop()

    thread = Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(PATIENCE_S)
    yield tmp_path / "core.sock"
    loops[0].call_soon_threadsafe(over.set)
    thread.join(PATIENCE_S)


@pytest.mark.skipif(shutil.which("systemd-socket-activate") is None, reason="apt install systemd")
def test_it_answers_at_the_port_that_systemd_opened_and_ends_when_it_is_told_to(core: Path, tmp_path: Path) -> None:
    port, config, log = free_port(), tmp_path / "config.toml", tmp_path / "log"
    config.write_text(f'[hub]\nfolder = "{tmp_path / "hub"}"\ncore_socket = "{core}"\nport = 1\n')
    headers = {"Authorization": f"Bearer {Tokens(tmp_path / 'hub').add('one', 'owner')}"}
    run = [sys.executable, "-m", "appliance", "hub", "run", "--config", str(config)]
    with log.open("wb") as out:
        hub = subprocess.Popen(["systemd-socket-activate", "-l", f"127.0.0.1:{port}", *run], stderr=out)
    try:
        ends_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                told = httpx.get(f"http://127.0.0.1:{port}/api/v0/status", headers=headers, timeout=PATIENCE_S)
                break
            except httpx.ConnectError:
                assert time.monotonic() < ends_s, log.read_text()
                time.sleep(0.05)
        assert (told.status_code, told.json()["state"]) == (200, "idle")
        [most_kb] = re.findall(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{hub.pid}/status").read_text())
        print(f"{int(most_kb) / 1024:.0f} MB")
        assert int(most_kb) / 1024 < MOST_MB
        with httpx.stream("GET", f"http://127.0.0.1:{port}/api/v0/events", headers=headers, timeout=None) as events:
            next(events.iter_lines())
            began_s = time.monotonic()
            hub.terminate()
            assert hub.wait(PATIENCE_S) in (0, -15)
        assert time.monotonic() - began_s < END_S, "it waits for nobody who watches"
        assert "Traceback" not in log.read_text()
    finally:
        hub.kill()
        hub.wait()


def test_a_port_that_is_taken_is_told_with_a_remedy(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        config = tmp_path / "config.toml"
        config.write_text(f'[hub]\nfolder = "{tmp_path / "hub"}"\nport = {taken.getsockname()[1]}\n')
        run = [sys.executable, "-m", "appliance", "hub", "run", "--config", str(config)]
        done = subprocess.run(run, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 2
    assert "hub.port" in done.stderr
