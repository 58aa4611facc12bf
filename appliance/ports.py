"""What the appliance needs of the world, said as small as possible. Each one's simulated adapter is its example."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from appliance.audio import Frame, Samples, Speech, Stale


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

    def play(self, speech: Speech, stale: Stale) -> float:
        """Block until it is played, or stop within 100 ms of `stale`.

        Returns the monotonic time of its first sample. Raises DeviceMissing.
        """
        ...

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


class LanguageModel(Protocol):
    def pin(self, head: Sequence[Message]) -> None:
        """Evaluate `head` once, so that every prompt that starts with it starts warm."""
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

    def remove(self, timer_id: int) -> None: ...

    def all(self) -> list[Timer]:
        """Soonest first."""
        ...


class ValueStore(Protocol):
    """Small things that survive a restart, such as the volume."""

    def get(self, key: str) -> str | None: ...

    def set(self, key: str, value: str) -> None: ...
