"""`appliance bridge run` in a process of its own, as va-bridge.service starts it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

PATIENCE_S = 60.0
"""On a machine that does other things as well."""


class BridgeProcess:
    """A context manager."""

    def __init__(self, folder: Path, settings: str, **environment: str) -> None:
        """settings: of the owner, in TOML."""
        self.socket = folder / "bridge.sock"
        self.settings = f'{settings}\n[bridge]\nsocket = "{self.socket}"\n'
        (config := folder / "bridge.toml").write_text(self.settings)
        self._log = folder / "bridge.log"
        command = [sys.executable, "-m", "appliance", "bridge", "run", "--config", str(config)]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, env=os.environ | environment, stderr=log)
        self._await_socket()

    @property
    def log(self) -> str:
        return self._log.read_text()

    def most_mb(self) -> float:
        """Of memory that it ever had."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        [most_kb] = re.findall(r"VmHWM:\s+(\d+) kB", status)
        return int(most_kb) / 1024

    def files(self) -> int:
        """Open ones."""
        return len([*Path(f"/proc/{self._process.pid}/fd").iterdir()])

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> BridgeProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def _await_socket(self) -> None:
        ends_s = time.monotonic() + PATIENCE_S
        while not self.socket.exists():
            assert self._process.poll() is None, self.log
            assert time.monotonic() < ends_s, self.log
            time.sleep(0.05)
