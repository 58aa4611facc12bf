"""Which things are as a question asks, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.skills.home.house import Thing
from appliance.skills.home.reading import Frame
from appliance.skills.home.targets import TEMPERATURE

ON = frozenset(
    {"on", "open", "opening", "unlocked", "home", "playing", "cleaning", "heat", "cool", "auto", "heat_cool"}
)
"""States that answer a question for "on": of what has more states than two, those that are not off."""
OFF = frozenset({"off", "closed", "locked", "idle", "standby", "docked", "paused"})


def split(frame: Frame, things: Sequence[Thing]) -> tuple[list[Thing], list[Thing]]:
    """Those that are in the state that is asked for, and the others; all are where no state is."""
    wanted = frame.slots.get("state")
    if wanted is None:
        return [*things], []
    states = {str(wanted)} if isinstance(wanted, str) else {*map(str, wanted)}
    matched = [thing for thing in things if _is(thing, states)]
    return matched, [thing for thing in things if thing not in matched]


def _is(thing: Thing, states: set[str]) -> bool:
    if thing.state in states:
        return True
    kinds = {"on": ON, "off": OFF}
    return any(thing.state in kinds.get(state, ()) for state in states)


def thermometers(frame: Frame, things: Sequence[Thing]) -> list[Thing]:
    """A thermostat knows what it is told to reach; where there is one, it is asked, else what only measures."""
    if frame.intent != TEMPERATURE:
        return [*things]
    climates = [thing for thing in things if thing.domain == "climate"]
    return climates or [*things]
