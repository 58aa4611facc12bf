"""Settings of the doors through which somebody talks with the box: `[channels.NAME]` for each, `[discord]` for one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from appliance.settings_bridge import WebAddress
from appliance.settings_thought import Table

Who = Literal["owner", "household", "satellite", "guest"]
ChannelName = Annotated[str, Field(pattern="^[a-z][a-z0-9_-]{0,39}$")]

UserId = Annotated[str, BeforeValidator(str), Field(pattern=r"^[0-9]{1,20}$")]
"""A number; a text for the report for support, which leaves texts of the owner's out."""


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


class Discord(Table):
    token_file: Path | None = None
    """Holds the bot's token; for the user of va-discord alone. Without it nothing of Discord is done. It is the one
    part that needs the internet, and Discord then reads what is said there."""
    owners: list[UserId] = Field([])
    """Ids of users to whom the box is their own, in direct messages. Elsewhere others read along: there they are
    guests."""
    guests: list[UserId] = Field([])
    """Ids of users who may talk with it as guests: see `[channels.NAME]`, `guest`."""
    anyone: bool = False
    """Whether everybody else is a guest as well; otherwise they get no answer."""
    hub: WebAddress = "http://127.0.0.1:8770"
    """Address of the hub, by which the box is reached."""
    hub_fingerprint: str = Field("", max_length=95)
    """SHA-256 of the hub's certificate, where it makes its own (hub.tls)."""
    owner_token_file: Path | None = None
    """Holds a token of the hub's, `--as owner`; for the user of va-discord alone."""
    guest_token_file: Path | None = None
    """Likewise, `--as guest`."""
