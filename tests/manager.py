"""A service manager's ear: the socket that sd_notify writes to."""

from __future__ import annotations

import socket
import time
from pathlib import Path


class Manager:
    def __init__(self, path: Path) -> None:
        self.address = str(path)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.address)

    def told(self, within_s: float) -> dict[str, str] | None:
        """The next message, or None when none comes."""
        self._socket.settimeout(within_s)
        try:
            lines = self._socket.recv(4_096).decode().splitlines()
        except TimeoutError:
            return None
        return dict(line.split("=", 1) for line in lines)

    def await_field(self, name: str, within_s: float, holds: str = "") -> str:
        """The value of the first `name` that comes and has `holds` in it; what is told before it is dropped."""
        ends_s, others = time.monotonic() + within_s, []
        while (left_s := ends_s - time.monotonic()) > 0:
            fields = self.told(left_s) or {}
            if name in fields and holds in fields[name]:
                return fields[name]
            others.append(fields)
        raise AssertionError(f"no {name} with {holds!r}; told were {others}")

    def count(self, name: str, for_s: float) -> int:
        """How often `name` is told from now on."""
        while self.told(0.001):
            pass
        ends_s, count = time.monotonic() + for_s, 0
        while (left_s := ends_s - time.monotonic()) > 0:
            count += name in (self.told(left_s) or {})
        return count

    def close(self) -> None:
        self._socket.close()
