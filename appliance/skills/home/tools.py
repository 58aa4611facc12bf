"""What can be done and asked of the house, in the words of a conversation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from appliance.errors import CannotBeDone
from appliance.language.lists import capital
from appliance.ports import Spoken, undoable
from appliance.settings_bridge import AskBefore
from appliance.skills.home.answers import Answers
from appliance.skills.home.asking import split, thermometers
from appliance.skills.home.house import House, Thing
from appliance.skills.home.live import LiveHouse
from appliance.skills.home.reading import Frame
from appliance.skills.home.services import SERVICES, Service, Unable
from appliance.skills.home.targets import Meant, Targets
from appliance.skills.written import Words

RESTORED = frozenset(
    {"brightness", "color_mode", "color_temp_kelvin", "hs_color", "rgb_color", "xy_color", "percentage"}
)
RESTORED |= {"current_position", "temperature", "target_temp_low", "target_temp_high", "volume_level", "fan_mode"}
"""Attributes that Home Assistant brings back with a state (its service scene.apply)."""
NOT_RESTORED = frozenset({"scene", "script", "button", "input_button", "vacuum", "lawn_mower"})
"""Kinds of things that have no state to be brought back to."""


class HomeTools:
    def __init__(
        self,
        live: LiveHouse,
        room: str,
        ask_before: Sequence[AskBefore],
        words: Words,
        answers: Answers,
        targets: Targets,
    ) -> None:
        """room: name of the one that the box is in, as Home Assistant has it."""
        self._live, self._room, self._ask_before = live, room, ask_before
        self._words, self._answers, self._targets = words, answers, targets

    @property
    def room(self) -> str:
        """The id of the box's room; empty where Home Assistant has none of that name."""
        return self._live.known().area_called(self._room) if self._room else ""

    def home_do(self, intent: str, slots: dict[str, Any], response: str = "default", which: str = "") -> Spoken:
        """Carry out an order that a whole sentence gave."""
        frame, house = Frame(intent, slots, response), self._live.now()
        meant = self._targets.meant(frame, house, self.room, which)
        asked = bool(self._question(frame, meant))
        able = self._carry_out(frame, meant)
        if not asked:
            self._may_be_undone(able)
        return Spoken(" ".join(filter(None, [self._done(frame, house, able), self._lost(meant)])))

    def asks(self, intent: str, slots: dict[str, Any], response: str = "default", which: str = "") -> str:
        """What to ask before; empty where nothing needs to be asked. Raises BadArgument, CannotBeDone."""
        frame = Frame(intent, slots, response)
        return self._question(frame, self._targets.meant(frame, self._live.now(), self.room, which))

    def home_ask(self, intent: str, slots: dict[str, Any], response: str = "default", which: str = "") -> Spoken:
        """Answer a question that was a whole sentence. Raises CannotBeDone where nothing that it is about answers."""
        frame, house = Frame(intent, slots, response), self._live.now()
        things = thermometers(frame, self._targets.meant(frame, house, self.room, which).things)
        if "state" in frame.slots and not any(thing.answers for thing in things):
            raise CannotBeDone(self._words.say("silent", what=self._targets.told(things)))
        matched, others = split(frame, things)
        said = self._answers.say(frame, house, things, matched, others)
        return Spoken(_ended(said or self._listed(things)))

    def _question(self, frame: Frame, meant: Meant) -> str:
        asked = {
            service.asks for thing in meant.things if (service := _service(frame, thing)) and _asks(service, thing)
        }
        if frame.slots.get("position") == 0:
            return ""
        kind = next((kind for kind in self._ask_before if kind in asked), "")
        return self._words.begin(f"ask_{kind}", what=self._targets.told(meant.things)) if kind else ""

    def _carry_out(self, frame: Frame, meant: Meant) -> list[Thing]:
        """Those things for which it was done; the others cannot. Raises CannotBeDone where none of them can."""
        calls: dict[str, list[tuple[dict[str, Any], Thing]]] = defaultdict(list)
        for thing in meant.things:
            service = _service(frame, thing)
            with suppress(Unable):
                data = service.data(frame.slots, thing)
                calls[service.name].append((data, thing))
        if not calls:
            raise CannotBeDone(self._words.begin("unable", what=self._targets.told(meant.things)))
        for name, wanted in calls.items():
            for data, things in _alike(wanted):
                self._live.call(name, [thing.id for thing in things], **data)
        return [thing for wanted in calls.values() for _, thing in wanted]

    def _may_be_undone(self, things: Sequence[Thing]) -> None:
        """Each thing as it was before."""
        before = {
            thing.id: {"state": thing.state, **{k: v for k, v in thing.attributes.items() if k in RESTORED and v}}
            for thing in things
            if thing.domain not in NOT_RESTORED
        }
        if len(before) == len(things):
            undoable(lambda: self._live.call("scene.apply", [], entities=before))

    def _done(self, frame: Frame, house: House, things: Sequence[Thing]) -> str:
        what = self._targets.told(things)
        if "name" in frame.slots and (own := self._answers.own(frame)):
            return capital(own.format(what=what))
        said = self._answers.say(frame, house, things, things, [])
        return _ended(said) if said else self._words.begin("changed", what=what)

    def _lost(self, meant: Meant) -> str:
        return self._words.begin("some_lost", what=self._targets.told(meant.lost)) if meant.lost else ""

    def _listed(self, things: Sequence[Thing]) -> str:
        return ", ".join(f"{thing.name}: {self._answers.state(thing)}" for thing in things[:MOST_LISTED])


MOST_LISTED = 6


def _service(frame: Frame, thing: Thing) -> Service:
    return SERVICES[frame.intent][thing.domain]


def _asks(service: Service, thing: Thing) -> bool:
    return bool(service.asks) and thing.device_class not in service.unless


def _alike(wanted: Sequence[tuple[dict[str, Any], Thing]]) -> list[tuple[dict[str, Any], list[Thing]]]:
    """Those that get the same, together: one call switches them at once."""
    together: list[tuple[dict[str, Any], list[Thing]]] = []
    for data, thing in wanted:
        same = next((things for other, things in together if other == data), None)
        if same is None:
            together.append((data, [thing]))
        else:
            same.append(thing)
    return together


def _ended(said: str) -> str:
    return said if not said or said[-1] in ".!?" else f"{said}."
