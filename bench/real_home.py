"""A real Home Assistant in an environment of its own, with its demo house, on loopback."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode

from websockets.sync.client import connect

INTEGRATIONS = (
    "demo", "api", "websocket_api", "config", "onboarding", "conversation", "frontend", "hardware", "logger",
    "recorder", "mqtt", "wyoming",
)  # fmt: skip
FFMPEG = "imageio-ffmpeg"
"""A package that holds the program by which Home Assistant brings an answer to the rate that a satellite takes."""
CONFIGURATION = """\
homeassistant: {{name: Home, time_zone: UTC, latitude: 52.5, longitude: 13.4, elevation: 0}}
http: {{server_host: 127.0.0.1, server_port: {port}}}
api:
config:
onboarding:
demo:
"""
REQUIREMENTS = """
import json, sys
from pathlib import Path
import homeassistant
components = Path(homeassistant.__file__).parent / "components"
known, found = set(), set()
wanted = [*sys.argv[1:], *(file.stem for file in (components / "demo").glob("*.py"))]  # demo/light.py is one of "light"
while wanted:
    name = wanted.pop()
    file = components / name / "manifest.json"
    if name not in known and file.exists():
        manifest = json.loads(file.read_text())
        found |= {*manifest.get("requirements", [])}
        wanted += manifest.get("dependencies", [])
    known.add(name)
print(*sorted(found), sep="\\n")
"""
"""What the integrations need: Home Assistant would fetch it as it starts."""
START_S = 600
"""On a machine that does other things as well."""


def environment(folder: Path) -> Path:
    """Its Python, made the first time: some 500 MB, and minutes on 2 cores."""
    python, ready, has = folder / "bin" / "python", folder / "ready", " ".join([*INTEGRATIONS, FFMPEG])
    if not ready.exists() or ready.read_text() != has:  # one of before may lack what newer tests need
        shutil.rmtree(folder, ignore_errors=True)
        newest = _newest_python()
        _run([newest, "-m", "venv", folder])
        _install(python, ["homeassistant"] if newest != sys.executable else ["homeassistant==2024.3.3", "josepy<2"])
        needed = subprocess.run(
            [python, "-c", REQUIREMENTS, *INTEGRATIONS], capture_output=True, text=True, check=True, timeout=60
        )
        _install(python, [*needed.stdout.split("\n")[:-1], FFMPEG])
        (program,) = folder.glob("lib/python3*/site-packages/imageio_ffmpeg/binaries/ffmpeg-*")
        (folder / "bin" / "ffmpeg").symlink_to(program)
        ready.write_text(has)
    return python


def _newest_python() -> str | Path:
    """From 3.12 on; else that of these tests, for which the last release is 2024.3."""
    beside = sorted((Path.home() / ".pyenv/versions").glob("3.1[2-9].*/bin/python"), reverse=True)
    found: list[str | Path] = ["python3.14", "python3.13", "python3.12", *beside]
    for python in found:
        try:
            if subprocess.run([python, "-c", "import ensurepip"], capture_output=True, timeout=60).returncode == 0:
                return python
        except OSError:
            continue
    return sys.executable


def _install(python: Path, packages: Sequence[str]) -> None:
    _run([Path(sys.executable).with_name("uv"), "pip", "install", "--quiet", "--python", python, *packages])


def _run(command: Sequence[str | Path]) -> None:
    subprocess.run(["nice", *command], check=True, timeout=1_800)


class RealHome:
    """`start` and `kill` as often as one likes: it finds its house again."""

    def __init__(self, python: Path, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port = int(server.getsockname()[1])
        self._python, self._folder = python, folder
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir()
        (folder / "configuration.yaml").write_text(CONFIGURATION.format(port=self.port))
        self.start()
        self.token = self._onboard()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def process(self) -> int:
        """Its number, while it runs."""
        assert self._process
        return self._process.pid

    def start(self) -> None:
        command: list[str | Path] = [
            "nice",
            self._python,
            "-m",
            "homeassistant",
            "--skip-pip",
            "--config",
            self._folder,
        ]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        environment["PATH"] = os.pathsep.join([str(self._python.parent), environment["PATH"]])
        with (self._folder / "printed").open("ab") as printed:
            self._process = subprocess.Popen(command, stdout=printed, stderr=printed, env=environment)
        ends_s = time.monotonic() + START_S
        while time.monotonic() < ends_s:
            try:
                urllib.request.urlopen(f"{self.url}/api/onboarding", timeout=5).close()
                return
            except (URLError, OSError):
                time.sleep(0.2)
        self.kill()
        raise AssertionError((self._folder / "printed").read_text()[-2_000:])

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait(10)

    def ask(self, command: str, **fields: Any) -> Any:
        """By its websocket, as its owner."""
        return _ask(self.url, self.token, command, **fields)

    def join(self, port: int) -> None:
        """Have its integration MQTT connect to a broker on loopback."""
        self.add("mqtt", broker="127.0.0.1", port=port)

    def add(self, integration: str, **told: Any) -> str:
        """Add an integration as its owner does, in a form of one page: the title of the entry."""
        flow = "/api/config/config_entries/flow"
        begun = self.post(flow, json.dumps({"handler": integration}).encode())
        done = self.post(f"{flow}/{begun['flow_id']}", json.dumps(told).encode())
        assert done["type"] == "create_entry", done
        return str(done["title"])

    def post(self, path: str, body: bytes, kind: str = "application/json", **headers: str) -> Any:
        """As its owner."""
        return self._post(path, body, kind, self.token, **headers)

    def get(self, path: str) -> bytes:
        """Without a token, as a loudspeaker fetches what it is to play."""
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            return bytes(answer.read())

    def _onboard(self) -> str:
        """The owner's long-lived token."""
        client = f"{self.url}/"
        owner = {"name": "Owner", "username": "owner", "password": "secret", "client_id": client, "language": "en"}
        code = self._post("/api/onboarding/users", json.dumps(owner).encode(), "application/json")["auth_code"]
        form = urlencode({"client_id": client, "grant_type": "authorization_code", "code": code})
        token = self._post("/auth/token", form.encode(), "application/x-www-form-urlencoded")["access_token"]
        return str(_ask(self.url, token, "auth/long_lived_access_token", lifespan=365, client_name="box"))

    def _post(self, path: str, body: bytes, kind: str, token: str = "", **headers: str) -> Any:
        headers |= {"Content-Type": kind, **({"Authorization": f"Bearer {token}"} if token else {})}
        request = urllib.request.Request(self.url + path, body, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


def _ask(url: str, token: str, command: str, **fields: Any) -> Any:
    with connect(f"ws{url.removeprefix('http')}/api/websocket", proxy=None, max_size=None) as socket:
        socket.recv()
        socket.send(json.dumps({"type": "auth", "access_token": token}))
        assert json.loads(socket.recv())["type"] == "auth_ok"
        socket.send(json.dumps({"id": 1, "type": command, **fields}))
        told = json.loads(socket.recv())
    assert told["success"], told
    return told["result"]
