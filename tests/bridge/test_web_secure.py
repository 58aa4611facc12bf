"""Over TLS: the address that was checked is connected to, and the certificate has to be of the name."""

from __future__ import annotations

import asyncio
import socket
import ssl
import subprocess
from pathlib import Path
from typing import Any

import pytest
from web_server import WebServer, gives

from appliance.bridge import fetch as fetching
from appliance.bridge.fetch import Fetched, fetch
from appliance.bridge.trouble import Lost

NAME = "wick.example"


@pytest.fixture
def certified(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate of NAME, and its key."""
    made, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
    ]
    of = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    subprocess.run([*command, *of, "-keyout", key, "-out", made], check=True, capture_output=True)
    return made, key


def fetched(monkeypatch: pytest.MonkeyPatch, certified: tuple[Path, Path], name: str, trusted: bool = True) -> Fetched:
    """Of a server on this machine with that certificate, under a name that leads to it."""
    theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    theirs.load_cert_chain(*certified)
    ours = ssl.create_default_context(cafile=certified[0] if trusted else None)
    monkeypatch.setattr(fetching, "_certificates", lambda: ours)

    def resolved(host: Any, port: Any, *rest: Any, **named: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    with WebServer({"/": gives(b"<p>Wick</p>")}, tls=theirs) as server:
        return asyncio.run(fetch(f"https://{name}:{server.port}/", 5, 1_000))


def test_a_page_of_a_certified_name_is_read(monkeypatch: pytest.MonkeyPatch, certified: tuple[Path, Path]) -> None:
    assert fetched(monkeypatch, certified, NAME).content == b"<p>Wick</p>"


@pytest.mark.parametrize(("name", "trusted"), [("thurso.example", True), ("127.0.0.1", True), (NAME, False)])
def test_a_certificate_of_another_name_or_of_nobody_is_refused(
    monkeypatch: pytest.MonkeyPatch, certified: tuple[Path, Path], name: str, trusted: bool
) -> None:
    with pytest.raises(Lost, match="no server"):
        fetched(monkeypatch, certified, name, trusted)
