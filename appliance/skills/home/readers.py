"""What a line means for the house: by the published sentences, else, in English, by a matcher of words and names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gazetteer_matcher import GazetteerMatcher

from appliance.skills.home.house import House
from appliance.skills.home.reading import Frame, Reader
from appliance.skills.home.services import READS, SERVICES
from appliance.skills.home.targets import any_for

EVERY = "quantifier_all"
"""How the matcher marks "all" and "every"."""


class Readers:
    def __init__(self, language: str) -> None:
        self._language, self._sentences = language, Reader(language)
        self._words = WordMatcher() if language == "en" else None

    def read(self, text: str, house: House, room: str) -> Sequence[Frame]:
        """The orders and questions that all of `text` is; none where it is anything else.

        Of several readings the best that there is something for in this house.  room: id of the room that the box is
        in; empty where that is not known.
        """
        if not house.things:
            return []
        whole = self._sentences.read(text, house)
        if found := next((frame for frame in whole if any_for(frame, house, self._language)), None):
            return [found]
        words = self._words.read(text, house, room) if self._words else []
        return words if all(any_for(frame, house, self._language) for frame in words) and words else whole[:1]


class WordMatcher:
    """Finds names as they are misspelt or misheard, kinds of things and what is wanted of them, in any order. The
    package `gazetteer-matcher` is made for Home Assistant's intents.

    The package reads a line also where it has no use for some of its words. Here it does not count then: "not" and
    "should I" are such words, and so is the name of a room that the house does not have.
    """

    def __init__(self) -> None:
        self._matcher: GazetteerMatcher | None = None
        self._areas: object = None

    def read(self, text: str, house: House, room: str) -> Sequence[Frame]:
        found = self._of(house).interpret(text, context_area=house.areas[room].name if room else None)
        if not found.accepted or any(each.unexplained_tokens for each in found.frames):
            return []
        everywhere = any(span.value == EVERY for span in found.spans)
        frames = [_frame(each, everywhere) for each in found.frames]
        return frames if all(_is_for_us(frame, house) for frame in frames) else []

    def _of(self, house: House) -> GazetteerMatcher:
        if self._matcher is None:
            self._matcher = GazetteerMatcher(home=_home(house))
        elif house.areas is not self._areas:
            self._matcher.set_home(_home(house))
        self._areas = house.areas
        return self._matcher


def _is_for_us(frame: Frame, house: House) -> bool:
    """An order, or a question whether a thing is in a state, or what a sensor says: "what is a kettle" has only a name
    in it."""
    if frame.intent != "HassGetState":
        return frame.intent in SERVICES or frame.intent in READS
    things = [house.things[id] for id in frame.slots.get("name", ()) if id in house.things]
    return "state" in frame.slots or (bool(things) and all(thing.domain == "sensor" for thing in things))


def _home(house: House) -> dict[str, Any]:
    """The house as the matcher takes it."""
    return {
        "floors": {id: {"name": floor.name, "aliases": [*floor.aliases]} for id, floor in house.floors.items()},
        "areas": {
            id: {"name": area.name, "aliases": [*area.aliases], "floor": area.floor or None}
            for id, area in house.areas.items()
        },
        "entities": {
            id: {
                "name": thing.name,
                "aliases": [*thing.aliases],
                "domain": thing.domain,
                "area": thing.area or None,
                "device_class": thing.device_class or None,
            }
            for id, thing in house.things.items()
        },
    }


def _frame(found: Any, everywhere: bool) -> Frame:
    """everywhere: all of a kind are meant; the room of the box, where the line named none, then does not count."""
    slots = dict(found.slots)
    if everywhere and found.inherited_slots:
        slots.pop("area", None)
    if isinstance(slots.get("name"), str):
        slots["name"] = [slots["name"]]
    return Frame(found.intent, slots, found.response_key or "default")
