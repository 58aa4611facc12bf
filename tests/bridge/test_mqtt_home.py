"""The box as a device of a real Home Assistant, by a real broker: `make home-test`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from broker import Broker
from running_bridge import Ear, RunningBridge

from appliance.bridge.client import SocketBridge
from appliance.build.bridged import providers
from appliance.settings import Settings
from bench.real_home import RealHome

pytestmark = pytest.mark.home
SHOWN: dict[str, Any] = {
    "state": "speaking", "muted": False, "volume": 70, "latency": 640, "next_alarm": "2026-11-29T06:30:00+01:00",
}  # fmt: skip
SEEN_S = 30.0
BOX = "voice_appliance"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with Broker(tmp_path_factory.mktemp("broker")) as running:
        yield running


@pytest.fixture(scope="module")
def home(home_python: Path, tmp_path_factory: pytest.TempPathFactory, broker: Broker) -> Iterator[RealHome]:
    running = RealHome(home_python, tmp_path_factory.mktemp("home") / "config")
    running.join(broker.port)
    yield running
    running.kill()


@pytest.fixture
def bridge(tmp_path: Path, broker: Broker) -> Iterator[SocketBridge]:
    settings = Settings.model_validate({"mqtt": {"host": "127.0.0.1", "port": broker.port}})
    with RunningBridge(tmp_path / "s", *providers(settings)), SocketBridge(tmp_path / "s", "en") as running:
        running.ask("mqtt", "show", **SHOWN)
        yield running


def until(seen: Callable[[], object]) -> None:
    ends_s = time.monotonic() + SEEN_S
    while not seen():
        assert time.monotonic() < ends_s
        time.sleep(0.2)


def states(home: RealHome) -> dict[str, str]:
    """Of its entities of the box."""
    return {each["entity_id"]: each["state"] for each in home.ask("get_states") if BOX in each["entity_id"]}


def announces(home: RealHome) -> bool:
    """Whether it has entities that notify: from 2024.5 on."""
    year, month, *_ = home.ask("get_config")["version"].split(".")
    return (int(year), int(month)) >= (2024, 5)


def order(home: RealHome, service: str, entity: str, **data: Any) -> None:
    domain, _, name = service.partition(".")
    home.ask("call_service", domain=domain, service=name, service_data=data, target={"entity_id": entity})


def test_home_assistant_has_the_box_and_orders_it_about(home: RealHome, bridge: SocketBridge) -> None:
    wanted = {
        f"sensor.{BOX}_state": "speaking", f"switch.{BOX}_muted": "off", f"number.{BOX}_volume": "70",
        f"sensor.{BOX}_latency": "640", f"sensor.{BOX}_next_alarm": "2026-11-29T05:30:00+00:00",
    }  # fmt: skip
    until(lambda: wanted.items() <= states(home).items())
    [device] = [each for each in home.ask("config/device_registry/list") if each["name"] == "Voice appliance"]
    entities = [each for each in home.ask("config/entity_registry/list") if each["device_id"] == device["id"]]
    assert len(entities) == 5 + announces(home)
    ear = Ear()
    bridge.follow("mqtt", ear)
    order(home, "number.set_value", f"number.{BOX}_volume", value=40)
    assert ear.until("order") == {"do": "volume", "to": 40}
    order(home, "switch.turn_on", f"switch.{BOX}_muted")
    assert ear.until("order") == {"do": "muted", "to": True}
    if announces(home):
        order(home, "notify.send_message", f"notify.{BOX}_announce", message="Dinner is ready")
        assert ear.until("order") == {"do": "announce", "to": "Dinner is ready"}
    bridge.ask("mqtt", "show", **SHOWN | {"latency": None, "next_alarm": None})
    until(lambda: states(home)[f"sensor.{BOX}_next_alarm"] == states(home)[f"sensor.{BOX}_latency"] == "unknown")


def test_it_is_unavailable_when_the_box_is_gone(home: RealHome, bridge: SocketBridge) -> None:
    until(lambda: states(home).get(f"sensor.{BOX}_state") == "speaking")
    bridge.ask("mqtt", "show")
    until(lambda: {*states(home).values()} == {"unavailable"})
