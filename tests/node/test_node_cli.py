"""`appliance node` from a shell: the proofs of a hub, and turns that are taken there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hub_server import HubServer

from appliance.node.proving import LINE
from appliance.simulated.hub import SimulatedHub, result

ROOT = Path(__file__).parents[2]


@pytest.fixture
def hub() -> SimulatedHub:
    return SimulatedHub({LINE: [result("", ("read_test_sensor", {"place": "cellar"})), result("It shows 12 degrees.")]})


@pytest.fixture
def server(hub: SimulatedHub) -> Iterator[HubServer]:
    with HubServer(hub.app) as server:
        yield server


def run(folder: Path, *words: str, token: str = "t0ken") -> subprocess.CompletedProcess[str]:
    file, config = folder / "token", folder / "config.toml"
    file.write_text(token)
    file.chmod(0o600)
    config.write_text(f'[node]\ntoken_file = "{file}"\n')
    command = [sys.executable, "-m", "appliance", "--config", str(config), "--state", str(folder / "state"), *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)


def test_a_hub_that_does_what_a_node_needs_is_proved(hub: SimulatedHub, server: HubServer, tmp_path: Path) -> None:
    done = run(tmp_path, "node", "test", "--hub", server.url)
    assert done.returncode == 0, done.stderr
    registration, calling = done.stdout.splitlines()
    assert registration.startswith("fine   registration (")
    assert calling.endswith("""the tool was called with {'place': 'cellar'}; the answer: "It shows 12 degrees.\"""")


def test_a_hub_that_calls_no_tool_is_not(hub: SimulatedHub, server: HubServer, tmp_path: Path) -> None:
    hub.script.clear()
    done = run(tmp_path, "node", "--hub", server.url, "--json", "test", "calling")
    assert done.returncode == 4
    (proof,) = json.loads(done.stdout)
    assert (proof["what"], proof["fine"]) == ("calling", False)
    assert "without the tool" in proof["found"]


def test_each_mistake_has_its_remedy(hub: SimulatedHub, server: HubServer, tmp_path: Path) -> None:
    for words, code, told in (
        (["node", "test"], 2, "no hub is named; say which: appliance node --hub NAME, or set node.hub"),
        (["node", "test", "--hub", "ftp://attic"], 2, "'ftp://attic' is no hub; give a name"),
        (["node", "test", "registration", "--hub", "http://127.0.0.1:9"], 4, "look whether it runs"),
    ):
        done = run(tmp_path, *words)
        assert done.returncode == code, done.stderr
        assert told in done.stdout + done.stderr
    done = run(tmp_path, "node", "test", "registration", "--hub", server.url, token="other")
    assert done.returncode == 4
    assert "the server refuses the token" in done.stdout


def test_the_bridge_tells_whether_the_hub_can_be_reached(server: HubServer, tmp_path: Path) -> None:
    done = run(tmp_path, "bridge", "check")
    assert done.returncode == 2
    with (tmp_path / "config.toml").open("a") as config:
        config.write(f'hub = "{server.url}"\n')
    command = [sys.executable, "-m", "appliance", "--config", str(tmp_path / "config.toml"), "bridge", "check"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert (done.returncode, done.stdout) == (0, "fine   hub: can be reached\n"), done.stderr
