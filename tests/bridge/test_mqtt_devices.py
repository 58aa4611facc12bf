"""Plain devices that tell by MQTT what they are, at a real broker: what is known of them, and what they are told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from broker import Broker, Watcher
from running_bridge import UP, Ear, RunningBridge

from appliance.bridge import mqtt_devices
from appliance.bridge.client import SocketBridge
from appliance.build.bridged import providers
from appliance.errors import BadArgument
from appliance.ports import LINK
from appliance.settings import Settings

Z2M = {"topic": "zigbee2mqtt/bridge/state", "value_template": "{{ value_json.state }}"}
LAMP = {
    "name": None, "schema": "json", "brightness": True, "supported_color_modes": ["brightness"],
    "state_topic": "zigbee2mqtt/Desk Lamp", "command_topic": "zigbee2mqtt/Desk Lamp/set", "unique_id": "0x01_light",
    "availability": [Z2M], "availability_mode": "all",
    "device": {"name": "Desk Lamp", "suggested_area": "Study", "identifiers": ["0x01"]},
}  # fmt: skip
"""As Zigbee2MQTT tells of one."""
BLIND = {
    "name": None, "command_topic": "zigbee2mqtt/Blind/set", "position_topic": "zigbee2mqtt/Blind",
    "position_template": "{{ value_json.position }}", "set_position_topic": "zigbee2mqtt/Blind/set",
    "set_position_template": '{ "position": {{ position }} }', "state_topic": "zigbee2mqtt/Blind",
    "value_template": "{{ value_json.state }}", "state_open": "OPEN", "state_closed": "CLOSE", "device_class": "blind",
    "device": {"name": "Blind"},
}  # fmt: skip
PLUG = {"~": "tasmota/plug", "name": "Kettle", "stat_t": "~/POWER", "cmd_t": "cmnd/~", "pl_on": "1", "pl_off": "0"}
CONTACT = {
    "name": "Contact", "stat_t": "zigbee2mqtt/Front", "val_tpl": "{{ value_json.contact }}", "pl_on": False,
    "pl_off": True, "dev_cla": "door", "dev": {"name": "Front Door", "sa": "Hall"},
}  # fmt: skip
THERMOMETER = {
    "name": "Temperature", "stat_t": "esp/temp", "unit_of_meas": "°C", "dev_cla": "temperature",
    "val_tpl": "{{ value | float | round(1) }}", "dev": {"name": "Loft"},
}  # fmt: skip
HEATER = {
    "name": "Heater", "mode_cmd_t": "h/mode/set", "mode_stat_t": "h/mode", "temp_cmd_t": "h/t/set",
    "temp_stat_t": "h/t", "curr_temp_t": "h/now", "modes": ["off", "heat"], "min_temp": 5, "max_temp": 28,
}  # fmt: skip
DIMMER = {
    "name": "Ceiling", "cmd_t": "d/on", "stat_t": "d/state", "bri_cmd_t": "d/level", "bri_stat_t": "d/level/state",
    "bri_scl": 100,
}  # fmt: skip
BLINDLY = {"name": "Old Pump", "cmd_t": "pump/set"}
HOUSE = {
    "light/0x01/light": LAMP, "cover/0x02/cover": BLIND, "switch/plug": PLUG, "binary_sensor/0x03/contact": CONTACT,
    "sensor/loft": THERMOMETER, "climate/heater": HEATER, "light/dimmer": DIMMER, "switch/pump": BLINDLY,
}  # fmt: skip


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqtt_devices, "SETTLE_S", 0.2)
    monkeypatch.setattr(mqtt_devices, "BETWEEN_S", 0.3)


@pytest.fixture
def watcher(broker: Broker) -> Iterator[Watcher]:
    with Watcher(broker.port) as made:
        for topic, told in HOUSE.items():
            made.publish(f"homeassistant/{topic}/config", told, retain=True)
        made.publish("zigbee2mqtt/bridge/state", {"state": "online"}, retain=True)
        yield made


@pytest.fixture
def bridge(tmp_path: Path, broker: Broker, watcher: Watcher) -> Iterator[SocketBridge]:
    settings = Settings.model_validate({"mqtt": {"host": "127.0.0.1", "port": broker.port}})
    with RunningBridge(tmp_path / "s", *providers(settings)), SocketBridge(tmp_path / "s", "en") as made:
        yield made


@pytest.fixture
def ear(bridge: SocketBridge) -> Ear:
    made = Ear()
    bridge.follow("mqtt", made)
    made.until(LINK, lambda link: link == UP)
    return made


def found(ear: Ear, *ids: str) -> dict[str, Any]:
    """The things of the first house that has these."""
    house = ear.until("house", lambda house: {*ids} <= {each["id"] for each in house["entities"]})
    return {each["id"]: each for each in house["entities"]}


WHOLE = (
    "light.mqtt_0x01_light", "cover.mqtt_0x02_cover", "switch.mqtt_plug", "binary_sensor.mqtt_0x03_contact",
    "sensor.mqtt_loft", "climate.mqtt_heater", "light.mqtt_dimmer", "switch.mqtt_pump",
)  # fmt: skip
NAMES = [
    "Desk Lamp", "Blind", "Kettle", "Front Door Contact", "Loft Temperature", "Heater", "Ceiling", "Old Pump",
]  # fmt: skip


def test_the_house_is_known_by_its_names_and_rooms(ear: Ear) -> None:
    things = found(ear, *WHOLE)
    assert [things[id]["name"] for id in WHOLE] == NAMES
    assert {*things} == {*WHOLE}, "the box itself is none of them"
    assert things["light.mqtt_0x01_light"]["area"] == "mqtt_study"
    assert things["sensor.mqtt_loft"]["attributes"] == {"device_class": "temperature", "unit_of_measurement": "°C"}


@pytest.mark.parametrize(
    ("topic", "payload", "id", "known"),
    [
        ("zigbee2mqtt/Desk Lamp", '{"state": "ON", "brightness": 120, "linkquality": 90}', WHOLE[0],
         ("on", {"brightness": 120})),
        ("zigbee2mqtt/Blind", '{"state": "OPEN", "position": 40}', WHOLE[1], ("open", {"current_position": 40})),
        ("tasmota/plug/POWER", "1", WHOLE[2], ("on", {})),
        ("zigbee2mqtt/Front", '{"contact": false}', WHOLE[3], ("on", {})),
        ("esp/temp", "17.2600", WHOLE[4], ("17.3", {})),
        ("h/mode", "heat", WHOLE[5], ("heat", {})),
        ("h/now", "19.5", WHOLE[5], ("unknown", {"current_temperature": 19.5})),
        ("d/level/state", "40", WHOLE[6], ("unknown", {"brightness": 102})),
    ],
)  # fmt: skip
def test_states(ear: Ear, watcher: Watcher, topic: str, payload: str, id: str, known: Any) -> None:
    found(ear, *WHOLE)
    watcher.publish(topic, payload, retain=True)
    state, attributes = known
    told = ear.until("states", lambda states: id in states)[id]
    assert told["state"] == state
    assert attributes.items() <= told["attributes"].items()


@pytest.mark.parametrize(
    ("service", "id", "data", "published"),
    [
        ("homeassistant.turn_on", WHOLE[0], {}, [("zigbee2mqtt/Desk Lamp/set", '{"state": "ON"}')]),
        ("light.turn_on", WHOLE[0], {"brightness_pct": 40},
         [("zigbee2mqtt/Desk Lamp/set", '{"state": "ON", "brightness": 102}')]),
        ("homeassistant.turn_off", WHOLE[0], {}, [("zigbee2mqtt/Desk Lamp/set", '{"state": "OFF"}')]),
        ("cover.open_cover", WHOLE[1], {}, [("zigbee2mqtt/Blind/set", "OPEN")]),
        ("cover.close_cover", WHOLE[1], {}, [("zigbee2mqtt/Blind/set", "CLOSE")]),
        ("cover.set_cover_position", WHOLE[1], {"position": 30}, [("zigbee2mqtt/Blind/set", '{ "position": 30 }')]),
        ("homeassistant.turn_on", WHOLE[2], {}, [("cmnd/tasmota/plug", "1")]),
        ("climate.set_temperature", WHOLE[5], {"temperature": 21}, [("h/t/set", "21")]),
        ("homeassistant.turn_off", WHOLE[5], {}, [("h/mode/set", "off")]),
        ("light.turn_on", WHOLE[6], {"brightness_pct": 40}, [("d/level", "40"), ("d/on", "ON")]),
        ("light.turn_on", WHOLE[6], {"brightness_pct": 0}, [("d/on", "OFF")]),
    ],
)  # fmt: skip
def test_orders(
    bridge: SocketBridge, ear: Ear, watcher: Watcher, service: str, id: str, data: dict[str, Any], published: Any
) -> None:
    found(ear, *WHOLE)
    call(bridge, service, [id], data)
    for topic, payload in published:
        watcher.until(topic, payload)
    sent = [each for each in watcher.all if each[0] in {topic for topic, _ in published}]
    assert sent == published


def call(bridge: SocketBridge, service: str, ids: list[str], data: dict[str, Any]) -> None:
    domain, _, name = service.partition(".")
    bridge.ask("mqtt", "call", domain=domain, service=name, entities=ids, data=data)


@pytest.mark.parametrize(
    ("service", "ids", "data"),
    [
        ("light.turn_on", ["light.other"], {}),
        ("light.turn_on", [], {}),
        ("light.turn_on", [WHOLE[2]], {}),
        ("light.turn_on", [WHOLE[0]], {"brightness_pct": 101}),
        ("light.turn_on", [WHOLE[0]], {"color_name": "red"}),
        ("shell_command.reboot", [WHOLE[0]], {}),
        ("homeassistant.restart", [WHOLE[0]], {}),
        ("homeassistant.turn_on", [WHOLE[4]], {}),
        ("cover.set_cover_position", [WHOLE[1]], {}),
        ("climate.set_temperature", [WHOLE[5]], {"temperature": 29}),
        ("scene.apply", [], {"entities": "all"}),
        ("scene.apply", [], {"entities": {WHOLE[0]: "on"}}),
    ],
)
def test_what_a_device_cannot_do_is_refused_and_nothing_is_published(
    bridge: SocketBridge, ear: Ear, watcher: Watcher, service: str, ids: list[str], data: dict[str, Any]
) -> None:
    found(ear, *WHOLE)
    before = len(watcher.all)
    with pytest.raises(BadArgument):
        call(bridge, service, ids, data)
    call(bridge, "switch.turn_on", [WHOLE[7]], {})
    watcher.until("pump/set", "ON")
    assert [topic for topic, _ in watcher.all[before:] if topic.endswith("/set")] == ["pump/set"]


def test_all_is_brought_back_to_what_it_was(bridge: SocketBridge, ear: Ear, watcher: Watcher) -> None:
    found(ear, *WHOLE)
    before = {
        WHOLE[0]: {"state": "on", "brightness": 51}, WHOLE[1]: {"state": "open", "current_position": 20},
        WHOLE[2]: {"state": "off"}, WHOLE[5]: {"state": "heat", "temperature": 19},
    }  # fmt: skip
    call(bridge, "scene.apply", [], {"entities": before})
    assert json.loads(watcher.until("zigbee2mqtt/Desk Lamp/set", lambda told: True))["brightness"] == 51
    watcher.until("zigbee2mqtt/Blind/set", '{ "position": 20 }')
    watcher.until("cmnd/tasmota/plug", "0")
    watcher.until("h/t/set", "19")


def test_one_that_tells_no_state_is_taken_to_be_as_it_was_told(bridge: SocketBridge, ear: Ear) -> None:
    found(ear, *WHOLE)
    call(bridge, "homeassistant.turn_on", [WHOLE[7]], {})
    assert ear.until("states", lambda states: WHOLE[7] in states)[WHOLE[7]]["state"] == "on"


def test_one_that_is_away_and_comes_back(ear: Ear, watcher: Watcher) -> None:
    found(ear, *WHOLE)
    watcher.publish("zigbee2mqtt/Desk Lamp", '{"state": "ON"}', retain=True)
    ear.until("states", lambda states: states.get(WHOLE[0], {}).get("state") == "on")
    watcher.publish("zigbee2mqtt/bridge/state", {"state": "offline"}, retain=True)
    ear.until("states", lambda states: states.get(WHOLE[0], {}).get("state") == "unavailable")
    watcher.publish("zigbee2mqtt/bridge/state", {"state": "online"}, retain=True)
    ear.until("states", lambda states: states.get(WHOLE[0], {}).get("state") == "on")


def test_what_is_taken_away_renamed_or_added_is_known(ear: Ear, watcher: Watcher) -> None:
    found(ear, *WHOLE)
    watcher.publish("homeassistant/switch/plug/config", "", retain=True)
    watcher.publish("homeassistant/light/dimmer/config", DIMMER | {"name": "Chandelier"}, retain=True)
    several = {"device": {"name": "Fan"}, "components": {
        "a": {"platform": "switch", "name": "Boost", "command_topic": "fan/boost"},
        "b": {"p": "sensor", "name": "Speed", "stat_t": "fan/speed"},
        "c": {"p": "sensor"},
    }}  # fmt: skip
    watcher.publish("homeassistant/device/fan/config", several, retain=True)
    things = found(ear, "switch.mqtt_fan_a", "sensor.mqtt_fan_b")
    assert "switch.mqtt_plug" not in things
    assert things["light.mqtt_dimmer"]["name"] == "Chandelier"
    assert things["switch.mqtt_fan_a"]["name"] == "Fan Boost"


@pytest.mark.parametrize(
    ("topic", "told"),
    [
        ("switch/bad", "no json"),
        ("switch/bad", "[" * 30_000),
        ("switch/bad", '{"command_topic": "a/#"}'),
        ("switch/bad", '{"command_topic": "voice-appliance/announce/set"}'),
        ("light/bad", '{"command_topic": "x", "state_topic": "#"}'),
        ("light/bad", '{"command_topic": "x", "schema": "template"}'),
        ("sensor/bad", '{"state_topic": "x", "value_template": "{% for i in range(10**9) %}x{% endfor %}"}'),
        ("sensor/bad", '{"state_topic": "x", "value_template": "{{ ' + "(" * 400 + ' }}"}'),
        ("sensor/bad", '{"state_topic": "x", "value_template": "{{ cycler() }}"}'),
        ("sensor/bad", '{"state_topic": "x", "entity_category": "diagnostic"}'),
        ("sensor/bad", '{"state_topic": "x", "enabled_by_default": false}'),
        ("button/bad", '{"command_topic": "x"}'),
        ("switch/bad", "{}"),
        ("device/bad", '{"components": ["a"]}'),
    ],
)
def test_nonsense_at_a_discovery_topic_is_passed_over(ear: Ear, watcher: Watcher, topic: str, told: str) -> None:
    found(ear, *WHOLE)
    watcher.publish(f"homeassistant/{topic}/config", told, retain=True)
    watcher.publish("homeassistant/switch/good/config", {"name": "Good", "command_topic": "good"}, retain=True)
    assert {*found(ear, "switch.mqtt_good")} == {*WHOLE, "switch.mqtt_good"}
