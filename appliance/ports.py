"""What the appliance needs of the world, said as small as possible. Each one's simulated adapter is its example."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Any, Literal, Protocol

from appliance.audio import Frame, Samples, Speech, Stale
from appliance.events import Event
from appliance.records import TurnRecord


class Microphone(Protocol):
    """Frames of sound. Opening may be repeated after a close; closing may be repeated."""

    def open(self) -> None:
        """Raises DeviceMissing."""

    def read(self) -> Frame:
        """Block until the next frame. Raises DeviceMissing once the device vanished, EOFError at a recording's end."""
        ...

    def close(self) -> None: ...


class Speaker(Protocol):
    """Plays sound. Knows its own rate and resamples."""

    def play(self, speech: Speech, stale: Stale, started: Callable[[float], None]) -> None:
        """Block until it is played, or stop within 100 ms of `stale`. Opens the device when it is not open.

        `started` is called with the monotonic time at which its first sample was handed over. Raises DeviceMissing.
        """

    def close(self) -> None: ...


class WakeDetector(Protocol):
    def score(self, frame: Samples) -> tuple[str, float]:
        """The likeliest wake word in the sound so far, and how likely (0 to 1). `frame`: shape (512,)."""
        ...

    def reset(self) -> None: ...


class SpeechDetector(Protocol):
    def probability(self, frame: Samples) -> float:
        """That this frame, shape (512,), is speech: 0 to 1."""
        ...

    def reset(self) -> None: ...


class TurnEndDetector(Protocol):
    def probability(self, utterance: Samples) -> float:
        """That the speaker of `utterance`, shape (n,), has finished: 0 to 1."""
        ...


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


class Ears(Protocol):
    """Frames in, events out."""

    def attend(self, attention: Attention, turn: int, window_s: float | None = None) -> None:
        """From the next frame on, listen for this. `window_s`: how long speech may take to start."""

    def feed(self, frame: Frame) -> list[Event]: ...


@dataclass(frozen=True)
class Transcript:
    text: str
    """Empty when it was not speech."""


class Transcriber(Protocol):
    def transcribe(self, samples: Samples, stale: Stale) -> Transcript:
        """`samples`: shape (n,), 16 000 Hz. Raises Cancelled once stale."""
        ...


@dataclass(frozen=True)
class Message:
    role: str
    """system, user or assistant."""
    text: str
    turn_begins: bool = False
    """Whether it is the line that a turn begins with."""


class Grammar(Protocol):
    """What the model may write, and what it must write next."""

    @property
    def gbnf(self) -> str: ...

    def forced(self, written: str) -> str:
        """The only possible continuation of `written`, as far as it is certain; empty when there is a choice."""
        ...

    def free(self, written: str) -> bool:
        """True once anything may follow, up to the end: the grammar need not be asked again."""
        ...


@dataclass
class Usage:
    """Tokens of one model call; filled in while it runs."""

    prompt_tokens: int = 0
    fresh_tokens: int = 0
    generated_tokens: int = 0
    first_token_s: float | None = None
    """Monotonic time at which the first token was known."""


SMALL_PARAMETERS = 7_000_000_000
"""A model of up to so many is small (spec/reply.md 0): it gets more rules and fewer liberties."""


@dataclass(frozen=True)
class ModelFacts:
    """What a model says about itself, in its file's metadata."""

    parameters: int
    context_tokens: int
    """The longest it was trained for."""
    tools: bool
    """Whether its chat template has a form for tool calls."""

    @property
    def small(self) -> bool:
        return self.parameters <= SMALL_PARAMETERS


@dataclass(frozen=True)
class Rates:
    """What the board does, in tokens a second."""

    prefill_tps: float
    decode_tps: float


class LanguageModel(Protocol):
    @property
    def facts(self) -> ModelFacts: ...

    @property
    def rates(self) -> Rates:
        """As measured at the start, then kept up with every call."""
        ...

    def pin(self, head: Sequence[Message]) -> None:
        """Evaluate `head` once, so that every prompt that starts with it starts warm."""

    def expect(self, one: Sequence[Message], other: Sequence[Message], stale: Stale) -> None:
        """Evaluate what both prompts begin with: one like them will come. Raises Cancelled once stale."""
        ...

    def generate(
        self, prompt: Sequence[Message], grammar: Grammar | None, limit: int, usage: Usage, stale: Stale
    ) -> Iterator[str]:
        """The answer to `prompt` in pieces, greedily, at most `limit` tokens. Raises Cancelled once stale."""
        ...

    def close(self) -> None: ...


class Synthesizer(Protocol):
    def synthesize(self, clause: str) -> Speech:
        """`clause`: words as they are spoken, no markup."""
        ...


class Mouth(Protocol):
    """Where a reply goes: to the ear, or to a terminal."""

    def say(self, text: str) -> None:
        """More of the reply, in pieces of any size; returns at once."""

    def finish(self) -> str:
        """Block until everything is out. Returns the text as spoken, up to where it was cut off."""
        ...


class Voice(Protocol):
    """Everything that makes a sound. Works on threads of its own, so that a hung model cannot silence it."""

    def begin(self, stale: Stale, started: Callable[[float], None]) -> Mouth:
        """Where the next reply goes. `started` is called with the monotonic time of its first sample."""
        ...

    def ring(self, sentences: Sequence[str]) -> None:
        """Ring until silenced, whenever no reply is being spoken; say each of `sentences` once in between."""

    def silence(self) -> None: ...


class Thinker(Protocol):
    """A line of text in, a spoken reply out. Its methods are called from one thread at a time."""

    def expect(self, stale: Stale) -> None:
        """Somebody is about to speak: read ahead what is known of the prompt."""

    def reply(self, turn: int, heard: str, channel: str, mouth: Mouth, stale: Stale, speaker: str = "") -> TurnRecord:
        """`speaker`: who said it, on a channel where that is not the owner."""
        ...

    def after(self, stale: Stale) -> None:
        """What follows the reply and nobody waits for; abandoned once stale. Adds to the record what was remembered."""


class Alarms(Protocol):
    """Timers that are due."""

    def due(self) -> list[Timer]:
        """Those that ended since the last call; each is given once."""
        ...

    def next_due_in(self) -> float | None:
        """Seconds; None when nothing is set."""
        ...

    def done(self, *timers: Timer) -> None:
        """They have rung: forget them."""


class Telling(Protocol):
    """The words for a timer that ended."""

    def sentence(self, timer: Timer) -> str:
        """What to say when it rings."""
        ...


class Clock(Protocol):
    def now(self) -> datetime:
        """Local wall time, with its zone."""
        ...

    def monotonic(self) -> float:
        """Seconds that never jump."""
        ...


@dataclass(frozen=True)
class Timer:
    id: int
    label: str
    """What it is for, in the user's words; may be empty."""
    seconds: float
    """Its full length."""
    due: datetime
    """Wall time, with its zone."""


class TimerStore(Protocol):
    """Timers on disk: what `add` returned survives a power cut."""

    def add(self, label: str, seconds: float, due: datetime) -> Timer: ...

    def move(self, timer_id: int, due: datetime) -> None:
        """Give it another due time."""
        ...

    def remove(self, timer_id: int) -> None: ...

    def all(self) -> list[Timer]:
        """Soonest first."""
        ...


class ValueStore(Protocol):
    """Small things that survive a restart, such as the volume."""

    def get(self, key: str) -> str | None: ...

    def set(self, key: str, value: str) -> None: ...


FactKind = Literal["user", "rule", "world"]
"""About the user, a standing rule of theirs, anything else."""


@dataclass(frozen=True)
class Fact:
    id: int
    text: str
    kind: FactKind
    at: datetime
    """When it was last said, with its zone."""


@dataclass(frozen=True)
class Memory:
    """Something found: a fact, or an exchange of an earlier conversation."""

    at: datetime
    text: str


class MemoryStore(Protocol):
    """What the box knows beyond one conversation. What a method returned survives a power cut."""

    def save(self, text: str, kind: FactKind, at: datetime) -> Fact:
        """A fact that says the same already is made new again instead of standing twice."""
        ...

    def update(self, fact_id: int, text: str, at: datetime) -> Fact:
        """Raises BadArgument when there is no such fact."""
        ...

    def forget(self, fact_id: int) -> None:
        """Raises BadArgument when there is no such fact."""

    def forget_exchanges(self, topic: str) -> None:
        """Those that hold every word of `topic`."""
        ...

    def facts(self, kind: FactKind | None = None) -> list[Fact]:
        """Newest first."""
        ...

    def nearest(self, query: str, limit: int) -> list[Fact]:
        """Facts about the user or the world that share words with `query`, best first."""
        ...

    def add_exchange(self, conversation: str, heard: str, said: str, at: datetime) -> None: ...

    def search(
        self, query: str, limit: int, since: datetime | None = None, until: datetime | None = None
    ) -> list[Memory]:
        """Facts and exchanges that share words with `query`, within [since, until): the best, newest first."""
        ...


class Spoken(str):
    """A tool's result that is a sentence for the ear, to be said as it is; a plain `str` is data for the model."""


Effect = Literal["read", "act", "irreversible"]
"""What a tool does to the world: nothing, something, something that cannot be undone."""


class Tool(Protocol):
    """Something the model may call."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str:
        """Tells the model when to use it; one or two sentences."""
        ...

    @property
    def schema(self) -> dict[str, Any]:
        """JSON schema of the arguments: an object with `properties` and `required`."""
        ...

    @property
    def effect(self) -> Effect: ...

    @property
    def untrusted(self) -> bool:
        """Whether its results come from outside the device."""
        ...

    def ready(self) -> bool:
        """Whether there is anything for it to act on now."""
        ...

    def question(self, arguments: dict[str, Any]) -> str:
        """What to ask before it runs with `arguments`; it names them."""
        ...

    def call(self, arguments: dict[str, Any]) -> str:
        """Check `arguments` and run. Returns Spoken or plain data. Raises BadArgument or CannotBeDone."""
        ...
