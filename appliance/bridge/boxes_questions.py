"""What the core asks the provider "boxes" (boxes.py)."""

from __future__ import annotations

from pydantic import BaseModel, Field

from appliance.bridge.boxes_call import Kind
from appliance.bridge.boxes_post import MOST_TEXT

ANSWERS = ("said", "later", "rings", "busy", "muted", "quiet", "not_now", "gone", "stranger", "unknown")
"""What came of an announcement or a call on another box: it is being said, or will be when nobody talks with that box
any more; it rings; somebody talks with it; its microphone is closed; quiet hours keep it in; that box cannot do it now;
it was not reached; it has another house key, or its own name is another; nobody knows."""


class Announced(BaseModel):
    """The question "announce". Its answer: box -> a code of ANSWERS."""

    text: str = Field(min_length=1, max_length=MOST_TEXT)
    to: list[str] = []
    """Nobody is everybody."""
    anyway: bool = False


class Woken(BaseModel):
    """The question "wake"."""

    word: str = Field(max_length=60)
    score: float = Field(ge=0, le=1)
    level_db: float = Field(ge=0, le=100)
    took: bool


class Called(BaseModel):
    """The question "call": have another box ring. Its answer is a code of ANSWERS."""

    to: str
    call: str = Field(pattern=r"^[0-9a-f]{32}$")
    """A number that the core never used before: the call is known by it at both boxes."""


class InCall(BaseModel):
    """The question "in_call": what happens here in a call. Its answer is whether there is one."""

    call: str
    kind: Kind
    pcm: str = Field("", max_length=80_000)
    """Base64 of a "sound": int16, 16,000 Hz."""
    why: str = Field("", max_length=20)
    """Of an "ended"."""


class Answered(BaseModel):
    """The question "answered": what the core made of the news "announce" or "call"."""

    id: int
    answer: str
