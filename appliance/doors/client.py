"""One question to the running service, at the socket that systemd holds for it."""

from __future__ import annotations

import http.client
import json
import socket
from pathlib import Path

SOCKET = Path("/run/va/api.sock")
"""As in systemd/va-api.socket."""
PATIENCE_S = 3.0


class _OverSocket(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("va", timeout=PATIENCE_S)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def ask(target: str, path: Path = SOCKET) -> dict[str, object] | None:
    """As `read`, of what is answered in JSON."""
    text = read(target, path)
    try:
        return None if text is None else dict(json.loads(text))
    except ValueError as error:
        raise OSError(f"it answers nonsense: {error}") from None


def read(target: str, path: Path = SOCKET) -> str | None:
    """What is answered there, whether or not all is well; None where it does not know such a question.

    Ask only while the service runs: systemd starts it for who asks. Raises OSError where nobody answers.
    """
    connection = _OverSocket(path)
    try:
        connection.request("GET", target)
        answer = connection.getresponse()
        told = answer.read().decode()
    except (http.client.HTTPException, ValueError) as error:
        raise OSError(f"it answers nonsense: {error}") from None
    finally:
        connection.close()
    return told if answer.status in (200, 503) else None
