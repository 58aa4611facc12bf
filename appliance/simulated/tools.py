"""A tool that does nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from appliance.ports import Effect, MemoryUse


@dataclass(frozen=True, eq=False)
class ListedTool:
    """A `Tool` that is only ever looked at: searched, described, offered; never called."""

    name: str
    description: str = ""
    properties: Mapping[str, Any] = field(default_factory=dict)
    """Parameter -> its JSON schema."""
    required: tuple[str, ...] = ()
    effect: Effect = "read"
    untrusted: bool = False
    memory: MemoryUse = ""

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "object", "properties": dict(self.properties), "required": list(self.required)}

    def ready(self) -> bool:
        return True

    def question(self, arguments: dict[str, Any]) -> str:
        raise NotImplementedError

    def call(self, arguments: dict[str, Any]) -> str:
        raise NotImplementedError
