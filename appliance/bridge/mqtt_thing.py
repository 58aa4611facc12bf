"""One device as it described itself, and the state that it is in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from appliance.bridge.home_assistant_states import GONE, Known, known
from appliance.bridge.mqtt_discovery import Availability, Config
from appliance.bridge.mqtt_reading import READINGS, STATE, attributes, readings
from appliance.bridge.mqtt_template import Payload, Unreadable

UNKNOWN = "unknown"


class MqttThing:
    def __init__(self, component: str, told: Mapping[str, Any]) -> None:
        """`component`: one of READINGS. Raises ValueError."""
        self.component = component
        self.config = Config.model_validate(dict(told))
        if self.config.schema_ not in ("default", "basic", "json"):
            raise ValueError("a schema that is not known")
        self.readings = readings(component, self.config)
        self._there: dict[str, bool] = {each.topic: False for each in self.config.availabilities}
        self._latest = False
        """Whether it was there by the last that was told of that."""
        self._state: dict[str, Any] = {STATE: UNKNOWN, **dict(attributes(component, self.config))}
        if not self.readings and not self.config.command_topic:
            raise ValueError("it tells nothing, and takes no orders")

    @property
    def topics(self) -> set[str]:
        """Those that it is told at."""
        return {*self._there, *(each.topic for each in self.readings)}

    @property
    def area(self) -> str:
        """An id for the room that it suggests; empty for none."""
        slug = re.sub(r"\W+", "_", self.config.device.suggested_area.casefold())
        return f"mqtt_{slug}" if slug else ""

    @property
    def known(self) -> Known:
        shown = {key: value for key, value in self._state.items() if key != STATE}
        return known(str(self._state[STATE]) if self._is_there else GONE, shown)

    @property
    def _is_there(self) -> bool:
        there, mode = self._there.values(), self.config.availability_mode
        return not there or {"any": any(there), "all": all(there)}.get(mode, self._latest)

    def take(self, topic: str, payload: Payload) -> Known:
        for each in self.config.availabilities:
            if each.topic == topic:
                self._latest = self._there[topic] = _is_there(each, payload, self._there[topic])
        for reading in self.readings:
            if reading.topic == topic:
                self._state |= reading.of(self.config, payload)
        return self.known

    def change(self, state: Mapping[str, Any]) -> Known:
        self._state |= state
        return self.known


def thing(component: str, told: Mapping[str, Any]) -> MqttThing | None:
    """None for what is not known here, or is not for everybody. Raises ValueError."""
    if component not in READINGS:
        return None
    made = MqttThing(component, told)
    return None if made.config.entity_category or not made.config.enabled_by_default else made


def _is_there(told: Availability, payload: Payload, before: bool) -> bool:
    try:
        text = told.value_template.render(payload.names) if told.value_template else payload.text.strip()
    except Unreadable:
        return before
    return {told.payload_available: True, told.payload_not_available: False}.get(text, before)
