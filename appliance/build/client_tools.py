"""The tools that another device brings along for its conversation, as the engine takes tools. They run there."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any

from appliance.errors import BadArgument
from appliance.ports import Effect, Elsewhere, MemoryUse, Tool
from appliance.ports.hub import TOOL_BYTES, Function
from appliance.ports.hub import ClientTool as Told
from appliance.ports.refusals import Refused
from appliance.safety.fence import harmless
from appliance.skills.mcp.schemas import Reduced, Unusable, reduced
from appliance.wording import said

MOST_DESCRIPTION_CHARS = 400
PREFIX = "node_"
"""Of a name in whose place no other comes."""
_STRANGE = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, eq=False)
class ClientTool:
    """Implements ports.Tool."""

    name: str
    description: str
    reduced: Reduced
    called: str
    """What the device calls it."""
    effect: Effect
    untrusted: bool
    language: str
    memory: MemoryUse = ""

    @property
    def schema(self) -> dict[str, Any]:
        return self.reduced.schema

    def ready(self) -> bool:
        return True

    def question(self, arguments: dict[str, Any]) -> str:
        self._arguments(arguments)
        given = [self._say("client_given", name=_spoken(name), value=value) for name, value in arguments.items()]
        key = "client_ask_with" if given else "client_ask"
        return self._say(key, order=_spoken(self.called), given=self._say("client_and").join(given))

    def call(self, arguments: dict[str, Any]) -> str:
        return Elsewhere(f"call_{secrets.token_hex(8)}", self.called, self._arguments(arguments))

    def _arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        """Raises BadArgument."""
        for name in self.schema["required"]:
            if given.get(name) is None:
                raise BadArgument(self._say("client_lacks", name=_spoken(name)), asks_for=name)
        try:
            return self.reduced.arguments(given)
        except ValueError as error:
            raise BadArgument(self._say("client_wrong", name=_spoken(str(error)))) from None

    def _say(self, key: str, **values: Any) -> str:
        return said(key, self.language).format(**values)


def client_tools(told: Sequence[Told], irreplaceable: Container[str], language: str) -> list[Tool]:
    """One with the name of a tool of the box takes its place; one whose name is `irreplaceable` gets another name.

    Raises Refused for what a plan cannot write, and for two of one name.
    """
    made = dict[str, Tool]()
    for each in told:
        tool = _tool(each, irreplaceable, language)
        if tool.name in made:
            raise _unusable(each.function, "another one has the same name")
        made[tool.name] = tool
    return [*made.values()]


def _tool(told: Told, irreplaceable: Container[str], language: str) -> Tool:
    function = told.function
    if len(json.dumps(function.parameters)) > TOOL_BYTES:
        raise _unusable(function, f"its parameters have more than {TOOL_BYTES:,} bytes")
    try:
        small = reduced(function.parameters, harmless)
    except Unusable as error:
        raise _unusable(function, str(error)) from None
    name = _STRANGE.sub("_", function.name)
    return ClientTool(
        name=PREFIX + name if name in irreplaceable else name,
        description=harmless(function.description.partition("\n\n")[0], MOST_DESCRIPTION_CHARS),
        reduced=small,
        called=function.name,
        effect=told.effect,
        untrusted=not told.trusted,
        language=language,
    )


def _unusable(function: Function, why: str) -> Refused:
    return Refused(
        "bad_request", f"the tool {function.name} cannot be used: {why}", remedy="correct it, or leave it out"
    )


def _spoken(name: str) -> str:
    return " ".join(_STRANGE.sub(" ", name).split())
