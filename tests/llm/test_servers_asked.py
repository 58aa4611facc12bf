"""What the doctor asks of each model server, once."""

from __future__ import annotations

import socket
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from lan_server import END, KEY, Serve, begin, events, says

from appliance.llm.asked import ask_each
from appliance.settings import ModelServer, Settings
from appliance.terminal import doctor


def test_each_server_is_asked_once_with_each_key_and_those_that_are_down_are_told(serve: Serve, tmp_path: Path) -> None:
    asked: list[str] = []

    def handle(request: BaseHTTPRequestHandler) -> None:
        asked.append(request.headers["authorization"])
        if asked[-1] != f"Bearer {KEY}":
            request.send_error(401, f"no such key {asked[-1]}")
            return
        begin(request, "yes")
        request.wfile.write(events(END).encode())

    good, wrong, open_to_all = (tmp_path / name for name in ("good", "wrong", "open"))
    for file, key, mode in ((good, KEY, 0o600), (wrong, "sk-wrong", 0o600), (open_to_all, KEY, 0o644)):
        file.write_text(key)
        file.chmod(mode)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        off = f"http://127.0.0.1:{taken.getsockname()[1]}"
        guarded = serve(handle)
        servers = [
            ModelServer(url=guarded, key_files=[good, wrong, open_to_all]),
            ModelServer(url=serve(says("yes"))),
            ModelServer(url=f"{off}/v1"),
            ModelServer(url="http://me:secret@server/v1"),
        ]
        checks = [doctor._server(*found) for found in ask_each(servers, 10)]
    name = guarded.removesuffix("/v1")
    assert [(check.part, check.fine) for check in checks] == [
        ("model server", fine) for fine in (True, False, False, True, False, False)
    ]
    assert checks[0].found == f"{name} with the key in {good} answers"
    assert checks[1].found == f"{name} with the key in {wrong} refused the key (status 401)"
    assert checks[2].remedy == f"run: chmod 600 {open_to_all}"
    assert checks[4].found == f"{off} cannot be reached"
    assert all(check.remedy for check in checks if not check.fine)
    assert sorted(asked) == [f"Bearer {KEY}", "Bearer sk-wrong"]
    told = str(checks)
    assert not [secret for secret in (KEY, "sk-wrong", "secret") if secret in told]


def test_nobody_is_asked_where_no_server_is_set() -> None:
    assert ask_each(Settings().thought.pool, 10) == []
