"""What is said of an order or a question: the answers that Home Assistant publishes beside its sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from home_assistant_intents import get_intents
from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from appliance.language.published import spelled
from appliance.skills.home.house import House, Thing
from appliance.skills.home.reading import HERE, Frame
from appliance.skills.written import Words


@dataclass(frozen=True)
class Told:
    """A thing as the published answers read it."""

    name: str
    domain: str
    state: str
    state_with_unit: str
    entity_id: str
    attributes: Mapping[str, Any]

    def __str__(self) -> str:
        return self.state


class Answers:
    def __init__(self, language: str, words: Words) -> None:
        self.language = language
        self._code, self._words = spelled(language), words if words.language == language else None

    def say(
        self, frame: Frame, house: House, things: Sequence[Thing], matched: Sequence[Thing], others: Sequence[Thing]
    ) -> str:
        """things: those that were meant.  matched, others: of a question, those that are as it asks, and that are not.

        Empty where nothing is published for that.
        """
        template = _templates(self._code).get(frame.intent, {}).get(frame.response or "default", "")
        if not template or not things:
            return ""
        states = {thing.id: thing for thing in things}
        values = {
            "slots": _spoken(frame, house, things),
            "state": self._told(things[0]),
            "query": {"matched": [*map(self._told, matched)], "unmatched": [*map(self._told, others)]},
            "state_attr": lambda id, name: states[id].attributes.get(name) if id in states else None,
        }
        try:
            return " ".join(_environment().from_string(template).render(values).split())
        except (TemplateError, TypeError, ValueError, AttributeError):  # it is written for another kind of thing
            return ""

    def own(self, frame: Frame) -> str:
        """Our own phrase in place of the published one; empty where there is none in the language."""
        done: Mapping[str, Mapping[str, str]] = self._words.phrases["done"] if self._words else {}
        return done.get(frame.intent, {}).get(frame.response, "")

    def state(self, thing: Thing) -> str:
        """How it is, in words, with its unit."""
        state = _rounded(thing.state)
        if thing.unit:
            return f"{state} {thing.unit}"
        kinds = self._words.phrases["states"] if self._words else {}
        own: Mapping[str, str] = kinds.get(thing.device_class, {}) if thing.domain == "binary_sensor" else {}
        return str(own.get(state) or kinds.get("other", {}).get(state) or state.replace("_", " "))

    def _told(self, thing: Thing) -> Told:
        return Told(thing.name, thing.domain, _rounded(thing.state), self.state(thing), thing.id, thing.attributes)


@cache
def _templates(code: str) -> Mapping[str, Mapping[str, str]]:
    intents: Mapping[str, Mapping[str, str]] = (get_intents(code) or {})["responses"]["intents"]
    return intents


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    return ImmutableSandboxedEnvironment(autoescape=False)


def _spoken(frame: Frame, house: House, things: Sequence[Thing]) -> dict[str, Any]:
    """The slots with names in the place of ids."""
    slots = {**frame.slots, "name": things[0].name}
    area, floor = house.areas.get(str(slots.get("area"))), house.floors.get(str(slots.get("floor")))
    if area:
        slots["area"] = area.name
    elif slots.get("area") == HERE:
        del slots["area"]
    return {**slots, **({"floor": floor.name} if floor else {})}


def _rounded(state: str) -> str:
    """A number with one digit behind its point at most."""
    try:
        return f"{float(state):.1f}".removesuffix(".0")
    except ValueError:
        return state
