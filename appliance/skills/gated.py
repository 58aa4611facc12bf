"""A tool that is known, and refuses: its skill is switched off, or something that it needs is not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from appliance.errors import CannotBeDone
from appliance.ports import Effect, MemoryUse, Tool


class GatedTool:
    """Implements ports.Tool, as `tool` does while `why` gives an empty text. Else it is not ready, and says why."""

    def __init__(self, tool: Tool, why: Callable[[], str]) -> None:
        self._tool, self._why = tool, why
        self.name, self.description = tool.name, tool.description
        self.schema: dict[str, Any] = tool.schema
        self.effect: Effect = tool.effect
        self.untrusted = tool.untrusted
        self.memory: MemoryUse = tool.memory

    def ready(self) -> bool:
        return not self._why() and self._tool.ready()

    def question(self, arguments: dict[str, Any]) -> str:
        self._check()
        return self._tool.question(arguments)

    def call(self, arguments: dict[str, Any]) -> str:
        self._check()
        return self._tool.call(arguments)

    def _check(self) -> None:
        """Raises CannotBeDone."""
        if why := self._why():
            raise CannotBeDone(why)


class RefusingTool(GatedTool):
    """One that is not to be had: it takes nothing, so that whatever means it can be refused at once."""

    def __init__(self, tool: Tool, why: Callable[[], str]) -> None:
        super().__init__(tool, why)
        self.schema = {"type": "object", "properties": {}}
