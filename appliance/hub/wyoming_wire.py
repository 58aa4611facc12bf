"""What comes over a Wyoming connection (github.com/OHF-Voice/wyoming), held to limits before it is believed."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError
from wyoming.event import Event, async_read_event

from appliance.errors import WrongUse, first_fault

LINE_BYTES = 16_384
"""Of the line that an event begins with. The library's own are below 300."""
BLOCK_BYTES = 1 << 18
"""Of its data, and of its payload: 8 s of sound. Home Assistant sends 32 ms at once."""
TEXT_CHARS = 20_000
"""Of what is to be spoken, as ports/hub.py has it."""
NO_EVENT = "speak Wyoming: a JSON object a line, then its data and payload"


class Reader(asyncio.StreamReader):
    """What the library reads from: here a block has an end as well, whatever its header says."""

    def __init__(self) -> None:
        super().__init__(limit=LINE_BYTES)

    async def readexactly(self, n: int) -> bytes:
        """Raises ValueError, by which the library ends a connection."""
        if n > BLOCK_BYTES:
            raise ValueError(f"{n} bytes at once")
        return await super().readexactly(n)


async def next_event(reader: Reader) -> Event | None:
    """None where the peer has hung up. Raises WrongUse for what is no event."""
    try:
        event = await async_read_event(reader)
    except asyncio.IncompleteReadError:
        return None
    except (AttributeError, KeyError, TypeError, RecursionError) as error:
        raise WrongUse(f"that is no event ({type(error).__name__})", remedy=NO_EVENT) from None
    if event is None and not reader.at_eof():  # the library has passed over a ValueError
        raise WrongUse(f"that is no event of at most {BLOCK_BYTES:,} bytes", remedy=NO_EVENT)
    if event and not (isinstance(event.type, str) and isinstance(event.data, dict | None)):
        raise WrongUse("an event needs a type, and its data are an object", remedy=NO_EVENT)
    return event


class _Read(BaseModel):
    """Of events as newer peers may write them: with more than is needed here."""

    model_config = ConfigDict(extra="ignore")


Name = Annotated[str, Field(max_length=100)]


class Format(_Read):
    """Of audio-start and audio-chunk. Other rates than 16,000 Hz are resampled."""

    rate: int = Field(ge=8_000, le=48_000)
    width: Literal[2]
    """Bytes of a sample."""
    channels: Literal[1]


class Chunk(Format):
    timestamp: FiniteFloat | None = None
    """Milliseconds; Home Assistant sends fractions."""


class Transcribe(_Read):
    name: Name | None = None
    language: Name | None = None


class Detect(_Read):
    names: list[Name] | None = Field(None, max_length=50)


class Voice(_Read):
    name: Name | None = None
    language: Name | None = None


class Synthesize(_Read):
    text: str = Field("", max_length=TEXT_CHARS)
    """Empty in the one that begins a text which comes in pieces."""
    voice: Voice | None = None
    text_format: Literal["text"] | None = None


class Transcript(_Read):
    text: str = Field("", max_length=TEXT_CHARS)


class Failed(_Read):
    """Of error."""

    text: str = Field("", max_length=TEXT_CHARS)
    code: str | None = Field(None, max_length=100)


class TimerEvent(_Read):
    """Of timer-started, timer-finished and timer-cancelled."""

    id: Name
    total_seconds: float = Field(0, ge=0, le=1e6)
    name: str | None = Field(None, max_length=200)


class Ping(_Read):
    text: str | None = Field(None, max_length=1_000)


M = TypeVar("M", bound=BaseModel)


def read(model: type[M], event: Event) -> M:
    """Raises WrongUse."""
    try:
        return model.model_validate(event.data or {})
    except ValidationError as error:
        what = f"{event.type}: {first_fault(error, 'the event')}"
        raise WrongUse(what, remedy="send what the box tells of itself") from None
