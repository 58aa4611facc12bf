"""What the messages of a device say of it: by component, which topics it is told at, and what is read there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from appliance.bridge.mqtt_discovery import Config
from appliance.bridge.mqtt_template import Payload, Template, Unreadable

STATE = "state"
Told = dict[str, Any]
"""STATE -> the state, and names of attributes -> their values."""
Read = Callable[[Config, str], Told]
"""What a text, rendered, says. Raises ValueError."""
NOTHING = ("", "None", "unknown")
"""Texts that say nothing."""


@dataclass(frozen=True)
class Reading:
    topic: str
    template: Template | None
    read: Read

    def of(self, config: Config, payload: Payload) -> Told:
        """Empty where it says nothing, or nonsense."""
        try:
            text = self.template.render(payload.names) if self.template else payload.text.strip()
            return {} if text in NOTHING else self.read(config, text)
        except (Unreadable, ValueError, ArithmeticError):
            return {}


def _on_off(config: Config, text: str) -> Told:
    states = {config.state_on or config.payload_on: "on", config.state_off or config.payload_off: "off"}
    return {STATE: states[text]} if text in states else {}


def _text(config: Config, text: str) -> Told:
    return {STATE: text}


def _cover(config: Config, text: str) -> Told:
    states = {
        config.state_open: "open",
        config.state_opening: "opening",
        config.state_closed: "closed",
        config.state_closing: "closing",
    }
    return {STATE: states[text]} if text in states else {}


def _position(config: Config, text: str) -> Told:
    whole = config.position_open - config.position_closed
    percent = round((_number(text) - config.position_closed) / whole * 100)
    position = min(100, max(0, percent))
    state = {} if config.state_topic else {STATE: "open" if position else "closed"}
    return {"current_position": position, **state}


def _brightness(config: Config, text: str) -> Told:
    return {"brightness": min(255, max(0, round(_number(text) / config.brightness_scale * 255)))}


def _json_light(config: Config, text: str) -> Told:
    told = Payload(text).json
    if not isinstance(told, dict):
        return {}
    found = {STATE: {"ON": "on", "OFF": "off"}[told["state"]]} if told.get("state") in ("ON", "OFF") else {}
    if isinstance(told.get("brightness"), int | float):
        found |= _brightness(config, str(told["brightness"]))
    return found


def _attribute(name: str) -> Read:
    return lambda config, text: {name: _number(text)}


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def readings(component: str, config: Config) -> list[Reading]:
    """Those of a component that is known here."""
    return [Reading(topic, template, read) for topic, template, read in READINGS[component](config) if topic]


Row = tuple[str, Template | None, Read]


def _light(config: Config) -> Sequence[Row]:
    if config.schema_ == "json":
        return [(config.state_topic, None, _json_light)]
    return [
        (config.state_topic, config.state_value_template or config.value_template, _on_off),
        (config.brightness_state_topic, config.brightness_value_template, _brightness),
    ]


READINGS: Mapping[str, Callable[[Config], Sequence[Row]]] = {
    "light": _light,
    "switch": lambda config: [(config.state_topic, config.value_template, _on_off)],
    "binary_sensor": lambda config: [(config.state_topic, config.value_template, _on_off)],
    "sensor": lambda config: [(config.state_topic, config.value_template, _text)],
    "cover": lambda config: [
        (config.state_topic, config.value_template, _cover),
        (config.position_topic, config.position_template, _position),
    ],
    "climate": lambda config: [
        (config.mode_state_topic, config.mode_state_template, _text),
        (config.temperature_state_topic, config.temperature_state_template, _attribute("temperature")),
        (
            config.current_temperature_topic,
            config.current_temperature_template,
            _attribute("current_temperature"),
        ),
    ],
}
"""Component -> (topic, template, what is read of it); without a topic there is none."""


def attributes(component: str, config: Config) -> Iterator[tuple[str, Any]]:
    """Those that its description tells."""
    if config.device_class:
        yield "device_class", config.device_class
    if config.unit_of_measurement:
        yield "unit_of_measurement", config.unit_of_measurement
    if component == "light":
        dims = config.brightness or config.brightness_command_topic or {*config.supported_color_modes} - {"onoff"}
        yield "supported_color_modes", ["brightness" if dims else "onoff"]
    if component == "climate":
        yield from {"hvac_modes": config.modes, "min_temp": config.min_temp, "max_temp": config.max_temp}.items()
