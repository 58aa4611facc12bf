"""The hub's end of its socket, as small as it can be: for tests."""

from __future__ import annotations

import json
import socket
from itertools import count
from pathlib import Path
from typing import Any

PATIENCE_S = 60.0


class Hub:
    """One connection. A context manager."""

    def __init__(self, path: Path, patience_s: float = PATIENCE_S) -> None:
        self._socket, self._numbers = socket.socket(socket.AF_UNIX), count(1)
        self._socket.settimeout(patience_s)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("rb")
        self.told: dict[int, list[dict[str, Any]]] = {}
        """Request -> its events."""
        self._ends: dict[int, dict[str, Any]] = {}

    def __enter__(self) -> Hub:
        return self

    def __exit__(self, *how: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._lines.close()
        self._socket.close()

    def send(self, do: str, **arguments: Any) -> int:
        number = next(self._numbers)
        self.raw(json.dumps({"id": number, "do": do, "arguments": arguments}).encode() + b"\n")
        return number

    def raw(self, line: bytes) -> None:
        self._socket.sendall(line)

    def end(self, number: int) -> dict[str, Any]:
        """What a request ended in. Raises ConnectionError where the core hung up."""
        while number not in self._ends:
            self.read()
        return self._ends.pop(number)

    def read(self) -> dict[str, Any]:
        """The next line."""
        if not (line := self._lines.readline()):
            raise ConnectionError("it hung up")
        told: dict[str, Any] = json.loads(line)
        if "event" in told:
            self.told.setdefault(told["id"], []).append(told)
        else:
            self._ends[told["id"]] = told
        return told

    def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        """What is answered. Raises LookupError with the kind of a refusal."""
        end = self.end(self.send(do, **arguments))
        if "error" in end:
            raise LookupError(end["kind"])
        return dict(end["is"])
