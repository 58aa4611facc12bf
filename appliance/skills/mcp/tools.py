"""One tool of a server, as the engine takes tools."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import Bridge, Effect, MemoryUse
from appliance.settings import McpTool
from appliance.skills.mcp.schemas import Clean, Reduced
from appliance.skills.written import Words

PROVIDER, CALL = "mcp", "call"
GRACE_S = 0.5
"""For the bridge to say itself that a server took too long."""
MOST_ERROR_CHARS = 160
"""Of a server's own words that are spoken."""


@dataclass(frozen=True, eq=False)
class ServerTool:
    """Implements ports.Tool."""

    name: str
    description: str
    reduced: Reduced
    server: str
    called: str
    """What the server calls it."""
    digest: str
    chosen: McpTool
    timeout_s: float
    bridge: Bridge
    words: Words
    clean: Clean
    trouble: Callable[[], str]
    """Why it may not be used any more, as a sentence; empty while it may."""
    untrusted: bool = True
    memory: MemoryUse = ""

    @property
    def schema(self) -> dict[str, Any]:
        return self.reduced.schema

    @property
    def effect(self) -> Effect:
        """One that acts asks first, unless the owner waived that, as if it could not be undone: nobody knows."""
        return "irreversible" if self.chosen.effect == "act" and self.chosen.confirm else self.chosen.effect

    def ready(self) -> bool:
        return True

    def question(self, arguments: dict[str, Any]) -> str:
        self._check()
        self._arguments(arguments)
        words = self.words
        given = [words.say("given", name=_spoken(name), value=self._said(value)) for name, value in arguments.items()]
        told = words.phrases["and"].join(given)
        key = "ask_with" if given else "ask"
        return words.say(key, server=_spoken(self.server), order=_spoken(self.called), given=told)

    def call(self, arguments: dict[str, Any]) -> str:
        self._check()
        answer = self.bridge.ask(
            PROVIDER,
            CALL,
            self.timeout_s + GRACE_S,
            server=self.server,
            tool=self.called,
            arguments=self._arguments(arguments),
        )
        text = str(answer["text"]).strip()
        if answer["failed"]:
            raise CannotBeDone(self._told(text))
        return f"{text}\n{self.words.say('cut')}" if answer["cut"] else text or self.words.say("empty")

    def _check(self) -> None:
        if why := self.trouble():
            raise CannotBeDone(why)

    def _arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        """Raises BadArgument."""
        for name in self.schema["required"]:
            if given.get(name) is None:
                raise BadArgument(self.words.say("lacks", name=_spoken(name)), asks_for=name)
        try:
            return self.reduced.arguments(given)
        except ValueError as error:
            raise BadArgument(self.words.say("wrong", name=_spoken(str(error)))) from None

    def _told(self, text: str) -> str:
        """Its words are said as the server's, for nobody knows what they are after."""
        line = self.clean(text, MOST_ERROR_CHARS).partition("\n")[0]
        return self.words.begin("says" if line else "says_nothing", server=_spoken(self.server), line=line)

    def _said(self, value: Any) -> str:
        return self.words.phrases["yes" if value else "no"] if isinstance(value, bool) else str(value)


def _spoken(name: str) -> str:
    return " ".join(name.replace("_", " ").replace("-", " ").split())
