"""The house as Home Assistant knows it: its rooms, its things, and the state that each is in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

UNREACHED = frozenset({"unavailable", "unknown"})
"""States of a thing that does not answer."""


@dataclass(frozen=True)
class Place:
    """A room, or a floor."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    floor: str = ""
    """Id of the floor that a room is on; empty where that is not known."""

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)


@dataclass(frozen=True)
class Thing:
    """A lamp, a sensor, a scene: Home Assistant calls it an entity."""

    id: str
    """Such as light.kitchen_ceiling."""
    name: str
    aliases: tuple[str, ...] = ()
    area: str = ""
    """Id of its room."""
    state: str = "unknown"
    attributes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)

    @property
    def domain(self) -> str:
        """What kind of thing it is: light, cover, lock."""
        return self.id.partition(".")[0]

    @property
    def device_class(self) -> str:
        """What kind of its kind: garage, curtain, temperature; empty where that is not said."""
        return str(self.attributes.get("device_class") or "")

    @property
    def unit(self) -> str:
        return str(self.attributes.get("unit_of_measurement") or "")

    @property
    def answers(self) -> bool:
        """Whether it can be reached; a scene or a button has no state to tell it by."""
        return self.state not in UNREACHED or self.domain in ("scene", "button", "input_button", "script")

    def now(self, state: str, attributes: Mapping[str, Any]) -> Thing:
        return replace(self, state=state, attributes=attributes)


@dataclass(frozen=True)
class House:
    floors: Mapping[str, Place] = field(default_factory=dict)
    areas: Mapping[str, Place] = field(default_factory=dict)
    things: Mapping[str, Thing] = field(default_factory=dict)
    """By their ids, as all three."""

    @property
    def names(self) -> list[str]:
        """Of all that is in it."""
        every: list[Place | Thing] = [*self.floors.values(), *self.areas.values(), *self.things.values()]
        return [name for each in every for name in each.names]

    def area_called(self, name: str) -> str:
        """The id of a room by one of its names; empty without such a room."""
        return next((id for id, area in self.areas.items() if _plain(name) in map(_plain, area.names)), "")

    def floor_of(self, thing: Thing) -> str:
        area = self.areas.get(thing.area)
        return area.floor if area else ""

    def without(self, domains: Collection[str]) -> House:
        """Without the things of these kinds."""
        return replace(self, things={id: each for id, each in self.things.items() if each.domain not in domains})

    def lost(self) -> House:
        """Where none of its things can be reached."""
        return replace(self, things={id: each.now("unavailable", each.attributes) for id, each in self.things.items()})

    def and_also(self, other: House) -> House:
        """With the things of another, which have their rooms by name; what both have is this one's."""
        here = {(each.domain, _plain(each.name)) for each in self.things.values()}
        rooms = {id: self.area_called(area.name) or id for id, area in other.areas.items()}
        more = {
            id: replace(each, area=rooms.get(each.area, each.area))
            for id, each in other.things.items()
            if (each.domain, _plain(each.name)) not in here
        }
        areas = {id: area for id, area in other.areas.items() if rooms[id] == id}
        return House({**other.floors, **self.floors}, {**areas, **self.areas}, {**more, **self.things})

    def with_states(self, states: Mapping[str, Any]) -> House:
        """With what a piece of news `states` tells; of a thing that is not known, or no more, nothing."""
        changed = {
            id: self.things[id].now(str(now["state"]), dict(now.get("attributes") or {}))
            for id, now in states.items()
            if id in self.things and now
        }
        return replace(self, things={**self.things, **changed})


Clean = Callable[[str], str]
"""A name of the network as it may be said, and be read by the model (SkillContext.harmless)."""


def house_of(news: Mapping[str, Any], clean: Clean = str) -> House:
    """What a piece of news `house` tells. Raises KeyError, TypeError, AttributeError for nonsense."""
    return House(
        _by_id(_place(each, clean) for each in news.get("floors") or ()),
        _by_id(_place(each, clean) for each in news.get("areas") or ()),
        {each["id"]: _thing(each, clean) for each in news.get("entities") or ()},
    )


def _place(told: Mapping[str, Any], clean: Clean) -> Place:
    return Place(told["id"], clean(told["name"]), _aliases(told, clean), told.get("floor") or "")


def _thing(told: Mapping[str, Any], clean: Clean) -> Thing:
    attributes = dict(told.get("attributes") or {})
    state = str(told.get("state", "unknown"))
    area = told.get("area") or ""
    return Thing(told["id"], clean(told["name"]), _aliases(told, clean), area, state, attributes)


def _aliases(told: Mapping[str, Any], clean: Clean) -> tuple[str, ...]:
    return tuple(map(clean, told.get("aliases") or ()))


def _by_id(places: Iterable[Place]) -> dict[str, Place]:
    return {place.id: place for place in places}


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())
