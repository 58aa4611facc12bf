"""An own skill under guard: what the box asks of it beside its tools breaks nothing of others, whatever it raises.

A fault is logged, with its traceback, once until it works again or fails in another way; something stands in its place.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from appliance.errors import ApplianceError, CannotBeDone, outcome_of
from appliance.ports import Pausable, Rings, Skill, Spoken, Tool
from appliance.skills.gated import GatedTool
from appliance.skills.written import Words

log = logging.getLogger(__name__)

T = TypeVar("T")

# What stands for what a method gives, where it fails.
_ALARMS: Mapping[str, Any] = {
    "all": [],
    "due": [],
    "ringing": [],
    "missed": [],
    "next_due_in": None,
    "done": None,
    "miss": None,
    "can_snooze": False,
    "snooze": 0,
}
_ORDERS: Mapping[str, Any] = {"due": [], "begin": False, "end": None, "sentence": "", "told": []}


def guarded(skill: Skill, language: str) -> Skill:
    """`skill` with a guard around all that it is asked, but for the calls of its tools: those have one of their own.

    language: of what is said of it.
    """
    words, called = Words(Path(__file__).parent, language), skill.title or skill.name
    guard, broken = _Guard(skill.name), words.say("broken", skill=called)
    due = words.say("due", skill=called)
    return replace(
        skill,
        tools=[_GuardedTool(tool, guard) for tool in skill.tools],
        commands=[_GuardedTool(tool, guard) for tool in skill.commands],
        answers=[_GuardedTool(tool, guard) for tool in skill.answers],
        missing=guard.around("missing", skill.missing, str(broken)),
        expected=guard.around("expected", skill.expected, ""),
        known=guard.around("known", skill.known, ()),
        reads=guard.around("reads", skill.reads, ()),
        names=guard.around("names", skill.names, ()),
        duck=skill.duck and guard.around("duck", skill.duck, None),
        chore=skill.chore and guard.around("chore", skill.chore, None),
        rings=skill.rings and _rings(skill.rings, guard, str(due)),
        orders=skill.orders and _part(guard, skill.orders, _ORDERS),
        pausable=skill.pausable and _pausable(skill.pausable, guard, called, broken),
        wakes=skill.wakes and _WakeSounds(skill.wakes, guard, CannotBeDone(broken)),
    )


class _Guard:
    """Calls what belongs to one skill."""

    def __init__(self, skill: str) -> None:
        self._skill = skill
        self._failing: dict[str, str] = {}
        """What fails -> the error that was logged of it."""

    def around(self, name: str, function: Callable[..., Any], instead: T, meant: bool = False) -> Callable[..., T]:
        """As `function`, but for a fault, where it gives `instead`; what it gives is made of that kind.

        meant: an error of the appliance's own is an answer, and raised.  instead: one is raised too.
        """
        return partial(self._call, name, function, instead, meant)

    def _call(
        self, name: str, function: Callable[..., Any], instead: T, meant: bool, /, *values: Any, **named: Any
    ) -> T:
        outcome = outcome_of(lambda: _like(instead, function(*values, **named)))
        if not isinstance(outcome, Exception):
            self._failing.pop(name, None)
            return outcome
        if meant and isinstance(outcome, ApplianceError):
            raise outcome
        self._tell(name, outcome)
        if isinstance(instead, Exception):
            raise instead
        return instead

    def _tell(self, name: str, error: Exception) -> None:
        if self._failing.get(name) != repr(error):
            self._failing[name] = repr(error)
            what = "the skill %s failed in %s (%s); correct it, or name it in skills.off"
            log.error(what, self._skill, name, error, exc_info=error)


def _like(instead: T, found: Any) -> T:
    """What was given, as something of the kind of `instead`. Raises what the kind does where that cannot be."""
    kind: Any = type(instead)
    if instead is None or isinstance(instead, Exception):
        return found  # type: ignore[no-any-return]
    if isinstance(instead, str) and found and not isinstance(found, str):
        raise TypeError(f"it gave {type(found).__name__}, and no text")
    return kind(found) if found else kind()  # type: ignore[no-any-return]


class _GuardedTool(GatedTool):
    def __init__(self, tool: Tool, guard: _Guard) -> None:
        super().__init__(tool, lambda: "")
        self._ready = guard.around(f"ready of {tool.name}", tool.ready, False)

    def ready(self) -> bool:
        return self._ready()


class _Part:
    """The methods of a part of a skill, under guard; `instead`: what stands for what each gives."""

    def __init__(self, guard: _Guard, part: object, instead: Mapping[str, Any]) -> None:
        self._guard, self._part, self._instead = guard, part, instead

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in self._instead:
            raise AttributeError(name)

        def call(*values: Any, **named: Any) -> Any:
            return getattr(self._part, name)(*values, **named)

        return self._guard.around(name, call, self._instead[name])


def _part(guard: _Guard, part: object, instead: Mapping[str, Any]) -> Any:
    """As the port that `part` implements."""
    return _Part(guard, part, instead)


def _rings(rings: Rings[Any], guard: _Guard, due: str) -> Rings[Any]:
    """due: what is said of what rings and has no words."""
    return Rings(
        _part(guard, rings.alarms, _ALARMS),
        _part(guard, rings.telling, {"sentence": due, "missed": ""}),
        guard.around("running", rings.running, list[str]()),
        guard.around("plays", rings.plays, ""),
    )


def _pausable(pausable: Pausable, guard: _Guard, called: str, broken: Spoken) -> Pausable:
    """One that cannot be paused says so, and keeps no other from it."""
    return Pausable(
        pausable.name.strip() or called,
        guard.around("runs", pausable.runs, False),
        guard.around("paused", pausable.paused, False),
        guard.around("pause", pausable.pause, broken, meant=True),
        guard.around("resume", pausable.resume, broken, meant=True),
    )


class _WakeSounds:
    """Implements ports.WakeSounds."""

    def __init__(self, sounds: Any, guard: _Guard, unknown: CannotBeDone) -> None:
        """unknown: why nobody can tell what it has."""
        self.named: Callable[[str], Any] = guard.around("named", lambda what: sounds.named(what), unknown, meant=True)
        self.start = guard.around("start", lambda what: sounds.start(what), None)
        self.stop = guard.around("stop", lambda: sounds.stop(), None)
        self._sounding = guard.around("sounding", lambda: sounds.sounding, False)

    @property
    def sounding(self) -> bool:
        return self._sounding()
