"""What the bridge needs of each system that it reaches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from appliance.ports import News


class Provider(Protocol):
    """One system in the network, such as Home Assistant, an MQTT broker or an MCP server."""

    @property
    def name(self) -> str:
        """By which the core asks for it."""
        ...

    async def run(self, tell: News) -> None:
        """Stay connected until cancelled, by trying again with growing pauses, and `tell` what changes."""
        ...

    def known(self) -> Iterable[tuple[str, Any]]:
        """All the news that a core needs which has just connected: LINK first."""
        ...

    async def answer(self, what: str, arguments: dict[str, Any]) -> Any:
        """As JSON has it, and no longer than wire.MOST_BYTES. Raises BadArgument, CannotBeDone."""
        ...
