"""The guard of conftest.py itself: what it lets through and what it refuses."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest


@pytest.mark.parametrize("host", ["192.0.2.1", "example.org", "0.0.0.0"])
def test_nothing_beyond_loopback_is_reached(host: str, escaped: list[str]) -> None:
    with pytest.raises(OSError, match="tests stay on this machine"):
        socket.create_connection((host, 9), timeout=1)
    assert escaped == [host]
    escaped.clear()


def test_a_datagram_beyond_loopback_is_refused(escaped: list[str]) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as sender, pytest.raises(OSError, match="tests stay on this machine"):
        sender.sendto(b"", ("192.0.2.1", 9))
    escaped.clear()


def test_loopback_and_unix_sockets_are_open(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as caller:
        listener.bind(str(tmp_path / "s"))
        listener.listen()
        caller.connect(str(tmp_path / "s"))
