"""The box as a device of Home Assistant, at a real broker: what it shows, and what may be ordered of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from broker import Broker, Watcher
from running_bridge import UP, Ear, RunningBridge

from appliance.bridge import mqtt, mqtt_box
from appliance.bridge.client import SocketBridge
from appliance.build.bridged import providers
from appliance.errors import BadArgument
from appliance.ports import LINK
from appliance.settings import Settings

SHOWN: dict[str, Any] = {"state": "idle", "muted": False, "volume": 70, "latency": None, "next_alarm": None}
TOPIC = "voice-appliance"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with Broker(tmp_path_factory.mktemp("broker")) as made:
        yield made


@pytest.fixture
def watcher(broker: Broker) -> Iterator[Watcher]:
    with Watcher(broker.port) as made:
        yield made


def settings(port: int, **more: Any) -> Settings:
    return Settings.model_validate({"mqtt": {"host": "127.0.0.1", "port": port, **more}})


@pytest.fixture
def bridge(tmp_path: Path, broker: Broker) -> Iterator[SocketBridge]:
    made = providers(settings(broker.port))
    with RunningBridge(tmp_path / "s", *made), SocketBridge(tmp_path / "s", "en") as bridge:
        yield bridge


@pytest.fixture
def ear(bridge: SocketBridge, watcher: Watcher) -> Ear:
    """Orders are heard from now on."""
    made = Ear()
    bridge.follow("mqtt", made)
    made.until(LINK, lambda link: link == UP)
    bridge.ask("mqtt", "show", **SHOWN)
    watcher.until(f"{TOPIC}/availability", "online")
    return made


def test_what_it_shows_is_at_the_broker_and_stays_there(bridge: SocketBridge, ear: Ear, broker: Broker) -> None:
    alarm = "2026-11-29T06:30:00+01:00"
    bridge.ask("mqtt", "show", **SHOWN | {"state": "speaking", "latency": 640, "next_alarm": alarm})
    with Watcher(broker.port) as late:
        late.until(f"{TOPIC}/availability", "online")
        late.until(f"{TOPIC}/state", "speaking")
        late.until(f"{TOPIC}/muted", "OFF")
        late.until(f"{TOPIC}/volume", "70")
        late.until(f"{TOPIC}/latency", "640")
        late.until(f"{TOPIC}/next_alarm", alarm)


def test_what_there_is_none_of_is_unknown(bridge: SocketBridge, ear: Ear, watcher: Watcher) -> None:
    bridge.ask("mqtt", "show", **SHOWN)
    watcher.until(f"{TOPIC}/latency", "None")
    watcher.until(f"{TOPIC}/next_alarm", "None")


def test_each_entity_is_described_as_one_of_one_device(bridge: SocketBridge, ear: Ear, watcher: Watcher) -> None:
    described = json.loads(watcher.until("homeassistant/number/voice-appliance/volume/config", lambda told: True))
    assert described["command_topic"] == f"{TOPIC}/volume/set"
    assert described["availability_topic"] == f"{TOPIC}/availability"
    watcher.until("homeassistant/notify/voice-appliance/announce/config", lambda told: "announce/set" in told)
    found = [json.loads(text) for topic, text in watcher.now.items() if topic.startswith("homeassistant/")]
    assert len(found) == 6
    assert {tuple(each["device"]["identifiers"]) for each in found} == {("voice-appliance",)}
    assert len({each["unique_id"] for each in found}) == 6


@pytest.mark.parametrize(
    ("topic", "payload", "order"),
    [
        ("muted", "ON", {"do": "muted", "to": True}),
        ("muted", "OFF", {"do": "muted", "to": False}),
        ("volume", "40", {"do": "volume", "to": 40}),
        ("volume", "55.0", {"do": "volume", "to": 55}),
        ("announce", " Dinner\nis  ready ", {"do": "announce", "to": "Dinner is ready"}),
    ],
)
def test_orders(ear: Ear, watcher: Watcher, topic: str, payload: str, order: dict[str, Any]) -> None:
    watcher.publish(f"{TOPIC}/{topic}/set", payload)
    assert ear.until("order") == order


@pytest.mark.parametrize(
    ("topic", "payload"),
    [
        ("muted/set", "toggle"),
        ("volume/set", "101"),
        ("volume/set", "-1"),
        ("volume/set", "1e2"),
        ("volume/set", "٤٠٠"),
        ("announce/set", ""),
        ("announce/set", "x" * 301),
        ("announce/set", b"\xff\xfe"),
        ("announce/set", b"\x00" * 60_000),
        ("state/set", "listening"),
        ("state", "listening"),
        ("shell/set", "reboot"),
    ],
)
def test_nothing_else_can_be_ordered(ear: Ear, watcher: Watcher, topic: str, payload: Any) -> None:
    watcher.publish(f"{TOPIC}/{topic}", payload)
    watcher.publish(f"{TOPIC}/volume/set", "33")
    assert ear.until("order") == {"do": "volume", "to": 33}


def test_an_order_that_is_retained_is_not_of_this_moment(tmp_path: Path, broker: Broker, watcher: Watcher) -> None:
    watcher.publish(f"{TOPIC}/announce/set", "the house burns", retain=True)
    ear = Ear()
    with RunningBridge(tmp_path / "s", *providers(settings(broker.port))), SocketBridge(tmp_path / "s", "en") as bridge:
        bridge.follow("mqtt", ear)
        ear.until(LINK, lambda link: link == UP)
        bridge.ask("mqtt", "show", **SHOWN)
        watcher.until(f"{TOPIC}/availability", "online")  # it has subscribed
        watcher.publish(f"{TOPIC}/volume/set", "33")
        assert ear.until("order")["do"] == "volume"
    watcher.publish(f"{TOPIC}/announce/set", "", retain=True)


def test_what_is_ordered_too_often_is_left_out(ear: Ear, watcher: Watcher) -> None:
    for number in range(30):
        watcher.publish(f"{TOPIC}/announce/set", f"number {number}")
    watcher.publish(f"{TOPIC}/volume/set", "33")
    heard = []
    while (order := ear.until("order"))["do"] == "announce":
        heard.append(order["to"])
    assert heard == [f"number {number}" for number in range(6)]


@pytest.mark.parametrize("more", [{"volume": 101}, {"state": "x" * 31}, {"next_alarm": "soon"}, {"mood": "good"}])
def test_nothing_else_can_be_shown(bridge: SocketBridge, ear: Ear, more: dict[str, Any]) -> None:
    with pytest.raises(BadArgument):
        bridge.ask("mqtt", "show", **SHOWN | more)


def test_a_service_that_ends_says_so_and_one_that_is_silent_is_gone(
    bridge: SocketBridge, ear: Ear, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    bridge.ask("mqtt", "show", **SHOWN)
    watcher.until(f"{TOPIC}/availability", "online")
    bridge.ask("mqtt", "show")
    watcher.until(f"{TOPIC}/availability", "offline")
    monkeypatch.setattr(mqtt_box, "SILENT_S", 0.3)
    bridge.ask("mqtt", "show", **SHOWN)
    watcher.until(f"{TOPIC}/availability", "online")
    watcher.until(f"{TOPIC}/availability", "offline")


def test_a_bridge_that_ends_or_dies_is_told_by_the_broker(tmp_path: Path, broker: Broker, watcher: Watcher) -> None:
    with RunningBridge(tmp_path / "s", *providers(settings(broker.port))), SocketBridge(tmp_path / "s", "en") as bridge:
        bridge.ask("mqtt", "show", **SHOWN)
        watcher.until(f"{TOPIC}/availability", "online")
    watcher.until(f"{TOPIC}/availability", "offline")


def test_a_broker_that_is_killed_and_comes_back_is_told_all_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mqtt, "FIRST_PAUSE_S", 0.1)
    ear = Ear()
    with (
        Broker(tmp_path / "broker") as broker,
        RunningBridge(tmp_path / "s", *providers(settings(broker.port))),
        SocketBridge(tmp_path / "s", "en") as bridge,
    ):
        bridge.follow("mqtt", ear)
        ear.until(LINK, lambda link: link == UP)
        bridge.ask("mqtt", "show", **SHOWN)
        broker.kill()
        ear.until(LINK, lambda link: link == {"up": False, "why": "no_server"})
        bridge.ask("mqtt", "show", **SHOWN | {"volume": 20})
        broker.start()
        ear.until(LINK, lambda link: link == UP)
        with Watcher(broker.port) as watcher:
            watcher.until(f"{TOPIC}/volume", "20")
            watcher.until("homeassistant/switch/voice-appliance/muted/config", lambda told: True)
            watcher.publish(f"{TOPIC}/volume/set", "33")
        ear.until("order")
