"""The doors through which a turn comes: who stands there, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Channel:
    name: str
    calls_max: int = 5
    """Tool calls in one turn."""
    aloud: bool = False
    """What comes through it was spoken, and may have been misheard."""
    owner: bool = True
    """Who stands there. Anyone else has the tools that a skill leaves to guests, is told nothing of what is known, and
    nothing of what they say is kept."""


CHANNELS = {
    channel.name: channel
    for channel in (
        Channel("voice", aloud=True),
        Channel("chat"),
        Channel("satellite", aloud=True),
        Channel("guest", calls_max=3, owner=False),
    )
}
