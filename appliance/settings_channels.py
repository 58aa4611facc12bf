"""Settings of the doors through which somebody talks with the box: a table for each, `[channels.NAME]`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from appliance.settings_thought import Table

Who = Literal["owner", "household", "satellite", "guest"]
ChannelName = Annotated[str, Field(pattern="^[a-z][a-z0-9_-]{0,39}$")]


class ChannelTable(Table):
    """What is not set is as reply/channels.py has it for a channel of that name, or for one of the same `who`."""

    who: Who | None = None
    """owner, household, satellite or guest (of a new channel, by default): a guest has the tools that a skill leaves to
    guests, is told nothing of what is known, and nothing of what they say is kept."""
    tools: list[str] | None = None
    """Names of the tools that may be used; empty is all, for a guest all of a guest's."""
    calls_max: int | None = Field(None, ge=1, le=20)
    """Tool calls in one turn."""
    memory: bool | None = None
    """Whether anything may be remembered or forgotten; never true for a guest."""
    persona: str | None = Field(None, max_length=600)
    """What the model is told of how to be there, beside the role in force."""
    prefix: bool | None = None
    """Whether who spoke stands before what was said."""
    aloud: bool | None = None
    """What comes through it was spoken, and may have been misheard."""
