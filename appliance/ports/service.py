"""What the service asks of each room: to hear, to think, to speak, to ring."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from enum import Enum, auto
from typing import Literal, Protocol, TypeVar

from appliance.audio import Frame, Stale
from appliance.events import Event
from appliance.ports.orders import Order, OrderOutcome
from appliance.records import TurnRecord


class Attention(Enum):
    """What the ears listen for."""

    NONE = auto()
    WAKE = auto()
    """The wake word."""
    COMMAND = auto()
    """An utterance, right after the wake word or the button."""
    FOLLOW_UP = auto()
    """An utterance or the wake word, for a short while after an answer."""
    OVERHEAR = auto()
    """The wake word, or something as short as "stop"."""
    TALK = auto()
    """Utterances, one after the other, each given on while it is said (a call); and the wake word."""


class Ears(Protocol):
    """Frames in, events out."""

    def attend(self, attention: Attention, turn: int, window_s: float | None = None) -> None:
        """From the next frame on, listen for this. `window_s`: how long speech may take to start."""

    def begin_anew(self) -> None:
        """The sound broke off: nothing from before may be joined to what comes next. Of the thread that feeds."""

    def feed(self, frame: Frame) -> list[Event]: ...


class Mouth(Protocol):
    """Where a reply goes: to the ear, or to a terminal."""

    def say(self, text: str) -> None:
        """More of the reply, in pieces of any size; returns at once."""

    def finish(self) -> str:
        """Block until everything is out. Returns the text as spoken, up to where it was cut off."""
        ...


Cue = Literal["ready", "heard", "nothing", "done", "muted", "open", "announcement", "call"]
"""A short sound at a moment at which people wonder; `nothing`: no words were heard; `call`: one of another box."""


class Voice(Protocol):
    """Everything that makes a sound. Works on threads of its own, so that a hung model cannot silence it."""

    def begin(self, stale: Stale, started: Callable[[float], None]) -> Mouth:
        """Where the next reply goes. `started` is called with the monotonic time of its first sample."""
        ...

    def ring(self, sentences: Sequence[str]) -> None:
        """Ring until silenced, whenever no reply is being spoken; say each of `sentences` once in between."""

    @property
    def chimes(self) -> int:
        """The number of the last ringing sound that was heard: one that failed does not count, one cut short does.

        Higher than ever before with each that begins.
        """
        ...

    def silence(self) -> None: ...

    def cue(self, cue: Cue) -> None:
        """Play a short sound, unless something sounds already; returns at once."""


class Thinker(Protocol):
    """A line of text in, a spoken reply out. Its methods are called from one thread at a time."""

    def expect(self, stale: Stale, heard: str = "", aloud: bool = True) -> None:
        """Somebody is about to speak, or seems to have said `heard`: read ahead what is known of the prompt.

        aloud: false where the line will be typed.
        """

    def reply(self, turn: int, heard: str, channel: str, mouth: Mouth, stale: Stale, speaker: str = "") -> TurnRecord:
        """`speaker`: who said it, on a channel where that is not the owner; on one that is spoken whose voice it is, by
        name, and empty for one that the box does not know."""
        ...

    def carry_out(self, order: Order) -> tuple[OrderOutcome, str]:
        """Do what was put off, whose time has come: how it ended, and what is to be told. Raises ApplianceError."""
        ...

    def await_answer(self, order: Order) -> None:
        """It was asked about aloud: a yes that comes next carries it out."""

    def after(self, stale: Stale) -> None:
        """What follows the reply and nobody waits for; abandoned once stale. Adds to the record what was remembered."""

    def reflect(self, stale: Stale) -> bool:
        """Think over a piece of what was said, while nobody is served; abandoned once stale. Whether one was done."""
        ...


class Ended(Protocol):
    """A timer, an alarm, or whatever else of a skill's ends at a time and rings then."""

    @property
    def id(self) -> Hashable:
        """Of no two that are there at once."""
        ...

    @property
    def rang(self) -> bool:
        """It rang as long as it may, and nobody came: it is still to be told of."""
        ...


E = TypeVar("E", bound=Ended)
Said = TypeVar("Said", bound=Ended, contravariant=True)


class Alarms(Protocol[E]):
    """What is due."""

    def due(self) -> list[E]:
        """Those that ended since the last call; each is given once."""
        ...

    def next_due_in(self) -> float | None:
        """Seconds; None when nothing is set."""
        ...

    def ringing(self) -> list[E]:
        """Those that were given as due, and are not done with."""
        ...

    def done(self, *ended: E) -> None:
        """They have rung, or were told: forget them."""

    def miss(self, *ended: E, rang: bool) -> None:
        """They rang in vain, and are still to be told of. rang: with a sound, but nobody came."""


class Telling(Protocol[Said]):
    """The words for what ended."""

    def sentence(self, ended: Said, /) -> str:
        """What to say when it rings."""
        ...


class Manager(Protocol):
    """Who starts the service, watches it and starts it again."""

    @property
    def watchdog_s(self) -> float | None:
        """A service that sends no WATCHDOG=1 for so long is ended and started again; None is never."""
        ...

    def tell(self, **fields: str | int) -> None:
        """READY=1, STATUS="...", and the others of man sd_notify. Never raises."""
