"""Which things of the house an order or a question means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from appliance.errors import BadArgument, CannotBeDone
from appliance.skills.home.find import Finder
from appliance.skills.home.house import House, Thing
from appliance.skills.home.reading import HERE, Frame, class_words
from appliance.skills.home.services import READS, SERVICES, WANTED
from appliance.skills.written import Words

WHICH = "which"
"""The argument that tells which of several is meant."""
MOST_NAMED = 4
"""Of things that are read out to choose from."""
TEMPERATURE = "HassClimateGetTemperature"
"""It is asked of a thermostat, or else of a thermometer."""


@dataclass(frozen=True)
class Meant:
    things: Sequence[Thing]
    """One at least, each of which can be reached."""
    lost: Sequence[Thing] = ()
    """Those that were meant too, and do not answer."""


@dataclass(frozen=True)
class Found:
    things: Sequence[Thing]
    open: bool = False
    """Whether it has to be asked which of them is meant."""


class Targets:
    def __init__(self, words: Words, language: str, finder: Finder) -> None:
        self._words, self._language, self._finder = words, language, finder

    def meant(self, frame: Frame, house: House, room: str, which: str = "") -> Meant:
        """which: what was said to the question which of several is meant.

        Raises CannotBeDone where there is none, or none that answers; BadArgument where it could be several.
        """
        found = self._chosen(self._found(frame, house, room), which, house)
        if frame.intent in READS:
            return Meant(found)
        there = [thing for thing in found if thing.answers]
        if not there:
            raise CannotBeDone(self._words.say("unreached", what=self.told(found)))
        return Meant(there, [thing for thing in found if not thing.answers])

    def _chosen(self, found: Found, which: str, house: House) -> Sequence[Thing]:
        if not found.open:
            return found.things
        chosen = self._finder.find(which, found.things, house) if which else []
        if which and self._finder.means_all(which, chosen or found.things):
            return chosen or found.things
        if len(chosen) == 1:
            return chosen
        raise self.several(chosen or found.things, WHICH)

    def several(self, things: Sequence[Thing], asks_for: str) -> BadArgument:
        """Asks which of them is meant.  asks_for: the argument that the answer gives."""
        return BadArgument(self._words.say("which", what=self.told(things, "or")), remedy="name one", asks_for=asks_for)

    def _found(self, frame: Frame, house: House, room: str) -> Found:
        able = [thing for thing in house.things.values() if _can(frame, thing)]
        if "name" in frame.slots:
            return self._named(frame, able, house, room)
        kind = [thing for thing in able if _is_kind(frame, thing, self._language)]
        if frame.slots.get("area") == HERE:
            return self._unnamed(frame, kind, room)
        found = [thing for thing in kind if _is_there(frame, thing, house)]
        if not found:
            raise CannotBeDone(self._words.say("none_there"))
        return Found(found)

    def _named(self, frame: Frame, able: Sequence[Thing], house: House, room: str) -> Found:
        """The one thing of that name; of several the one in the room that was named, or in the box's own."""
        named = [thing for thing in able if thing.id in frame.slots["name"]]
        placed = [thing for thing in named if _is_there(frame, thing, house)]
        if not placed:
            raise CannotBeDone(self._words.say("not_so"))
        near = [thing for thing in placed if room and thing.area == room]
        if frame.slots.get("all") or len(placed) == 1 or _are_one(placed):
            return Found(placed)
        return Found(near) if len(near) == 1 else Found(placed, open=True)

    def _unnamed(self, frame: Frame, kind: Sequence[Thing], room: str) -> Found:
        """Where neither a room nor a thing was named: what is in the box's room, else the only one that there is."""
        wanted = WANTED.get(frame.intent, ())
        kind = [thing for thing in kind if thing.state in wanted] or kind
        near = [thing for thing in kind if room and thing.area == room]
        found = near or list(kind)
        if not found:
            raise CannotBeDone(self._words.say("none_there"))
        return Found(found, open=not near and len(found) > 1)

    def told(self, things: Sequence[Thing], joint: Literal["and", "or"] = "and") -> str:
        """Their names, for the ear."""
        names = [*dict.fromkeys(thing.name for thing in things)]
        more = len(names) - MOST_NAMED
        shown = [*names[:MOST_NAMED], *([self._words.say("more", count=more)] if more > 0 else [])]
        last = self._words.phrases[joint]
        return f"{', '.join(shown[:-1])} {last} {shown[-1]}" if len(shown) > 1 else shown[0]


def _can(frame: Frame, thing: Thing) -> bool:
    """Whether the intent can be carried out, or asked, of it at all."""
    if frame.intent == TEMPERATURE:
        return thing.domain == "climate" or thing.device_class == "temperature"
    return frame.intent in READS or thing.domain in SERVICES[frame.intent]


def any_for(frame: Frame, house: House, language: str) -> bool:
    """Whether there is anything that it can mean."""
    named = frame.slots.get("name")
    return any(
        _can(frame, thing)
        and _is_there(frame, thing, house)
        and (thing.id in named if named else _is_kind(frame, thing, language))
        for thing in house.things.values()
    )


def _is_kind(frame: Frame, thing: Thing, language: str) -> bool:
    classes, domains = _several(frame.slots.get("device_class")), _several(frame.slots.get("domain"))
    if domains and thing.domain not in domains:
        return False
    return not classes or thing.device_class in classes or _is_called(classes, thing, language)


def _is_called(classes: Sequence[str], thing: Thing, language: str) -> bool:
    """Whether a thing that does not tell its class has it in its name: Garage Door Opener."""
    words = [word for each in classes for word in class_words(language).get(each, ())]
    return not thing.device_class and any(word in name.casefold() for name in thing.names for word in words)


def _is_there(frame: Frame, thing: Thing, house: House) -> bool:
    area, floor = frame.slots.get("area"), frame.slots.get("floor")
    return (not area or area == HERE or thing.area == area) and (not floor or house.floor_of(thing) == floor)


def _are_one(things: Iterable[Thing]) -> bool:
    """Whether they are sensors of one thing: a phone's charge and whether it charges. The question tells which."""
    return all(thing.domain in ("sensor", "binary_sensor") for thing in things)


def _several(value: Any) -> list[str]:
    return [] if not value else [value] if isinstance(value, str) else [str(each) for each in value]
