"""What the core and the host say to each other: who thinks for the box, while the box is its satellite.

"satellite" is asked once, and is at work as long as the host is there: it is told `Called`, `HostSound`, `Quiet` and
`Over`. What the host has to say comes as "host", one request for each. Base64 is of int16, mono.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

PCM_CHARS = 256_000
"""Of one piece of an answer: 4 s of Piper's sound."""
SILENT_S = 1.0
"""A host that shows no life for so long in a turn is gone. It is to show some four times as often."""
ALIVE_S = SILENT_S / 4

What = Literal["alive", "heard", "words", "answer", "sound", "end", "nothing", "elsewhere", "failed", "timer"]
"""alive: it is there.  heard: it has heard that the speaker has finished.  words: what it has understood; from now on
it may act.  answer: what it will say.  sound: a piece of that.  end: there is no more of it.  nothing: there were no
words.  elsewhere: another box answers.  failed: it cannot do it.  timer: one that it was asked for has ended."""


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Hosted(_Said):
    """Think for the box, until the connection ends. Refused as busy where another does."""

    name: str = Field(max_length=100)
    """Of the host: for the journal."""


class FromHost(_Said):
    """Answered by Nothing; a sound is once there is room for more. What is of another turn is passed over."""

    turn: int = Field(ge=0)
    """0: of none."""
    what: What
    text: str = Field("", max_length=20_000)
    """Words, an answer, what failed, the name of a timer."""
    seconds: float = Field(0, ge=0, le=1e6)
    """Of a timer: how long it was."""
    pcm: str = Field("", max_length=PCM_CHARS)
    rate: int = Field(16_000, ge=8_000, le=48_000)
    """Hz."""


class Called(_Said):
    """Somebody speaks to the box: the sound follows."""

    event: Literal["called"] = "called"
    turn: int
    word: str
    """The wake word; empty of the button."""


class HostSound(_Said):
    """What the microphone hears of it; 16,000 Hz."""

    event: Literal["sound"] = "sound"
    turn: int
    pcm: str


class Quiet(_Said):
    """No more sound of that turn follows."""

    event: Literal["quiet"] = "quiet"
    turn: int


class Over(_Said):
    """Nothing of that turn is wanted any more."""

    event: Literal["over"] = "over"
    turn: int
    answered: bool
    """The answer was heard to its end. Otherwise it was stopped, or the box has given up on the host."""


ToldHost = Annotated[Called | HostSound | Quiet | Over, Field(discriminator="event")]
