"""The service as its manager has it: started again whenever it ends, behind a socket that stays."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import TracebackType

PATIENCE_S = 120.0
"""For a start, on a machine that does other things as well."""
PROGRAM = Path(__file__).with_name("telling_run.py")


class Restarted:
    """A context manager. `settings`: the file that only root may write."""

    def __init__(self, folder: Path, settings: str = "") -> None:
        self.state, self.core, self.said_file = folder / "state", folder / "core.sock", folder / "said.txt"
        (config := folder / "config.toml").write_text(settings)
        self.options = ["--config", str(config), "--profile", "desktop", "--state", str(self.state)]
        self._environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(folder),
            "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]),
            "VOICE_APPLIANCE_MODELS": str(folder / "none"),
            "NOTIFY_SOCKET": str(folder / "notify.sock"),
        }
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.core))
        self._listener.listen()
        self._manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._manager.bind(self._environment["NOTIFY_SOCKET"])
        self.codes: list[int] = []
        """How each process ended that was started again."""
        self._process: subprocess.Popen[bytes] | None = None
        self._over = False
        self._threads = [Thread(target=each, daemon=True) for each in (self._keep, self._hear)]

    def __enter__(self) -> Restarted:
        for each in self._threads:
            each.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over = True
        if self._process:
            self._process.kill()
        self._threads[0].join(PATIENCE_S)
        self._listener.close()
        self._manager.close()

    @property
    def said(self) -> str:
        """All that was said aloud so far."""
        return self.said_file.read_text() if self.said_file.exists() else ""

    def until(self, true: Callable[[], object]) -> None:
        ends_s = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < ends_s, self.said
            time.sleep(0.05)

    def _keep(self) -> None:
        number = self._listener.fileno()
        command = [sys.executable, str(PROGRAM), str(self.said_file), str(number), *self.options]
        while not self._over:
            self._process = subprocess.Popen(command, env=self._environment, pass_fds=[number])
            code = self._process.wait()
            if not self._over:
                self.codes.append(code)

    def _hear(self) -> None:
        with suppress(OSError):  # once it is over
            while True:
                self._manager.recv(4_096)
