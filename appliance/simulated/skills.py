"""What a skill is built with, made of the other doubles."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime
from typing import Any

from appliance.ports import ClockSet, ItemsOf, NobodyTalks, SkillContext
from appliance.settings import Settings
from appliance.simulated.body import HandSetClock, HandSetVolume
from appliance.simulated.facts import MemoryFacts
from appliance.simulated.memory import MemoryItems, MemoryTimers
from appliance.simulated.private import AskedPrivate


def skill_context(**others: Any) -> SkillContext:
    """`others`: fields of SkillContext that are not to be doubles."""
    doubles: dict[str, Any] = {
        "settings": Settings(),
        "name": "Jarvis",
        "clock": HandSetClock(datetime(2025, 11, 21, 15, 5, tzinfo=UTC)),
        "set_clock": lambda moment: ClockSet.NOBODY,
        "memory": MemoryFacts(),
        "timers": MemoryTimers(),
        "items": _by_skill(),
        "volume": HandSetVolume(),
        "last_said": lambda: "",
        "last_heard": lambda: "",
        "ledger": NothingDone(),
        "talk": NobodyTalks(),
        "private": AskedPrivate(),
        "silence": lambda: None,
        "close_microphone": lambda: None,
        "sound_of": str.casefold,
        "harmless": lambda text, limit_chars: text[:limit_chars],
    }
    return SkillContext(**(doubles | others))


def _by_skill() -> ItemsOf:
    kept = defaultdict[str, MemoryItems](MemoryItems)
    return lambda skill: kept[skill]


class NothingDone:
    """A `Ledger` without a deed."""

    said, undoable = "", False

    def undo(self) -> None: ...
