"""Which tools a turn may use: by channel, by role, and by what a search for tools has added."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from appliance.errors import ToolError
from appliance.ports import MemoryUse, Tool
from appliance.reply.channels import Channel
from appliance.reply.prompt import Choice
from appliance.settings import Role

WRITES: tuple[MemoryUse, ...] = ("keep", "forget")
"""What changes the memory."""


@dataclass
class Toolset:
    channel: Channel
    roles: Mapping[str, Role]
    guests: Collection[str]
    """Names of the tools that a guest may use."""
    known: Mapping[str, Tool]
    """All that are here: those for the model and those for whole sentences."""
    reviewed: Collection[str] = ()
    """Names of those that say a reviewed sentence, whatever the role."""
    own: Collection[str] = ()
    """Names of those that the conversation brought with it."""
    of_body: Collection[str] = ()
    """Names of those that are about this box's own loudspeaker and microphone."""
    open: dict[str, None] = field(default_factory=dict)
    """Names of those that the model may be offered, in their order."""
    found: set[str] = field(default_factory=set)
    """Names of those that the line, or a search, was found to be about, though no score says so."""
    role: str = ""
    offered: frozenset[str] = frozenset()
    """Names of those that the model could call in the newest pass."""
    searches: int = 0
    """How often more tools were searched for."""

    def add(self, tools: Sequence[Tool]) -> None:
        self.open.update(dict.fromkeys(tool.name for tool in tools))

    def find(self, tools: Sequence[Tool]) -> None:
        """Add those that a router found."""
        self.add(tools)
        self.found.update(tool.name for tool in tools)

    def may_run(self, name: str) -> bool:
        """Whether a tool of that name is here, and open to this channel and role."""
        if name not in self.known:
            return False
        channel, role, tool = self.channel, self.roles.get(self.role), self.known[name]
        if (channel.guest and name not in self.guests) or (tool.memory in WRITES and not channel.memory):
            return False
        everybodys = name in self.reviewed or isinstance(tool, Choice)
        by_channel = not channel.tools or name in channel.tools or name in self.own
        by_role = role is None or not role.tools or name in role.tools
        return everybodys or (by_channel and by_role)

    def is_of_other_body(self, name: str) -> bool:
        """Whether it is about the ear or the voice of a device that brought no such tool: this box has another one."""
        return self.channel.who == "satellite" and name in self.of_body and name not in self.own

    def takes(self, name: str, arguments: Mapping[str, Any]) -> bool:
        """Whether a call that a sentence of the box's own means can be made of the tool that the conversation brought
        in its place; of any other it can."""
        if name not in self.own:
            return True
        try:
            self.known[name].question(dict(arguments))
        except ToolError:
            return False
        return {*arguments} <= {*self.known[name].schema["properties"]}

    def __iter__(self) -> Iterator[Tool]:
        """Those that the model may be offered now."""
        return (self.known[name] for name in self.open if self.may_run(name))
