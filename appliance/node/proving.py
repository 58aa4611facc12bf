"""Proves a hub from a shell: it takes a tool of this box, and calls it where a line needs it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from appliance.audio import never
from appliance.errors import ApplianceError, CannotBeDone, HubFailed
from appliance.node.commanding import Commanding
from appliance.node.functions import functions
from appliance.node.link import HubLink
from appliance.ports import Tool
from appliance.ports.command_api import Started

LINE = "What temperature does the test sensor in the cellar show?"
READING = "The test sensor shows 12 degrees."


@dataclass(frozen=True)
class Proof:
    what: str
    fine: bool
    found: str
    ms: int


def read_test_sensor(place: str) -> str:
    """Read the temperature that the test sensor at a place shows, such as the cellar."""
    return READING


def registration(link: HubLink, tool: Tool, patience_s: float) -> str:
    """What came of it. Raises ApplianceError."""
    talk = str(uuid4())
    given = link.ask("start", time.monotonic() + patience_s, _silent, never, conversation=talk, tools=functions([tool]))
    started = Started.model_validate(given)
    if started.status != "success" or started.conversation_id != talk:
        raise CannotBeDone(f"the hub answered {started.status} for another conversation", remedy="look at the hub")
    return "the hub took a conversation with one tool of this box"


def calling(link: HubLink, tool: Tool, patience_s: float) -> str:
    """Likewise."""
    called, said = list[dict[str, Any]](), list[str]()

    def run(name: str, arguments: dict[str, Any]) -> str:
        if name != tool.name:
            raise CannotBeDone(f"no tool {name} was offered")
        called.append(arguments)
        return tool.call(arguments)

    asks = Commanding(link, functions([tool]), patience_s).answer(LINE, "proof", said.append, run, never)
    words = "".join(said).strip()
    if not called:
        what = f'the hub answered without the tool: "{words}"'
        raise CannotBeDone(what, remedy="see which model thinks there, and whether others call tools with it")
    if asks or not words:
        raise CannotBeDone(f'the tool was called and no answer came of it: "{words}"', remedy="look at the hub")
    return f'the tool was called with {called[0]}; the answer: "{words}"'


PROOFS: Mapping[str, Callable[[HubLink, Tool, float], str]] = {"registration": registration, "calling": calling}


def prove(names: Sequence[str], link: HubLink, tool: Tool, patience_s: float) -> list[Proof]:
    """names: of PROOFS.  patience_s: for each."""
    return [_proof(name, link, tool, patience_s) for name in names]


def _proof(name: str, link: HubLink, tool: Tool, patience_s: float) -> Proof:
    began_s = time.monotonic()
    try:
        fine, found = True, PROOFS[name](link, tool, patience_s)
    except HubFailed as error:
        fine, found = False, error.what
    except ApplianceError as error:
        fine, found = False, str(error)
    return Proof(name, fine, found, round((time.monotonic() - began_s) * 1000))


def _silent(clause: str) -> None: ...
