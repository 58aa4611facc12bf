"""What a turn is taken with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol, runtime_checkable

from appliance.audio import Stale
from appliance.ports import Clock, LanguageModel, MemoryStore, Message, SoundOf, Tool, Usage
from appliance.reply.conversation import Conversation
from appliance.reply.plan import Answer
from appliance.settings import Settings


@runtime_checkable
class NativeModel(Protocol):
    """A model that makes tool calls in a format of its own, as servers on the LAN do."""

    @property
    def native(self) -> bool:
        """False once the server refused tools: the text protocol serves from then on."""
        ...

    def converse(
        self, messages: Sequence[Message], tools: Sequence[Tool], limit: int, usage: Usage, stale: Stale
    ) -> Answer:
        """Raises ToolsRefused, TurnFailed, Cancelled."""
        ...


@dataclass(frozen=True)
class House:
    model: LanguageModel
    tools: Sequence[Tool]
    """Those that the model may call."""
    commands: Sequence[Tool]
    """Those that whole sentences and the engine call: nothing is gained by a model that weighs them."""
    memory: MemoryStore
    clock: Clock
    conversation: Conversation
    settings: Settings
    name: str
    """What the box is called."""
    running: Callable[[], Sequence[str]] = lambda: ()
    """Names of the timers that run, for lines that mean one of them."""
    is_place: Callable[[str], bool] = lambda name: True
    """Whether a name is that of a place whose time is known."""
    season: Callable[[str, date], str] = lambda place, day: ""
    """The one at a place on a day; empty where that is not known."""
    customs: Callable[[str], Mapping[str, str]] = lambda place: {}
    """What is usual in the country that a place is in: its money, its languages and so on."""
    country_in: Callable[[str], str] = lambda text: ""
    """The name of the country that stands in a text; empty where none does."""
    moment_of: Callable[[str, datetime], datetime | None] = lambda said, now: None
    """The next such time of day after another moment; None for what is no time of day."""
    day_of: Callable[[str, date], date | None] = lambda said, today: None
    """The next such day, from another one on; None for what names no day."""
    convertible: Callable[[str, str], bool] = lambda one, other: False
    """Whether a measurement in the one unit can be given in the other."""
    sound_of: SoundOf = str.casefold
    """How words sound; by default no two alike."""
