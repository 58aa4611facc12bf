"""Whatever takes samples or gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from appliance.audio import Frame, Samples, Speech, Stale, Utterance, never


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

    def play(self, sound: Iterable[Speech], stale: Stale, started: Callable[[float], None]) -> None:
        """Block until it is played, or stop within 100 ms of `stale`. Opens the device when it is not open.

        sound: at least one piece, of one rate; each is played right behind the one before.

        `started` is called with the monotonic time at which its first sample was handed over. Raises DeviceMissing.
        """

    def close(self) -> None: ...


class SoundCard(NamedTuple):
    """What the box hears and speaks with."""

    microphone: Microphone
    speaker: Speaker
    names: Callable[[], dict[str, str]]
    """Part -> name of the device it uses; empty until it was opened."""


class WakeDetector(Protocol):
    def score(self, frame: Samples) -> tuple[str, float]:
        """The likeliest wake word in the sound so far, and how likely (0 to 1). `frame`: shape (512,)."""
        ...

    def reset(self) -> None: ...


class WakeListener(Protocol):
    """Decides on what a `WakeDetector` scores."""

    def hear(self, frame: Samples) -> tuple[str, float] | None:
        """The wake word that has just been said, and its score. `frame`: shape (512,)."""
        ...

    def reset(self) -> None:
        """Another sound begins."""


class SpeechDetector(Protocol):
    def probability(self, frame: Samples) -> float:
        """That this frame, shape (512,), is speech: 0 to 1."""
        ...

    def reset(self) -> None: ...


class TurnEndDetector(Protocol):
    def ask(self, utterance: Samples) -> Callable[[], float]:
        """Begin to judge `utterance`, shape (n,). The answer waits for it: that its speaker has finished, 0 to 1."""
        ...


@dataclass(frozen=True)
class Transcript:
    text: str
    """Empty when it was not speech."""


class Transcriber(Protocol):
    def transcribe(
        self, utterance: Utterance, stale: Stale, expected: str = "", names: tuple[str, ...] = ()
    ) -> Transcript:
        """Its words but for a wake word at the start. Raises Cancelled once stale.

        expected: what may well be said now, as it is written; of what sounds like it, it is taken for it.  names: what
        the box knows by name, as it is written; what may be one of them, or something else, is taken for it.
        """
        ...


SoundOf = Callable[[str], str]
"""Words -> a letter for each class of sounds in them: what speech recognition may take for each other is the same."""
SOUNDS_MIN = 4
"""Fewer letters are shared by too many words: "bit", "foot" and "put" are one sound."""


class Synthesizer(Protocol):
    def synthesize(self, clause: str, stale: Stale = never, hurried: bool = False) -> Iterator[Speech]:
        """Its sound in pieces, each as soon as it is made.

        clause: words as they are spoken, no markup.  stale: asked while a piece is made that takes longer than others
        want to wait for it; then there may be none.  hurried: nothing sounds yet, so what begins soonest is best.
        """
        ...
