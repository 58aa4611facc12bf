"""What the core tells the hub while a request is at work (ports/hub.py): its events."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from appliance.records import TurnRecord


class _Told(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Say(_Told):
    event: Literal["say"] = "say"
    text: str
    """A clause of the answer, as it is to be spoken."""


class Audio(_Told):
    event: Literal["audio"] = "audio"
    pcm: str
    """Base64 of int16, mono."""
    rate: int
    """Hz."""


class Changed(_Told):
    """Of `watch`: the box's own voice is in another state."""

    event: Literal["state"] = "state"
    state: str


class Turned(_Told):
    """Of `watch`: a turn has ended, whichever door it came through."""

    event: Literal["turn"] = "turn"
    record: TurnRecord
    """With what was heard and said: for the owner's eyes. Secrets were taken out before."""


class Rang(_Told):
    """Of `watch`: the box began to ring, or ended."""

    event: Literal["ring"] = "ring"
    rings: bool


Told = Annotated[Say | Audio | Changed | Turned | Rang, Field(discriminator="event")]
