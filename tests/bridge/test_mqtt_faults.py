"""The provider "mqtt" while its broker is down, hung, closed to it, flooding, or something else altogether."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from broker import Broker, Watcher
from running_bridge import UP, Ear, RunningBridge, eventually
from running_process import BridgeProcess

from appliance.bridge import mqtt, mqtt_devices, mqtt_link
from appliance.bridge.client import SocketBridge
from appliance.build.bridged import check, providers, reached
from appliance.errors import CannotBeDone
from appliance.ports import LINK
from appliance.settings import Settings

SHOWN: dict[str, Any] = {"state": "idle", "muted": False, "volume": 70, "latency": None, "next_alarm": None}
PUMP = {"name": "Pump", "command_topic": "pump/set", "state_topic": "pump"}
MOST_MB = 140
"""Of the bridge's process; its unit has 192."""
SLOW_S = 60.0
"""For what takes a moment, on a machine that does other things as well."""


def settings(port: int, **more: Any) -> Settings:
    return Settings.model_validate({"mqtt": {"host": "127.0.0.1", "port": port, **more}})


def toml(port: int, more: str = "") -> str:
    return f'[mqtt]\nhost = "127.0.0.1"\nport = {port}\n{more}'


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, value in (
        (mqtt, "FIRST_PAUSE_S", 0.1),
        (mqtt, "LONGEST_PAUSE_S", 0.3),
        (mqtt_link, "KEEPALIVE_S", 1),
        (mqtt_link, "ANSWER_S", 1.0),
        (mqtt_devices, "SETTLE_S", 0.1),
        (mqtt_devices, "BETWEEN_S", 0.2),
    ):
        monkeypatch.setattr(module, name, value)


@contextmanager
def followed(tmp_path: Path, port: int, **more: Any) -> Iterator[tuple[SocketBridge, Ear]]:
    ear = Ear()
    made = providers(settings(port, **more))
    with RunningBridge(tmp_path / "s", *made), SocketBridge(tmp_path / "s", "en") as bridge:
        bridge.follow("mqtt", ear)
        yield bridge, ear


def down(why: str) -> Callable[[Any], bool]:
    return lambda link: bool(link == {"up": False, "why": why})


def up(link: Any) -> bool:
    return bool(link == UP)


@pytest.mark.usefixtures("impatient")
def test_one_that_hangs_is_found_out_and_is_back_when_it_goes_on(tmp_path: Path) -> None:
    with Broker(tmp_path / "broker") as broker, Watcher(broker.port) as watcher:
        watcher.publish("homeassistant/switch/pump/config", PUMP, retain=True)
        with followed(tmp_path, broker.port) as (bridge, ear):
            ear.until("house", lambda house: bool(house["entities"]))
            broker.hang()
            began_s = time.monotonic()
            with pytest.raises(CannotBeDone, match="cannot reach the MQTT broker"):
                order(bridge)
            assert time.monotonic() - began_s < 3
            ear.until(LINK, down("no_answer"))
            broker.go_on()
            ear.until(LINK, up, patience_s=SLOW_S)
            ear.until("house", lambda house: bool(house["entities"]))
            order(bridge)


def order(bridge: SocketBridge) -> None:
    bridge.ask("mqtt", "call", domain="switch", service="turn_on", entities=["switch.mqtt_pump"])


@pytest.mark.usefixtures("impatient")
def test_what_is_asked_of_one_that_is_gone_is_refused_at_once(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = int(server.getsockname()[1])
    with followed(tmp_path, port) as (bridge, ear):
        ear.until(LINK, down("no_server"))
        with pytest.raises(CannotBeDone, match="cannot reach the MQTT broker"):
            order(bridge)
        bridge.ask("mqtt", "show", **SHOWN)


@pytest.mark.usefixtures("impatient")
def test_one_that_takes_connections_and_never_answers(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, followed(tmp_path, server.getsockname()[1]) as (_, ear):
        ear.until(LINK, down("no_answer"))


@pytest.mark.parametrize("said", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x20\xff\xff\xff\x7f" + b"x" * 1_000_000])
@pytest.mark.usefixtures("impatient")
def test_one_that_is_something_else(tmp_path: Path, said: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, followed(tmp_path, server.getsockname()[1]) as (_, ear):
        caller, _ = server.accept()
        caller.sendall(said)
        caller.close()
        assert ear.until(LINK, lambda link: link["why"] in ("no_server", "no_answer"))["up"] is False


def test_who_may_not_in_is_told_so_and_a_new_password_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqtt, "FIRST_PAUSE_S", 0.1)
    subprocess.run(["mosquitto_passwd", "-b", "-c", tmp_path / "users", "box", "right"], check=True)
    (tmp_path / "users").chmod(0o644)
    (tmp_path / "password").touch(0o600)
    (tmp_path / "password").write_text("wrong")
    secret = {"user": "box", "password_file": tmp_path / "password"}
    with Broker(tmp_path / "broker", f"password_file {tmp_path}/users\nuser root", anonymous=False) as broker:
        [found] = check(settings(broker.port))
        assert (found.fine, found.found) == (False, "the broker does not let the box in")
        with followed(tmp_path, broker.port, **secret) as (_, ear):
            ear.until(LINK, down("no_login"))
            (tmp_path / "password").write_text("right")
            ear.until(LINK, up)
        assert [each.fine for each in check(settings(broker.port, **secret))] == [True]
        (tmp_path / "password").chmod(0o644)
        assert "cannot be used" in check(settings(broker.port, **secret))[0].found


def test_tls_is_trusted_by_this_systems_certificates_only(tmp_path: Path) -> None:
    name = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *name]
    subprocess.run([*made, "-keyout", tmp_path / "key", "-out", tmp_path / "cert"], check=True, capture_output=True)
    tls = f"certfile {tmp_path}/cert\nkeyfile {tmp_path}/key\nuser root"
    with Broker(tmp_path / "broker", tls) as broker:
        [found] = check(settings(broker.port, tls=True))
        assert (found.fine, found.found) == (False, "its certificate is not trusted, or it does not speak TLS")
        trusting = BridgeProcess(tmp_path, toml(broker.port, "tls = true"), SSL_CERT_FILE=str(tmp_path / "cert"))
        with trusting as bridge, SocketBridge(bridge.socket, "en") as client:
            ear = Ear()
            client.follow("mqtt", ear)
            ear.until(LINK, up)


def test_ten_megabytes_a_flood_and_garbage_leave_it_answering_in_bounded_memory(tmp_path: Path) -> None:
    """Retained, so that all of it comes at once to whoever subscribes; and again while it runs."""
    ear = Ear()
    with Broker(tmp_path / "broker") as broker, Watcher(broker.port, "voice-appliance/#") as watcher:
        fill(watcher)
        bridge = BridgeProcess(tmp_path, toml(broker.port, '[weather]\ntopic = "garden/weather"'))
        with bridge, SocketBridge(bridge.socket, "en") as client:
            client.follow("mqtt", ear)
            ear.until("house", lambda house: len(house["entities"]) == 1_000, patience_s=SLOW_S)
            fill(watcher)
            flood(watcher)
            client.ask("mqtt", "show", **SHOWN | {"volume": 21})
            watcher.until("voice-appliance/volume", "21")
            assert bridge.most_mb() < MOST_MB
            assert "too much to tell" not in bridge.log, "what is too long did not come"
            assert len(bridge.log) < 20_000, "the journal is no place for a flood"


def fill(watcher: Watcher) -> None:
    for topic in ("garden/weather", "voice-appliance/announce/set", "homeassistant/switch/big/config"):
        for size in (10_000_000, 2_000_000):
            watcher.publish(topic, "x" * size, retain=True)
    for number in range(1_500):
        told = {"name": f"Sensor {number}", "state_topic": "flood", "value_template": "{{ value_json.a.b }}"}
        watcher.publish(f"homeassistant/sensor/n{number}/config", told, retain=True, qos=0)
    for number in range(1_000):
        garbage = f"{number}" + "[{" * 10_000
        watcher.publish(f"homeassistant/light/g{number}/config", garbage, retain=True, qos=0)


def flood(watcher: Watcher) -> None:
    for number in range(20_000):
        watcher.publish("voice-appliance/announce/set", f"hello {number}", qos=0)
        if number % 20 == 0:
            watcher.publish("flood", {"a": {"b": number}}, qos=0)


def test_one_that_is_killed_again_and_again_leaves_nothing_open(tmp_path: Path) -> None:
    ear = Ear()
    with (
        Broker(tmp_path / "broker") as broker,
        BridgeProcess(tmp_path, toml(broker.port)) as bridge,
        SocketBridge(bridge.socket, "en") as client,
    ):
        client.follow("mqtt", ear)
        ear.until(LINK, up)
        before = bridge.files()
        for _ in range(3):
            broker.kill()
            ear.until(LINK, lambda link: not link["up"])
            broker.start()
            ear.until(LINK, up, patience_s=SLOW_S)
        assert bridge.files() <= before


def test_a_bridge_that_is_killed_is_told_by_the_brokers_last_will(tmp_path: Path) -> None:
    with (
        Broker(tmp_path / "broker") as broker,
        Watcher(broker.port) as watcher,
        BridgeProcess(tmp_path, toml(broker.port)) as bridge,
        SocketBridge(bridge.socket, "en") as client,
    ):
        client.ask("mqtt", "show", 10, **SHOWN)
        watcher.until("voice-appliance/availability", "online")
        bridge.kill()
        watcher.until("voice-appliance/availability", "offline")


def test_the_doctor_asks_the_running_bridge(tmp_path: Path) -> None:
    chosen = {"bridge": {"socket": tmp_path / "bridge.sock"}}
    with Broker(tmp_path / "broker") as broker:
        whole = Settings.model_validate(settings(broker.port).model_dump(exclude_unset=True) | chosen)
        assert [(each.part, each.found) for each in reached(whole)] == [("bridge mqtt", "the bridge does not run")]
        with BridgeProcess(tmp_path, toml(broker.port)):
            eventually(lambda: [each.fine for each in reached(whole)] == [True])
            broker.kill()
            eventually(lambda: [each.fine for each in reached(whole)] == [False])
    assert reached(Settings()) == []
