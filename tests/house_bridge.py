"""A house for tests: the bridge's news of it, and what was done to it."""

from __future__ import annotations

from typing import Any

from appliance.errors import CannotBeDone
from appliance.ports import LINK, News
from appliance.settings import Settings


def thing(id: str, name: str, area: str = "", state: str = "off", aliases: tuple[str, ...] = (), **more: Any) -> Any:
    return {"id": id, "name": name, "area": area, "state": state, "aliases": list(aliases), "attributes": more}


NEWS: dict[str, Any] = {
    "floors": [{"id": "up", "name": "Upstairs", "aliases": []}, {"id": "down", "name": "Downstairs", "aliases": []}],
    "areas": [
        {"id": "kitchen", "name": "Kitchen", "aliases": ["Cookhouse"], "floor": "down"},
        {"id": "study", "name": "Study", "aliases": [], "floor": "up"},
        {"id": "hall", "name": "Hall", "aliases": [], "floor": "down"},
    ],
    "entities": [
        thing("light.worktop", "Worktop", "kitchen", aliases=("Counter Light",), supported_color_modes=["brightness"]),
        thing("light.ceiling", "Kitchen Ceiling", "kitchen", "on", brightness=120,
              supported_color_modes=["color_temp"]),
        thing("light.desk", "Desk Lamp", "study", "on", supported_color_modes=["rgb"]),
        thing("light.attic", "Attic Lamp", "study", "unavailable"),
        thing("switch.kettle", "Kettle", "kitchen"),
        thing("fan.study", "Breeze", "study"),
        thing("cover.blind", "Study Blind", "study", "open", device_class="blind"),
        thing("cover.garage", "Big Door", "hall", "closed", device_class="garage"),
        thing("lock.front", "Front Door", "hall", "locked"),
        thing("lock.back", "Back Door", "kitchen", "unlocked"),
        thing("climate.study", "Study Heater", "study", "heat", current_temperature=19.5, temperature=21),
        thing("sensor.hall_temperature", "Hall Thermometer", "hall", "17.26", device_class="temperature",
              unit_of_measurement="°C"),
        thing("binary_sensor.shed", "Shed Window", "", "on", device_class="window"),
        thing("media_player.hall", "Hall Speaker", "hall", "playing", volume_level=0.5),
        thing("vacuum.dusty", "Dusty", "hall", "docked"),
        thing("scene.cosy", "Cosy Evening", "", "unknown"),
        thing("todo.party", "Fred's Party", "", "0"),
    ],
}  # fmt: skip


class HouseBridge:
    """A `Bridge` to that house; what is called is in `calls`, and changes nothing."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, list[str], dict[str, Any]]] = []
        self.fails = ""
        self._followers: list[News] = []

    def ask(self, provider: str, what: str, timeout_s: float = 5.0, **arguments: Any) -> Any:
        assert (provider, what) == ("home", "call")
        if self.fails:
            raise CannotBeDone(self.fails)
        service = f"{arguments['domain']}.{arguments['service']}"
        self.calls.append((service, arguments["entities"], arguments["data"]))
        return {}

    def follow(self, provider: str, heard: News) -> None:
        assert provider == "home"
        self._followers.append(heard)

    def tell(self, kind: str, value: Any) -> None:
        for heard in self._followers:
            heard(kind, value)

    def up(self) -> HouseBridge:
        self.tell(LINK, {"up": True, "why": ""})
        self.tell("house", NEWS)
        return self


def home_settings(language: str = "en", **chosen: Any) -> Settings:
    return Settings.model_validate(
        {"home_assistant": {"url": "http://127.0.0.1:8123", **chosen}, "words": {"language": language}}
    )
