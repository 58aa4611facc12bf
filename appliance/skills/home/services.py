"""Which of Home Assistant's services carries out an intent, by the kind of thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from appliance.skills.home.house import Thing

Slots = Mapping[str, Any]
Data = Callable[[Slots, Thing], dict[str, Any]]
"""What goes with a service, of the intent's slots and the thing that it is for. Raises Unable."""


class Unable(Exception):
    """A thing that cannot do that."""


@dataclass(frozen=True)
class Service:
    name: str
    """With its domain: light.turn_on."""
    data: Data = lambda slots, thing: {}
    asks: str = ""
    """Which question is asked before (`[home_assistant] ask_before`); empty for none."""
    unless: frozenset[str] = frozenset()
    """Device classes of which nothing is asked: opening a curtain lets nobody in."""


HARMLESS_TO_OPEN = frozenset({"awning", "blind", "curtain", "damper", "shade", "shutter"})
"""Covers that nobody comes in by. Of one that does not tell its class that is not known, so it is asked about."""
SWITCHED = (
    "automation", "camera", "climate", "fan", "group", "humidifier", "input_boolean", "light", "media_player", "remote",
    "siren", "switch", "water_heater",
)  # fmt: skip


def _switched(service: str) -> dict[str, Service]:
    return {domain: Service(f"homeassistant.{service}") for domain in SWITCHED}


def _light(slots: Slots, thing: Thing) -> dict[str, Any]:
    data: dict[str, Any] = {}
    modes = {*thing.attributes.get("supported_color_modes", ())} - {"onoff", "brightness"}
    if "brightness" in slots:
        data["brightness_pct"] = slots["brightness"]
    if "color" in slots:
        if modes and modes <= {"color_temp", "white"}:
            raise Unable
        data["color_name"] = slots["color"]
    if "temperature" in slots:
        data["color_temp_kelvin"] = slots["temperature"]
    return data


def _temperature(slots: Slots, thing: Thing) -> dict[str, Any]:
    degrees = slots["temperature"]
    attributes = thing.attributes
    if attributes.get("temperature") is None and attributes.get("target_temp_low") is not None:
        half = (attributes["target_temp_high"] - attributes["target_temp_low"]) / 2
        return {"target_temp_low": degrees - half, "target_temp_high": degrees + half}
    return {"temperature": degrees}


def _louder(slots: Slots, thing: Thing) -> dict[str, Any]:
    step, now = slots["volume_step"], float(thing.attributes.get("volume_level") or 0)
    percent = STEP if step == "up" else -STEP if step == "down" else step
    return {"volume_level": min(1.0, max(0.0, round(now + percent / 100, 2)))}


def _item(slots: Slots, thing: Thing) -> dict[str, Any]:
    return {"item": slots["item"]}


DONE = {"status": "completed"}
STEP = 10
"""Percent that a player is louder after "louder"; Home Assistant's own default."""

SERVICES: dict[str, dict[str, Service]] = {
    "HassTurnOn": {
        **_switched("turn_on"),
        "cover": Service("cover.open_cover", asks="open", unless=HARMLESS_TO_OPEN),
        "valve": Service("valve.open_valve"),
        "lock": Service("lock.lock"),
        "scene": Service("scene.turn_on"),
        "script": Service("script.turn_on"),
        "button": Service("button.press"),
        "input_button": Service("input_button.press"),
        "vacuum": Service("vacuum.start"),
        "lawn_mower": Service("lawn_mower.start_mowing"),
    },
    "HassTurnOff": {
        **_switched("turn_off"),
        "cover": Service("cover.close_cover"),
        "valve": Service("valve.close_valve"),
        "lock": Service("lock.unlock", asks="unlock"),
        "script": Service("script.turn_off"),
        "vacuum": Service("vacuum.return_to_base"),
        "lawn_mower": Service("lawn_mower.dock"),
        "alarm_control_panel": Service("alarm_control_panel.alarm_disarm", asks="disarm"),
    },
    "HassLightSet": {"light": Service("light.turn_on", _light)},
    "HassSetPosition": {
        "cover": Service(
            "cover.set_cover_position", lambda slots, thing: {"position": slots["position"]}, "open", HARMLESS_TO_OPEN
        ),
        "valve": Service("valve.set_valve_position", lambda slots, thing: {"position": slots["position"]}),
    },
    "HassClimateSetTemperature": {
        "climate": Service("climate.set_temperature", _temperature),
        "water_heater": Service("water_heater.set_temperature", _temperature),
    },
    "HassClimateSetFanMode": {
        "climate": Service("climate.set_fan_mode", lambda slots, thing: {"fan_mode": slots["fan_mode"]})
    },
    "HassFanSetSpeed": {"fan": Service("fan.set_percentage", lambda slots, thing: {"percentage": slots["percentage"]})},
    "HassHumidifierSetpoint": {
        "humidifier": Service("humidifier.set_humidity", lambda slots, thing: {"humidity": slots["humidity"]})
    },
    "HassVacuumStart": {"vacuum": Service("vacuum.start")},
    "HassVacuumCleanArea": {"vacuum": Service("vacuum.start")},
    "HassVacuumReturnToBase": {"vacuum": Service("vacuum.return_to_base")},
    "HassLawnMowerStartMowing": {"lawn_mower": Service("lawn_mower.start_mowing")},
    "HassLawnMowerDock": {"lawn_mower": Service("lawn_mower.dock")},
    "HassMediaPause": {"media_player": Service("media_player.media_pause")},
    "HassMediaUnpause": {"media_player": Service("media_player.media_play")},
    "HassMediaNext": {"media_player": Service("media_player.media_next_track")},
    "HassMediaPrevious": {"media_player": Service("media_player.media_previous_track")},
    "HassMediaPlayerMute": {
        "media_player": Service("media_player.volume_mute", lambda slots, thing: {"is_volume_muted": True})
    },
    "HassMediaPlayerUnmute": {
        "media_player": Service("media_player.volume_mute", lambda slots, thing: {"is_volume_muted": False})
    },
    "HassSetVolume": {
        "media_player": Service(
            "media_player.volume_set", lambda slots, thing: {"volume_level": slots["volume_level"] / 100}
        )
    },
    "HassListAddItem": {"todo": Service("todo.add_item", _item)},
    "HassListCompleteItem": {"todo": Service("todo.update_item", lambda slots, thing: {**_item(slots, thing), **DONE})},
    "HassListRemoveItem": {"todo": Service("todo.remove_item", _item)},
    "HassSetVolumeRelative": {"media_player": Service("media_player.volume_set", _louder)},
}
"""Intent -> kind of thing -> what is called."""
READS = frozenset({"HassGetState", "HassClimateGetTemperature"})
"""Intents that only ask."""
WANTED: dict[str, tuple[str, ...]] = {
    "HassMediaPause": ("playing",),
    "HassMediaUnpause": ("paused", "idle"),
    "HassMediaNext": ("playing",),
    "HassMediaPrevious": ("playing",),
}
"""Intent -> the states that a thing is in for which it is meant where none is named: the player that plays."""
