"""A whole box whose thought is on the simulated hub, with real sockets in between; for the tests beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from hub_server import HubServer

from appliance import build
from appliance.audio import Stale, never
from appliance.build.noded import NodeParts, OnHub
from appliance.build.typed import TypedParts
from appliance.records import TurnRecord
from appliance.settings import Settings
from appliance.settings_node import Node
from appliance.settings_thought import Thought
from appliance.simulated.hub import SimulatedHub
from appliance.terminal.chat import quiet
from appliance.tts.text import TextMouth


class TypedNode(OnHub, TypedParts):
    """The service of a node, that hears typed lines."""


def node_settings(state: Path, hub: str, deadline_s: float = 10.0, **node: Any) -> Settings:
    token = state / "token"
    token.write_text("t0ken\n")
    token.chmod(0o600)
    chosen = Node(hub=hub, token_file=token, room="kitchen", **node)
    return Settings(state=state, models=state / "none", thought=Thought(deadline_s=deadline_s), node=chosen)


class NodeBox:
    def __init__(self, parts: NodeParts, hub: SimulatedHub, server: HubServer) -> None:
        self.parts, self.hub, self.server = parts, hub, server
        self._turn = 0

    def say(self, line: str, stale: Stale = never) -> TurnRecord:
        self._turn += 1
        record = self.parts.engine.reply(self._turn, line, "voice", TextMouth(lambda text: None), stale)
        self.parts.engine.after(never)
        return record

    @property
    def sent(self) -> list[dict[str, Any]]:
        """What the hub was asked since the conversation began, without its beginning."""
        return [body for path, body in self.hub.asked if not path.endswith("/start")]

    @property
    def results(self) -> list[dict[str, Any]]:
        """Outputs of the tools that the hub called."""
        return [each["output"] for body in self.sent for each in body.get("tool_results", [])]


@contextmanager
def node_box(hub: SimulatedHub, state: Path, deadline_s: float = 10.0, **node: Any) -> Iterator[NodeBox]:
    with HubServer(hub.app) as server, ExitStack() as stack:
        settings = node_settings(state, server.url, deadline_s, **node)
        yield NodeBox(NodeParts(settings, build.clock(settings), quiet, stack), hub, server)
