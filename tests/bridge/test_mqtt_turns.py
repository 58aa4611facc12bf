"""Lines through whole turns to devices, a display and a weather station at a real broker, and what was published."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from broker import Broker, Watcher
from rig import NOW, Board
from running_bridge import RunningBridge, eventually

from appliance.bridge import mqtt, mqtt_devices
from appliance.bridge.client import SocketBridge
from appliance.build.bridged import providers
from appliance.errors import BadArgument
from appliance.settings import Settings

LAMP = {
    "name": "Desk Lamp", "schema": "json", "brightness": True, "state_topic": "z/desk", "command_topic": "z/desk/set",
    "device": {"name": "Desk Lamp", "suggested_area": "Study"},
}  # fmt: skip
GATE = {
    "name": "Garage", "command_topic": "z/gate/set", "state_topic": "z/gate", "device_class": "garage",
}  # fmt: skip
BLIND = {"name": "Blind", "set_position_topic": "z/blind/set", "position_topic": "z/blind", "device_class": "blind"}
LOFT = {"name": "Loft", "state_topic": "z/loft", "device_class": "temperature", "unit_of_measurement": "°C"}
HOUSE = {"light/desk": LAMP, "cover/gate": GATE, "cover/blind": BLIND, "sensor/loft": LOFT}
STATES = {"z/desk": '{"state": "OFF"}', "z/gate": "closed", "z/blind": "100", "z/loft": "17.5"}


@pytest.fixture
def watcher(broker: Broker) -> Iterator[Watcher]:
    with Watcher(broker.port) as made:
        fill(made)
        yield made


def fill(watcher: Watcher) -> None:
    for topic, told in HOUSE.items():
        watcher.publish(f"homeassistant/{topic}/config", told, retain=True)
    for topic, state in STATES.items():
        watcher.publish(topic, state, retain=True)


def settings_of(broker: Broker) -> Settings:
    return Settings.model_validate(
        {
            "mqtt": {"host": "127.0.0.1", "port": broker.port},
            "messages": {"to": {"Mia": "mqtt:house/display", "Ted": "notify.mobile_app_ted"}},
            "weather": {"topic": "garden/weather"},
        }
    )


@pytest.fixture
def bridge(tmp_path: Path, broker: Broker, watcher: Watcher, monkeypatch: pytest.MonkeyPatch) -> Iterator[SocketBridge]:
    monkeypatch.setattr(mqtt_devices, "SETTLE_S", 0.2)
    monkeypatch.setattr(mqtt, "FIRST_PAUSE_S", 0.2)
    made = providers(settings_of(broker))
    with RunningBridge(tmp_path / "s", *made), SocketBridge(tmp_path / "s", "en") as bridge:
        yield bridge


@pytest.fixture
def board(bridge: SocketBridge, broker: Broker) -> Board:
    made = Board(bridge=bridge, settings=settings_of(broker))
    eventually(lambda: made.say("is the garage open").said.startswith("No"))
    return made


def test_a_lamp_is_switched_dimmed_and_taken_back(board: Board, watcher: Watcher) -> None:
    record = board.say("turn on the desk lamp")
    assert (record.said, record.lane) == ("Desk Lamp is on.", "fast")
    watcher.until("z/desk/set", '{"state": "ON"}')
    board.say("undo that")
    watcher.until("z/desk/set", '{"state": "OFF"}')
    board.say("set the desk lamp to 40 percent")
    watcher.until("z/desk/set", '{"state": "ON", "brightness": 102}')
    watcher.publish("z/desk", '{"state": "ON", "brightness": 102}', retain=True)
    eventually(lambda: board.say("is the desk lamp on").said.startswith("Yes"))
    board.say("turn off the lights in the study")
    watcher.until("z/desk/set", '{"state": "OFF"}')


def test_a_garage_is_asked_about_and_a_blind_is_not(board: Board, watcher: Watcher) -> None:
    assert board.say("open the garage").said == "Open Garage?"
    assert "z/gate/set" not in watcher.now
    board.say("yes")
    watcher.until("z/gate/set", "OPEN")
    board.say("close the blind")
    watcher.until("z/blind/set", "0")
    board.say("set the blind to 30 percent")
    watcher.until("z/blind/set", "30")


def test_a_colour_is_refused_for_it_has_none(board: Board, watcher: Watcher) -> None:
    assert board.say("turn the desk lamp red").said
    assert "z/desk/set" not in watcher.now


def test_a_message_is_read_back_and_published_once(board: Board, bridge: SocketBridge, watcher: Watcher) -> None:
    assert board.say("tell Mia that dinner is ready").said == "Send Mia this: Dinner is ready?"
    assert "house/display" not in watcher.now
    assert board.say("yes").said == "Sent to Mia."
    watcher.until("house/display", "Dinner is ready")
    for topic in ("house/other", "z/gate/set", "house/#", ""):
        with pytest.raises(BadArgument):
            bridge.ask("mqtt", "send", topic=topic, text="hello")


def test_whom_nothing_leads_to_is_not_known(board: Board) -> None:
    """A service of Home Assistant, where there is none."""
    assert "Ted" not in board.say("tell Ted that dinner is ready").said


REPORT: dict[str, Any] = {"at": NOW.isoformat(), "condition": "rainy", "temperature": 7.6}


def test_the_weather_of_a_station(board: Board, watcher: Watcher) -> None:
    assert "has not told me" in board.say("what's the weather").said
    watcher.publish("garden/weather", json.dumps(REPORT), retain=True)
    eventually(lambda: board.say("what's the weather").said == "It is 8 degrees and rainy.")
    watcher.publish("garden/weather", "<html>", retain=True)
    eventually(lambda: "cannot make sense" in board.say("what's the weather").said)


def test_killed_it_is_said_and_back_it_is_known_again(board: Board, broker: Broker) -> None:
    broker.kill()
    eventually(lambda: board.say("turn on the desk lamp").said == "I cannot reach the MQTT broker now.")
    broker.start()
    with Watcher(broker.port) as watcher:
        fill(watcher)
        eventually(lambda: board.say("turn on the desk lamp").said == "Desk Lamp is on.", patience_s=30)
        watcher.until("z/desk/set", '{"state": "ON"}')
