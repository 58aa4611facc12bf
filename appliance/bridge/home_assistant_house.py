"""The house as Home Assistant exposes it to its own assistant: floors, areas, and the things in them."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator

from appliance.bridge import wire
from appliance.bridge.home_assistant_states import Known

log = logging.getLogger(__name__)

ASSISTANT = "conversation"
"""As whom the box asks what is exposed: settings, Voice assistants, Expose, column Assist."""
# Of homeassistant/components/homeassistant/exposed_entities.py, 2025.4; 2024.3 has locks and scripts, and no players.
EXPOSED_DOMAINS = {
    "climate", "cover", "fan", "humidifier", "light", "media_player", "scene", "switch", "todo", "vacuum",
    "water_heater",
}  # fmt: skip
EXPOSED_CLASSES = {
    "binary_sensor": {"door", "garage_door", "lock", "motion", "opening", "presence", "window"},
    "sensor": {
        "aqi", "carbon_monoxide", "carbon_dioxide", "humidity", "pm10", "pm25", "temperature",
        "volatile_organic_compounds",
    },
}  # fmt: skip
"""What is exposed that nobody decided on yet, where new things are: whole domains, and classes of devices of others."""
ROOM_LEFT = 1_000
"""Bytes of a line beside the house itself."""


def _texts(values: Any) -> Any:
    """Newer releases have a null among the aliases, for the name itself."""
    return [each for each in values if isinstance(each, str)] if isinstance(values, list) else values


Aliases = Annotated[list[str], BeforeValidator(_texts)]


class Floor(BaseModel):
    floor_id: str
    name: str
    aliases: Aliases = []


class Area(BaseModel):
    area_id: str
    name: str
    aliases: Aliases = []
    floor_id: str | None = None


class Device(BaseModel):
    id: str
    area_id: str | None = None


class Entry(BaseModel):
    """Of the registry of entities."""

    entity_id: str
    name: str | None = None
    original_name: str | None = None
    aliases: Aliases = []
    area_id: str | None = None
    device_id: str | None = None
    entity_category: str | None = None
    hidden_by: str | None = None
    disabled_by: str | None = None
    options: dict[str, dict[str, Any]] = {}


class State(BaseModel):
    entity_id: str
    state: str
    attributes: dict[str, Any] = {}


class Exposed(BaseModel):
    """Those that somebody, or Home Assistant's own assistant, decided to expose."""

    exposed_entities: dict[str, dict[str, bool]]


class ExposeNew(BaseModel):
    expose_new: bool


@dataclass(frozen=True)
class House:
    floors: Sequence[Floor]
    areas: Sequence[Area]
    devices: Sequence[Device]
    entries: Mapping[str, Entry | None]
    """Of what is exposed; there is none for what has no id of its own there."""
    states: Mapping[str, State]
    """Likewise."""

    def told(self) -> dict[str, Any]:
        """News "house", but for states and attributes."""
        area_of = {device.id: device.area_id for device in self.devices}
        return {
            "floors": [{"id": each.floor_id, "name": each.name, "aliases": each.aliases} for each in self.floors],
            "areas": [
                {"id": each.area_id, "name": each.name, "aliases": each.aliases, "floor": each.floor_id}
                for each in self.areas
            ],
            "entities": [self._thing(name, self.entries.get(name), area_of) for name in sorted(self.states)],
        }

    def _thing(self, name: str, entry: Entry | None, area_of: Mapping[str, str | None]) -> dict[str, Any]:
        shown = self.states[name].attributes.get("friendly_name")
        if entry is None:
            return {"id": name, "name": str(shown or name), "aliases": [], "area": None}
        called = entry.name or shown or entry.original_name or name
        area = entry.area_id or area_of.get(entry.device_id or "")
        return {"id": name, "name": str(called), "aliases": entry.aliases, "area": area}


def exposed(decided: Exposed, entries: Sequence[Entry], states: Collection[State], expose_new: bool) -> set[str]:
    """Names of the entities that have a state and may be known.

    Home Assistant decides on a thing when its assistant first looks at it. Until then it is judged here, by its rule,
    where the registry tells that nobody did. What is not in the registry is exposed where Home Assistant says so.
    """
    there = {state.entity_id: state for state in states}
    names = {name for name, to in decided.exposed_entities.items() if to.get(ASSISTANT) and name in there}
    undecided = [entry for entry in entries if "should_expose" not in entry.options.get(ASSISTANT, {})]
    usual = {each.entity_id for each in undecided if expose_new and _usual(each, there.get(each.entity_id))}
    return names | usual


def _usual(entry: Entry, state: State | None) -> bool:
    if state is None or entry.entity_category or entry.hidden_by:
        return False
    domain = entry.entity_id.partition(".")[0]
    return domain in EXPOSED_DOMAINS or state.attributes.get("device_class") in EXPOSED_CLASSES.get(domain, ())


def with_states(told: Mapping[str, Any], states: Mapping[str, Known]) -> dict[str, Any]:
    """News "house", whole, in a line of the wire: of a house too large for that, first the attributes are left out."""
    entities = [{**each, **states[each["id"]]} for each in told["entities"] if each["id"] in states]
    house = {**told, "entities": entities}
    if _bytes(house) > wire.MOST_BYTES - ROOM_LEFT:
        log.warning("%d exposed things are too many for their attributes to be told; expose fewer", len(entities))
        house["entities"] = [{**each, "attributes": {}} for each in entities]
    while _bytes(house) > wire.MOST_BYTES - ROOM_LEFT:
        house["entities"] = house["entities"][: len(house["entities"]) * 9 // 10]
        log.warning("of %d exposed things the first %d are told; expose fewer", len(entities), len(house["entities"]))
    return house


def _bytes(house: dict[str, Any]) -> int:
    return len(wire.written(house))
