"""What a device tells of itself at a discovery topic, as Home Assistant's documentation of MQTT discovery has it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from appliance.bridge.mqtt_template import Template
from appliance.settings_bridge import TOPIC

SHORT = {
    "avty": "availability", "avty_mode": "availability_mode", "avty_t": "availability_topic",
    "avty_tpl": "availability_template", "bri_cmd_t": "brightness_command_topic", "bri_scl": "brightness_scale",
    "bri_stat_t": "brightness_state_topic", "bri_val_tpl": "brightness_value_template", "cmd_t": "command_topic",
    "cmps": "components", "curr_temp_t": "current_temperature_topic", "curr_temp_tpl": "current_temperature_template",
    "dev": "device", "dev_cla": "device_class", "en": "enabled_by_default", "ent_cat": "entity_category",
    "max_temp": "max_temp", "min_temp": "min_temp", "mode_cmd_t": "mode_command_topic",
    "mode_stat_t": "mode_state_topic", "mode_stat_tpl": "mode_state_template", "on_cmd_type": "on_command_type",
    "p": "platform", "pl_avail": "payload_available", "pl_cls": "payload_close",
    "pl_not_avail": "payload_not_available", "pl_off": "payload_off", "pl_on": "payload_on", "pl_open": "payload_open",
    "pos_clsd": "position_closed", "pos_open": "position_open", "pos_t": "position_topic",
    "pos_tpl": "position_template", "ret": "retain", "sa": "suggested_area", "set_pos_t": "set_position_topic",
    "set_pos_tpl": "set_position_template", "stat_clsd": "state_closed", "stat_closing": "state_closing",
    "stat_off": "state_off", "stat_on": "state_on", "stat_open": "state_open", "stat_opening": "state_opening",
    "stat_t": "state_topic", "stat_val_tpl": "state_value_template", "sup_clrm": "supported_color_modes", "t": "topic",
    "temp_cmd_t": "temperature_command_topic", "temp_cmd_tpl": "temperature_command_template",
    "temp_stat_t": "temperature_state_topic", "temp_stat_tpl": "temperature_state_template",
    "unit_of_meas": "unit_of_measurement", "val_tpl": "value_template",
}  # fmt: skip
"""Short key -> the key; of those that are read here."""
MOST_NAME = 80
"""Characters of a name, or of an area."""


def _text(value: Any) -> Any:
    """A payload may be told as what JSON has: false is "False", as templates write it."""
    return str(value) if isinstance(value, bool | int | float) else value


def _one_topic(topic: str) -> str:
    """With a wildcard in it the box would hear everything."""
    if topic and not re.match(TOPIC, topic):
        raise ValueError("one topic, without wildcards")
    return topic


Text = Annotated[str, BeforeValidator(_text), Field(max_length=200)]
Name = Annotated[
    str, BeforeValidator(_text), Field(max_length=200), AfterValidator(lambda name: " ".join(name.split())[:MOST_NAME])
]
Topic = Annotated[str, AfterValidator(_one_topic)]
Readable = Annotated[Template | None, BeforeValidator(lambda text: Template(text) if isinstance(text, str) else text)]
"""A template; None is the payload itself."""


class _Told(BaseModel, arbitrary_types_allowed=True):
    pass


class Availability(_Told):
    topic: Topic
    payload_available: Text = "online"
    payload_not_available: Text = "offline"
    value_template: Readable = None


class Device(_Told):
    name: Name = ""
    suggested_area: Name = ""


class Config(_Told):
    """Of one entity, of whichever component."""

    name: Name = ""
    device: Device = Device()
    device_class: Text = ""
    unit_of_measurement: Text = ""
    entity_category: Text = ""
    enabled_by_default: bool = True
    availability: list[Availability] = Field([], max_length=10)
    availability_mode: Text = "latest"
    availability_topic: Topic = ""
    availability_template: Readable = None
    payload_available: Text = "online"
    payload_not_available: Text = "offline"
    command_topic: Topic = ""
    state_topic: Topic = ""
    value_template: Readable = None
    state_value_template: Readable = None
    payload_on: Text = "ON"
    payload_off: Text = "OFF"
    state_on: Text = ""
    state_off: Text = ""
    retain: bool = False
    schema_: Text = Field("default", alias="schema")
    brightness: bool = False
    brightness_scale: int = Field(255, ge=1, le=65_535)
    brightness_command_topic: Topic = ""
    brightness_state_topic: Topic = ""
    brightness_value_template: Readable = None
    on_command_type: Text = "last"
    supported_color_modes: list[Text] = Field([], max_length=20)
    payload_open: Text = "OPEN"
    payload_close: Text = "CLOSE"
    state_open: Text = "open"
    state_opening: Text = "opening"
    state_closed: Text = "closed"
    state_closing: Text = "closing"
    position_topic: Topic = ""
    position_template: Readable = None
    position_open: int = 100
    position_closed: int = 0
    set_position_topic: Topic = ""
    set_position_template: Readable = None
    modes: list[Text] = Field(["auto", "off", "cool", "heat", "dry", "fan_only"], max_length=20)
    mode_command_topic: Topic = ""
    mode_state_topic: Topic = ""
    mode_state_template: Readable = None
    temperature_command_topic: Topic = ""
    temperature_command_template: Readable = None
    temperature_state_topic: Topic = ""
    temperature_state_template: Readable = None
    current_temperature_topic: Topic = ""
    current_temperature_template: Readable = None
    min_temp: float = Field(7, ge=-90, le=140)
    max_temp: float = Field(35, ge=-90, le=140)

    @property
    def called(self) -> str:
        """Its name, with its device's, as Home Assistant has it; empty where it has none."""
        device = self.device.name
        return self.name if self.name.casefold().startswith(device.casefold()) else f"{device} {self.name}".strip()

    @property
    def topics(self) -> set[str]:
        """All of them."""
        own = {getattr(self, name) for name in Config.model_fields if name.endswith("_topic")} - {""}
        return own | {each.topic for each in self.availability}

    @property
    def availabilities(self) -> list[Availability]:
        if not self.availability_topic:
            return self.availability
        return [
            Availability(
                topic=self.availability_topic,
                payload_available=self.payload_available,
                payload_not_available=self.payload_not_available,
                value_template=self.availability_template,
            )
        ]


def entities(component: str, payload: bytes) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(component, what tells it from the others at this topic, its description) of each that is told there.

    Of none where the payload is empty: what was there is gone. Raises ValueError.
    """
    if not payload:
        return
    try:
        told = _whole(json.loads(payload))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if component != "device":
        yield component, "", told
        return
    shared = {key: value for key, value in told.items() if key not in ("components", "platform")}
    parts = told.get("components")
    for name, each in parts.items() if isinstance(parts, dict) else ():
        one = {**shared, **_whole(each)}
        yield str(one.get("platform")), str(name), one


def _whole(told: Any) -> dict[str, Any]:
    """With long keys and whole topics. Raises ValueError."""
    if not isinstance(told, dict):
        raise ValueError("no object")
    base = told.get("~")
    long = {SHORT.get(str(key), str(key)): value for key, value in told.items() if key != "~" and value is not None}
    found = {key: _inner(key, value) for key, value in long.items()}
    return _based(found, base) if isinstance(base, str) else found


def _inner(key: str, value: Any) -> Any:
    if key == "device" and isinstance(value, dict):
        return {SHORT.get(inner, inner): each for inner, each in value.items() if each is not None}
    if key == "availability" and isinstance(value, dict | list):
        rows = [value] if isinstance(value, dict) else value
        return [_whole(row) for row in rows]
    return value


def _based(told: Mapping[str, Any], base: str) -> dict[str, Any]:
    """Topics with "~" at their beginning or end put in full."""

    def topic(key: str, value: Any) -> Any:
        if key == "availability" and isinstance(value, list):
            return [_based(row, base) for row in value]
        if not isinstance(value, str) or not key.endswith("topic"):
            return value
        whole = base + value[1:] if value.startswith("~") else value
        return whole[:-1] + base if whole.endswith("~") else whole

    return {key: topic(key, value) for key, value in told.items()}
