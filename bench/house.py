"""A house that does what it is told, as Home Assistant's simulated devices do: the bridge's end of a measurement."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from appliance.errors import CannotBeDone
from appliance.ports import LINK, News

States = dict[str, dict[str, Any]]
"""Entity -> its `state` and its `attributes`."""

STATES: dict[str, str] = {
    "turn_on": "on", "turn_off": "off", "open_cover": "open", "close_cover": "closed", "open_valve": "open",
    "close_valve": "closed", "lock": "locked", "unlock": "unlocked", "start": "cleaning", "return_to_base": "returning",
    "media_pause": "paused", "media_play": "playing", "start_mowing": "mowing", "dock": "docked",
}  # fmt: skip
"""Service -> the state that a thing is in afterwards."""
OF_VALVES = {"open_valve": 100, "close_valve": 0}
OF_FANS = {"turn_on": 100, "turn_off": 0}
SET = {"brightness_pct": "brightness", "position": "current_position"}
"""What a service is given -> the attribute that it changes, where that has another name."""


class EffectBridge:
    """A `ports.Bridge` to one house."""

    def __init__(self, home: Path) -> None:
        """home: a folder with `_fixtures.yaml`, of the public sets of homes."""
        self._fixtures: dict[str, Any] = yaml.safe_load((home / "_fixtures.yaml").read_text())
        self._followers: list[News] = []
        self.states: States = {}
        self.put_back({})

    def follow(self, provider: str, heard: News) -> None:
        self._followers.append(heard)
        heard(LINK, {"up": True, "why": ""})
        heard("house", self._house())

    def put_back(self, setup: Mapping[str, Any]) -> None:
        """Everything as the fixtures and `setup` have it."""
        self.states = {each["id"]: _as_set(each, setup.get(each["id"], {})) for each in self._fixtures["entities"]}
        for heard in self._followers:
            heard("house", self._house())

    def room_of(self, device: str) -> str:
        """Name of the room that a device is in; empty where it is in none."""
        areas = {each["id"]: each["name"] for each in self._fixtures["areas"]}
        devices = {each["id"]: each.get("area") for each in self._fixtures.get("devices", ())}
        return str(areas.get(devices.get(device), ""))

    def ask(self, provider: str, what: str, timeout_s: float = 5.0, **arguments: Any) -> Any:
        service, data = str(arguments["service"]), dict(arguments["data"])
        for id in arguments["entities"]:
            if id not in self.states:
                raise CannotBeDone(f"there is no {id}")
            self._do(id, service, data)
        changed = {id: self.states[id] for id in arguments["entities"]}
        for heard in self._followers:
            heard("states", copy.deepcopy(changed))
        return {}

    def _do(self, id: str, service: str, data: Mapping[str, Any]) -> None:
        thing, domain = self.states[id], id.partition(".")[0]
        attributes = thing["attributes"]
        if service in STATES:
            thing["state"] = STATES[service]
        if domain == "valve" and service in OF_VALVES:
            attributes["current_position"] = OF_VALVES[service]
        if domain == "fan" and service in OF_FANS:
            attributes["percentage"] = OF_FANS[service]
        if domain == "light" and "brightness_pct" in data:
            data = {"brightness": round(data["brightness_pct"] * 2.55)}
        if service == "add_item":
            thing["state"] = str(int(thing["state"]) + 1)
        elif service == "volume_mute":
            attributes["volume_level"] = 0.0 if data["is_volume_muted"] else attributes.get("volume_level", 0.5)
        elif service == "media_next_track":
            attributes["media_track"] = int(attributes.get("media_track", 1)) + 1
        else:
            attributes |= {SET.get(key, key): value for key, value in data.items()}

    def _house(self) -> dict[str, Any]:
        areas = self._fixtures["areas"]
        floors = sorted({each["floor"] for each in areas if each.get("floor")})
        return {
            "floors": [{"id": each, "name": each, "aliases": []} for each in floors],
            "areas": [{"aliases": [], "floor": "", **each} for each in areas],
            "entities": [
                {
                    "id": each["id"],
                    "name": each["name"],
                    "area": each.get("area"),
                    **copy.deepcopy(self.states[each["id"]]),
                }
                for each in self._fixtures["entities"]
            ],
        }


def _as_set(told: Mapping[str, Any], setup: Mapping[str, Any]) -> dict[str, Any]:
    attributes = {**told.get("attributes", {}), **setup.get("attributes", {})}
    if "native_value" in attributes:
        setup = {"state": attributes.pop("native_value"), **setup}
    state = setup.get("state", told.get("state", "0" if told["id"].startswith("todo.") else "off"))
    kind = attributes.get("device_class")
    if kind:
        attributes["device_class"] = str(kind).rpartition(".")[2].lower()
    if "target_temperature" in attributes:
        attributes["temperature"] = attributes.pop("target_temperature")
    return {"state": _word(state), "attributes": attributes}


def _word(state: Any) -> str:
    return {True: "on", False: "off"}.get(state, str(state)) if isinstance(state, bool) else str(state)


def changed(before: States, after: States) -> Iterable[str]:
    """The things that are not as they were."""
    return [id for id in before if before[id] != after[id]]
