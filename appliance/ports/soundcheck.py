"""What the doctor asks of the sound card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from appliance.audio import Samples

Direction = Literal["capture", "playback"]


@dataclass(frozen=True)
class Device:
    """As the sound library lists it."""

    name: str
    records: bool
    plays: bool


@dataclass(frozen=True)
class Card:
    """As the kernel lists it."""

    number: int
    id: str
    """Such as `Device` or `vc4hdmi0`: what ALSA_CARD and `amixer -c` take."""
    name: str
    usb: bool
    hdmi: bool
    """It plays through a screen's cable, whether or not the screen has a speaker."""
    records: bool
    plays: bool


@dataclass(frozen=True)
class Holder:
    """A process that has a card open."""

    card: int
    direction: Direction
    pid: int
    process: str
    """Its name; empty where it may not be seen."""


@dataclass(frozen=True)
class Control:
    """Of the mixer, in one direction."""

    name: str
    direction: Direction
    percent: int | None
    """Of its loudest channel; None where it is only a switch."""
    on: bool


@dataclass(frozen=True)
class Echo:
    """Of a chirp that was played."""

    heard: bool
    likeness: float
    """Of the likest sound that was recorded, 0 to 1."""
    delay_ms: float
    """From handing it over to the speaker until the microphone had it."""
    dbfs: float


class SoundCheck(Protocol):
    def devices(self) -> Sequence[Device]: ...

    def cards(self) -> Sequence[Card]: ...

    def taken(self) -> tuple[Card | None, str]:
        """The card that is used where the settings name none, and why; None is the system's own choice."""
        ...

    def holders(self) -> Sequence[Holder]: ...

    def controls(self) -> Sequence[Control]:
        """Empty where `amixer` is not installed, or the card has no mixer."""
        ...

    def record(self, seconds: float) -> Samples:
        """What the microphone hears, shape (n,). Raises DeviceMissing."""
        ...

    def echo(self) -> Echo:
        """Play a chirp and listen for it. Raises DeviceMissing."""
        ...
