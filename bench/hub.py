"""What the hub adds to the core's answer: `python -m bench.hub`, with a simulated core that answers at once.

Prints one JSON row: milliseconds of a line over HTTP, of the same line at the core's socket, and of the hub's own CPU
time for one. On a machine that does other things only the last says something.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import httpx

from appliance.hub.tokens import Tokens
from appliance.simulated.hub_core import SimulatedCore

PATIENCE_S = 60.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=500)
    lines = parser.parse_args().lines
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _serve_core(folder / "core.sock")
        port, hub = _start_hub(folder)
        try:
            headers = {"Authorization": f"Bearer {Tokens(folder / 'hub').add('bench', 'owner')}"}
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=PATIENCE_S) as client:
                client.post("/api/v0/conversation/start", json={"conversation_id": "c"})
                body = {"conversation_id": "c", "voice_command": "hello"}
                ask = _measured(lambda: client.post("/api/v0/voice/command", json=body).raise_for_status(), lines)
                before_s = _cpu_s(hub.pid)
                over_http = ask()
                cpu_s = _cpu_s(hub.pid) - before_s
            direct = _measured(_direct(folder / "core.sock"), lines)()
        finally:
            hub.terminate()
            hub.wait()
    row = {"lines": lines, "cpu_ms": round(cpu_s / lines * 1_000, 2)}
    print(
        json.dumps(
            row
            | {f"http_{key}": each for key, each in over_http.items()}
            | {f"core_{key}": each for key, each in direct.items()}
        )
    )


def _serve_core(path: Path) -> None:
    ready = Event()

    async def serve() -> None:
        await SimulatedCore().start(path)
        ready.set()
        await asyncio.Event().wait()

    Thread(target=lambda: asyncio.run(serve()), daemon=True).start()
    assert ready.wait(PATIENCE_S)


def _start_hub(folder: Path) -> tuple[int, subprocess.Popen[bytes]]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (config := folder / "config.toml").write_text(
        f'[hub]\nfolder = "{folder / "hub"}"\ncore_socket = "{folder / "core.sock"}"\n'
        f"port = {port}\nper_minute = 100000\n"
    )
    hub = subprocess.Popen(
        [sys.executable, "-m", "appliance", "hub", "run", "--config", str(config)], stderr=subprocess.DEVNULL
    )
    ends_s = time.monotonic() + PATIENCE_S
    while True:
        try:
            httpx.get(f"http://127.0.0.1:{port}/readyz").raise_for_status()
        except httpx.HTTPError:
            assert time.monotonic() < ends_s
            time.sleep(0.1)
        else:
            return port, hub


def _measured(ask: Callable[[], object], times: int) -> Callable[[], dict[str, float]]:
    def measure() -> dict[str, float]:
        took_ms = []
        for _ in range(times):
            began_s = time.monotonic()
            ask()
            took_ms.append((time.monotonic() - began_s) * 1_000)
        return {
            "p50_ms": round(statistics.median(took_ms), 2),
            "p95_ms": round(statistics.quantiles(took_ms, n=20)[-1], 2),
        }

    return measure


def _direct(path: Path) -> Callable[[], object]:
    caller = socket.socket(socket.AF_UNIX)
    caller.connect(str(path))
    file = caller.makefile("rwb")
    line = json.dumps({"id": 1, "do": "turn", "arguments": {"conversation": "c", "text": "hello"}}).encode() + b"\n"

    def ask() -> None:
        file.write(line)
        file.flush()
        while b'"is"' not in file.readline():
            pass

    return ask


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
