"""`appliance run` as systemd starts it, with a passed socket, no model and no sound card; and commands to it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from appliance.doors import client

PATIENCE_S = 60
JAIL = [sys.executable, str(Path(__file__).parent / "systemd/jailed.py"), "AF_UNIX", "--"]
"""It may open no other sockets, as in va.service."""


class RunningService:
    """Started by the first question at its socket, as by va-api.socket."""

    def __init__(self, folder: Path, settings: str = "", hub: Path | None = None) -> None:
        """settings: of the owner, in TOML.  hub: another socket, that the hub is to come through."""
        self.state, self.socket = folder / "state", folder / "api.sock"
        (config := folder / "config.toml").write_text(settings)
        self.options = ["--config", str(config), "--state", str(self.state)]
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(folder),
            "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]),
            "VOICE_APPLIANCE_MODELS": str(folder / "none"),
        }
        passed = [word for name in environment for word in ("-E", name)]
        listen = ["-l", str(self.socket)]
        if hub:
            listen += ["-l", str(hub), "--fdname=va-api.socket:hub"]
        command = ["systemd-socket-activate", *listen, *passed, *JAIL, sys.executable, "-m", "appliance"]
        self.process = subprocess.Popen([*command, "run", *self.options], env=environment, stderr=subprocess.DEVNULL)
        self.until(self.socket.exists)

    def status(self) -> dict[str, object]:
        return client.ask("/readyz", self.socket) or {}

    def until(self, true: Callable[[], object]) -> None:
        ends_s = time.monotonic() + PATIENCE_S
        while not true():
            assert self.process.poll() is None
            assert time.monotonic() < ends_s
            time.sleep(0.05)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def command(*words: str, socket: Path, runs: bool = True) -> subprocess.Popen[str]:
    """`appliance WORDS` in a process of its own, for which the service at `socket` is the one that systemd started."""
    code = f"""
import sys
from pathlib import Path
from appliance import cli
from appliance.doors import client
from appliance.terminal import jail
client.SOCKET, jail.service_process = Path({str(socket)!r}), lambda: Path("/proc/self") if {runs} else None
sys.exit(cli.main({list(words)!r}))
"""
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
