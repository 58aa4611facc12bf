"""Which tools the owner allowed, each as it was then: one that says something else of itself is another tool.

Those that stand in the settings are allowed as they are when they are first seen; any other, and any that changed, by
`appliance mcp allow`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Literal

from appliance.errors import StoreUnusable
from appliance.ports import Item, ItemStore
from appliance.settings import McpServer

log = logging.getLogger(__name__)

State = Literal["offered", "not_allowed", "changed"]
SETTINGS, OWNER = "settings", "owner"
"""Who allowed it first: what the settings allowed, they also take back."""


class Allowed:
    def __init__(self, items: ItemStore, chosen: Mapping[str, McpServer]) -> None:
        self._items, self._chosen = items, chosen
        self._read: dict[tuple[str, str], Item] = {}
        self._is_read = False

    def state(self, server: str, name: str, digest: str) -> State:
        """digest: of all that the server says of it. Keeps that of one which the settings allow, at first sight."""
        kept, set_so = self._kept(server, name), self.in_settings(server, name)
        if kept and (set_so or kept.body["by"] == OWNER):
            return "offered" if kept.body["digest"] == digest else "changed"
        if not set_so:
            return "not_allowed"
        try:
            self._keep(server, name, digest, SETTINGS)
        except StoreUnusable as error:
            log.error("%s of the mcp server %s is not offered: %s", name, server, error)
            return "not_allowed"
        return "offered"

    def in_settings(self, server: str, name: str) -> bool:
        return server in self._chosen and name in self._chosen[server].tools

    def allow(self, server: str, name: str, digest: str) -> None:
        """Raises StoreUnusable."""
        self._keep(server, name, digest, OWNER)

    def forbid(self, server: str, name: str) -> None:
        """Raises StoreUnusable."""
        if kept := self._all().get((server, name)):
            self._items.write(remove=[kept.id])
            del self._read[server, name]

    def _keep(self, server: str, name: str, digest: str, by: str) -> None:
        older = self._all().get((server, name))
        body = {"server": server, "tool": name, "digest": digest, "by": by}
        (added,) = self._items.write(add=[body], remove=[older.id] if older else [])
        self._read[server, name] = added

    def _kept(self, server: str, name: str) -> Item | None:
        """None too where the store cannot be read: nothing is allowed then."""
        try:
            return self._all().get((server, name))
        except StoreUnusable as error:
            log.error("no tool of an mcp server is offered: %s", error)
            return None

    def _all(self) -> dict[tuple[str, str], Item]:
        """By server and name; read once, for nobody else writes them while the box runs. Raises StoreUnusable."""
        if not self._is_read:
            self._read = {(item.body["server"], item.body["tool"]): item for item in self._items.all()}
            self._is_read = True
        return self._read
