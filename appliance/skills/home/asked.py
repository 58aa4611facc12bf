"""What the model calls for the house: in a sentence that nobody wrote down it says which thing, and what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from appliance.errors import CannotBeDone
from appliance.ports import Spoken
from appliance.skills.home.answers import Answers
from appliance.skills.home.find import Finder
from appliance.skills.home.house import House, Thing
from appliance.skills.home.live import LiveHouse
from appliance.skills.home.reading import Frame
from appliance.skills.home.services import SERVICES, SWITCHED
from appliance.skills.home.targets import Targets
from appliance.skills.home.tools import HomeTools
from appliance.skills.written import Words

To = Literal["on", "off", "open", "closed", "locked", "unlocked", "playing", "paused", "level"]
What = Annotated[str, Field(max_length=80, description="thing, or things of a room, as said")]
INTENTS: dict[To, str] = {
    "on": "HassTurnOn", "off": "HassTurnOff", "open": "HassTurnOn", "closed": "HassTurnOff", "locked": "HassTurnOn",
    "unlocked": "HassTurnOff", "playing": "HassMediaUnpause", "paused": "HassMediaPause",
}  # fmt: skip
ON = (*SWITCHED, "cover", "valve", "scene", "script", "button", "input_button", "vacuum", "lawn_mower")
LEVELS = {
    "light": ("HassLightSet", "brightness"),
    "cover": ("HassSetPosition", "position"),
    "valve": ("HassSetPosition", "position"),
    "climate": ("HassClimateSetTemperature", "temperature"),
    "water_heater": ("HassClimateSetTemperature", "temperature"),
    "fan": ("HassFanSetSpeed", "percentage"),
    "media_player": ("HassSetVolume", "volume_level"),
}
"""Kind of thing -> the intent that sets a number, and its slot."""
ONLY: dict[To, tuple[str, ...]] = {
    "on": ON,
    "off": ON,
    "open": ("cover", "valve"),
    "closed": ("cover", "valve"),
    "locked": ("lock",),
    "unlocked": ("lock",),
}
"""Kinds of things that can be brought to it, where those that the intent knows are too many: "off" unlocks no door."""
MOST_TOLD = 5
_ID = re.compile(r"[a-z_]+\.(\w+)")


class AskedTools:
    def __init__(
        self, live: LiveHouse, tools: HomeTools, finder: Finder, words: Words, answers: Answers, targets: Targets
    ) -> None:
        self._live, self._tools, self._finder, self._words = live, tools, finder, words
        self._answers, self._targets = answers, targets

    def home_set(
        self,
        what: What,
        to: To,
        level: Annotated[int, Field(ge=0, le=100, description="percent, or degrees", json_schema_extra={"said": True})]
        | None = None,
    ) -> Spoken:
        """Switch, open, close, lock, dim or set something in the house."""
        frame = self._frame(what, to, level)
        return self._tools.home_do(frame.intent, dict(frame.slots))

    def asks(self, what: str, to: To, level: int | None = None) -> str:
        """What to ask before; empty where nothing needs to be asked. Raises BadArgument, CannotBeDone."""
        frame = self._frame(what, to, level)
        return self._tools.asks(frame.intent, dict(frame.slots))

    def home_state(self, what: What) -> Spoken:
        """Tell how something in the house is: on or off, open or closed, how warm, how full."""
        house = self._live.now()
        found = self._found(what, [*house.things.values()], house)
        told = [self._words.begin("how", name=each.name, state=self._answers.state(each)) for each in found[:MOST_TOLD]]
        return Spoken(" ".join(told))

    def run_scene(self, name: Annotated[str, Field(max_length=80)]) -> Spoken:
        """Set a scene, or start a routine, of the house."""
        house = self._live.now()
        found = self._found(name, [each for each in house.things.values() if each.domain in ("scene", "script")], house)
        return self._tools.home_do("HassTurnOn", {"name": [found[0].id]}, found[0].domain)

    def _frame(self, what: str, to: To, level: int | None) -> Frame:
        house = self._live.now()
        able = [thing for thing in house.things.values() if _intent(thing, to, level)]
        found = self._found(what, able, house)
        found = [thing for thing in found if thing.answers] or found
        near = [thing for thing in found if thing.area and thing.area == self._tools.room]
        chosen = found if len(found) == 1 or self._finder.means_all(what, found) else near or found
        if len(chosen) > 1 and not self._finder.means_all(what, chosen):
            raise self._targets.several(chosen, "what")
        intent, slot = _intent(chosen[0], to, level) or ("", "")
        together = [thing.id for thing in chosen if (_intent(thing, to, level) or ("", ""))[0] == intent]
        return Frame(intent, {"name": together, "all": True, **({slot: level} if slot else {})})

    def _found(self, what: str, things: Sequence[Thing], house: House) -> list[Thing]:
        said = _said(what)
        found = self._finder.find(said, things, house)
        if not found:
            raise CannotBeDone(self._words.say("not_found", what=said))
        return found


def _said(what: str) -> str:
    """As a person says it, where the model wrote it as Home Assistant's ids are: cover.garage_door."""
    written = _ID.fullmatch(what.strip())
    return (written[1] if written else what).replace("_", " ").strip()


def _intent(thing: Thing, to: To, level: int | None) -> tuple[str, str] | None:
    """The intent that brings it there, and the slot of the number; None where it cannot be brought there."""
    if level is not None and to in ("level", "on", "open"):
        return LEVELS.get(thing.domain)
    if to == "level" or thing.domain not in ONLY.get(to, SERVICES[INTENTS[to]]):
        return None
    return INTENTS[to], ""
