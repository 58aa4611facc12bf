"""The doors through which somebody talks with the box, and what each may do. Which one it is, the door itself says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from appliance.errors import BadSettings
from appliance.settings import ChannelTable, Who


@dataclass(frozen=True)
class Channel:
    name: str
    who: Who = "owner"
    """Who stands there; see ChannelTable."""
    tools: frozenset[str] = frozenset()
    """Names of those that may be used; empty is all."""
    calls_max: int = 5
    """Tool calls in one turn."""
    memory: bool = True
    """Whether anything may be remembered or forgotten."""
    persona: str = ""
    prefix: bool = False
    """Who spoke stands before what was said."""
    aloud: bool = False
    """What comes through it was spoken, and may have been misheard."""

    @property
    def guest(self) -> bool:
        """Whether it is nobody of the household."""
        return self.who == "guest"


GUEST = Channel("guest", "guest", calls_max=3, memory=False, prefix=True)
CHANNELS = {
    channel.name: channel
    for channel in (
        Channel("voice", "household", aloud=True),
        Channel("chat", "owner"),
        Channel("household", "household"),
        Channel("satellite", "satellite", aloud=True),
        GUEST,
    )
}
"""By default (spec/hub.md); `household` is the door of the page for who is not the owner: what the box itself hears and
says is theirs too, which it is not for a satellite."""


def channels_of(tables: Mapping[str, ChannelTable]) -> dict[str, Channel]:
    """Those by default as the settings have them, and those that the settings add. Raises BadSettings."""
    return {name: _channel(name, tables.get(name, ChannelTable())) for name in {**CHANNELS, **tables}}


def _channel(name: str, table: ChannelTable) -> Channel:
    chosen = table.model_dump(exclude_none=True)
    if "tools" in chosen:
        chosen["tools"] = frozenset(chosen["tools"])
    if chosen.get("who") == "guest":
        chosen.setdefault("memory", False)
    like = next(each for each in CHANNELS.values() if each.who == chosen.get("who", "guest"))
    channel = replace(CHANNELS.get(name, like), name=name, **chosen)
    if channel.guest and channel.memory:
        raise BadSettings(
            f"channels.{name}: of what a guest says nothing is kept", remedy="take memory out, or set another who"
        )
    return channel
