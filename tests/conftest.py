"""What every test has: the models that are here, a player of music, and a network that ends at this machine."""

from __future__ import annotations

import ipaddress
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from broker import Broker
from lan_server import Serve, serving
from small import SMALL_MODELS, Small

from appliance import settings_file
from appliance.errors import ModelMissing
from appliance.models.registry import Catalog
from appliance.skills.music.player import Player
from bench.music_player import Mpd, opened
from bench.real_home import environment

ModelPath = Callable[..., Path]

# Times say nothing on a shared machine: a slow example is not a failure.
hypothesis.settings.register_profile("shared", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("shared")


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return Catalog(settings_file.load().models)


@pytest.fixture(scope="session")
def model(catalog: Catalog) -> ModelPath:
    """`model(name, key="")` is the file, the first of several; the test is skipped by that name where it is absent, and
    fails so in CI."""

    def path(name: str, key: str = "") -> Path:
        try:
            return catalog.path(name, key) if key else next(iter(catalog.paths(name).values()))
        except ModelMissing:
            told = f"model {name} is not here: run make models"
            if os.environ.get("CI") == "true":
                pytest.fail(told)
            pytest.skip(told)

    return path


@pytest.fixture(scope="session")
def small(model: ModelPath, tmp_path_factory: pytest.TempPathFactory) -> Small:
    """The small models, and the instructions read once by the smallest: the longest part of a first start."""
    for name in SMALL_MODELS:
        model(name)
    model("piper-en-us-joe", "onnx")
    made = Small(tmp_path_factory.mktemp("small"))
    options = ["--config", str(made.config), "--state", str(made.state)]
    command = [sys.executable, "-m", "appliance", "prompts", *options, "hello"]
    subprocess.run(command, cwd=Path(__file__).parents[1], check=True, capture_output=True, timeout=600)
    return made


@pytest.fixture(autouse=True)
def escaped(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Refuses every address beyond loopback, and fails the test that tried one, even in a thread or a caught error."""
    tried: list[str] = []
    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name), tried))
    resolve = socket.getaddrinfo

    def getaddrinfo(host: bytes | str | None, *rest: Any, **named: Any) -> Any:
        _refuse_beyond_loopback(host, tried)
        return resolve(host, *rest, **named)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    yield tried
    if tried:
        pytest.fail(f"the test reached beyond this machine: {', '.join(tried)}")


def _guarded(original: Callable[..., Any], tried: list[str]) -> Callable[..., Any]:
    def guarded(self: socket.socket, *arguments: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _refuse_beyond_loopback(arguments[-1][0], tried)
        return original(self, *arguments)

    return guarded


def _refuse_beyond_loopback(host: bytes | str | None, tried: list[str]) -> None:
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost"):
        return
    try:
        if ipaddress.ip_address(name.partition("%")[0]).is_loopback:
            return
    except ValueError:
        pass  # a name that is not "localhost"
    tried.append(name)
    raise OSError(f"tests stay on this machine, not {name}")


@pytest.fixture(scope="module")
def mpd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mpd]:
    """A real player of music with songs of its own, one for each file of tests."""
    yield from opened(tmp_path_factory.mktemp("mpd"))


@pytest.fixture
def player(mpd: Mpd) -> Player:
    player = Player(mpd.socket)
    player.set_volume(80)
    return player


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Model servers behind real sockets."""
    with serving() as serve:
        yield serve


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """A real MQTT broker on loopback."""
    with Broker(tmp_path / "broker") as made:
        yield made


@pytest.fixture(scope="session")
def home_python(request: pytest.FixtureRequest) -> Path:
    """Of Home Assistant: in the folder HOME_ASSISTANT_ENVIRONMENT, or one in pytest's cache."""
    folder = os.environ.get("HOME_ASSISTANT_ENVIRONMENT")
    return environment(Path(folder) if folder else request.config.cache.mkdir("home-assistant"))
