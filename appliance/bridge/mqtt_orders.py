"""What is published to have a device do something: services of Home Assistant, as the skills know them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from appliance.bridge.mqtt_discovery import Config

Message = tuple[str, str]
"""Topic and payload."""


class Unable(ValueError):
    """A device that cannot do that."""


class Data(BaseModel):
    """What goes with a service; anything else is refused."""

    model_config = ConfigDict(extra="forbid")

    brightness_pct: int | None = Field(None, ge=0, le=100)
    position: int | None = Field(None, ge=0, le=100)
    temperature: float | None = Field(None, ge=-90, le=140)


Order = Callable[[Config, Data], Sequence[Message]]


def _switch(on: bool) -> Order:
    def order(config: Config, data: Data) -> Sequence[Message]:
        return [(config.command_topic, config.payload_on if on else config.payload_off)]

    return order


def _light_on(config: Config, data: Data) -> Sequence[Message]:
    percent = data.brightness_pct
    if percent == 0:
        return _light_off(config, data)
    if config.schema_ == "json":
        told: dict[str, Any] = {"state": "ON"}
        if percent is not None:
            told["brightness"] = round(percent / 100 * config.brightness_scale)
        return [(config.command_topic, json.dumps(told))]
    on = [(config.command_topic, config.payload_on)]
    if percent is None:
        return on
    level = [(config.brightness_command_topic, str(round(percent / 100 * config.brightness_scale)))]
    return {"last": [*level, *on], "first": [*on, *level], "brightness": level}.get(config.on_command_type, [])


def _light_off(config: Config, data: Data) -> Sequence[Message]:
    payload = json.dumps({"state": "OFF"}) if config.schema_ == "json" else config.payload_off
    return [(config.command_topic, payload)]


def _cover(open_: bool) -> Order:
    def order(config: Config, data: Data) -> Sequence[Message]:
        if config.command_topic:
            return [(config.command_topic, config.payload_open if open_ else config.payload_close)]
        return _set_position(config, Data(position=100 if open_ else 0))

    return order


def _set_position(config: Config, data: Data) -> Sequence[Message]:
    if data.position is None:
        raise Unable("no position")
    if not config.set_position_topic and data.position in (0, 100):
        return [(config.command_topic, config.payload_open if data.position else config.payload_close)]
    whole = config.position_open - config.position_closed
    position = round(config.position_closed + data.position / 100 * whole)
    names = {"position": position, "value": position}
    told = config.set_position_template.render(names) if config.set_position_template else str(position)
    return [(config.set_position_topic, told)]


def _set_temperature(config: Config, data: Data) -> Sequence[Message]:
    degrees = data.temperature
    if degrees is None or not config.min_temp <= degrees <= config.max_temp:
        raise Unable("no such temperature")
    template = config.temperature_command_template
    return [(config.temperature_command_topic, template.render({"value": degrees}) if template else f"{degrees:g}")]


def _climate(on: bool) -> Order:
    def order(config: Config, data: Data) -> Sequence[Message]:
        modes = [mode for mode in config.modes if (mode != "off") == on]
        if not modes:
            raise Unable("no such mode")
        return [(config.mode_command_topic, "heat" if "heat" in modes else modes[0])]

    return order


ORDERS: Mapping[tuple[str, str], Order] = {
    ("switch", "turn_on"): _switch(True),
    ("switch", "turn_off"): _switch(False),
    ("light", "turn_on"): _light_on,
    ("light", "turn_off"): _light_off,
    ("cover", "open_cover"): _cover(True),
    ("cover", "close_cover"): _cover(False),
    ("cover", "set_cover_position"): _set_position,
    ("climate", "turn_on"): _climate(True),
    ("climate", "turn_off"): _climate(False),
    ("climate", "set_temperature"): _set_temperature,
}
"""Component and service -> what is published."""
TAKES: Mapping[tuple[str, str], set[str]] = {
    ("light", "turn_on"): {"brightness_pct"},
    ("cover", "set_cover_position"): {"position"},
    ("climate", "set_temperature"): {"temperature"},
}
"""What a service takes beside the device; all others nothing."""
ASSUMED = {"turn_on": "on", "turn_off": "off", "open_cover": "open", "close_cover": "closed"}
"""Service -> the state that a device is taken to be in afterwards which does not tell its own."""


def ordered(component: str, config: Config, service: str, data: Mapping[str, Any]) -> Sequence[Message]:
    """What to publish. Raises ValueError where it cannot do that."""
    order = ORDERS.get((component, service))
    if order is None or not data.keys() <= TAKES.get((component, service), set()):
        raise Unable(f"{component} has no {service} with {', '.join(data) or 'nothing'}")
    messages = [message for message in order(config, Data.model_validate(dict(data)))]
    if not messages or not all(topic for topic, _ in messages):
        raise Unable("it takes no such order")
    return messages


def restored(component: str, told: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The service that brings a thing back to a state, and its data. Raises ValueError."""
    state = told.get("state")
    if component == "cover" and "current_position" in told:
        return "set_cover_position", {"position": told["current_position"]}
    if component == "cover":
        return "open_cover" if state in ("open", "opening") else "close_cover", {}
    if component == "climate" and state != "off" and "temperature" in told:
        return "set_temperature", {"temperature": told["temperature"]}
    if state == "off":
        return "turn_off", {}
    if component == "light" and isinstance(told.get("brightness"), int | float):
        return "turn_on", {"brightness_pct": max(1, round(told["brightness"] / 255 * 100))}
    return "turn_on", {}
