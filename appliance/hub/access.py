"""Who may do what. The role comes from the token alone: no text, no header and no name changes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from appliance.ports.hub import ClientTool

Role = Literal["owner", "household", "satellite", "guest"]
ROLES: tuple[Role, ...] = get_args(Role)

ANYBODY: frozenset[Role] | None = None
"""In place of roles: no token is needed."""
TALKING: frozenset[Role] = frozenset(ROLES)
"""The conversation: guests too, on a channel of theirs."""
LIVING: frozenset[Role] = frozenset({"owner", "household", "satellite"})
"""What a household keeps: timers, lists, the state of the box."""
PEOPLE: frozenset[Role] = frozenset({"owner", "household"})
OWNER: frozenset[Role] = frozenset({"owner"})
"""What is the owner's: memory, settings, whatever was said."""

DEVICES: frozenset[Role] = frozenset({"owner", "satellite"})
"""Whose tools may be said to be as good as the box's own; results of all others are text from outside."""

CHANNEL_OF: Mapping[Role, str] = {
    "owner": "chat",
    "household": "household",
    "satellite": "satellite",
    "guest": "guest",
}
"""Role -> the channel whose rules the core follows (spec/hub.md, Channels)."""
HOUSEHOLD_SKILLS = frozenset(
    {
        "alarms",
        "announcements",
        "arithmetic",
        "calendar",
        "clock",
        "home",
        "later",
        "lists",
        "music",
        "notes",
        "reminders",
        "sound",
        "timers",
        "weather",
    }
)
"""Skills that whoever lives here may command in writing. All others are the owner's: memory, own skills, and so on."""


@dataclass(frozen=True)
class Caller:
    """Whoever a token was made for."""

    name: str
    role: Role
    person: str = ""
    """Who it is, as the box calls them."""
    room: str = ""
    """Where it stands; a satellite cannot say otherwise."""

    @property
    def channel(self) -> str:
        return CHANNEL_OF[self.role]

    def tools(self, given: Sequence[ClientTool]) -> list[ClientTool]:
        """As the box is to take them."""
        if self.role in DEVICES:
            return [*given]
        return [each.model_copy(update={"trusted": False}) for each in given]

    def may_command(self, skill: str) -> bool:
        return self.role == "owner" or (self.role in LIVING and skill in HOUSEHOLD_SKILLS)
