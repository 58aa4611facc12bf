"""What bench/branches.py says and looks for: the entries of cases/branches.yaml, and what a turn's record shows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field

from appliance.records import TurnRecord
from bench.cases import FOLDER, Entry

FILE = FOLDER / "branches.yaml"

Place = Literal["board", "town", "server", "service", "pressed", "elsewhere"]
"""board: the box alone.  town: with its MCP server.  server: behind a model server that takes no tools.  service: the
whole service; pressed: its button as it begins to speak.  elsewhere: not here, but in the test of `shown_by`."""


class Branch(Entry):
    """One of them; the head of the file explains the fields."""

    name: str
    at: Place = "board"
    box: dict[str, dict[str, Any]] = Field({})
    known: tuple[str, ...] = ()
    channel: str = "chat"
    index_lost: bool = False
    untaught: bool = False
    say: tuple[str | tuple[str, ...], ...] = ()
    seen: dict[str, Any] = Field({})
    fault: str = ""
    hoped: str = ""
    shown_by: str = ""

    @property
    def stage(self) -> str:
        """Those with the same are tried on one box."""
        return json.dumps([self.at, self.untaught, self.index_lost, self.box])

    @property
    def shows(self) -> bool:
        """Whether a record of any turn shows that it was taken; else that of its own lines alone does."""
        return not (self.fault or "not" in self.seen)

    def tries(self) -> list[tuple[str, ...]]:
        return [(each,) if isinstance(each, str) else each for each in self.say]

    def is_seen(self, record: TurnRecord) -> bool:
        return all(SEEN[key](record, wanted) for key, wanted in self.seen.items())


SEEN: Mapping[str, Callable[[TurnRecord, Any], bool]] = {
    "lane": lambda record, wanted: record.lane == wanted,
    "outcome": lambda record, wanted: record.outcome == wanted,
    "channel": lambda record, wanted: record.channel == wanted,
    "heard": lambda record, wanted: wanted in record.heard,
    "kinds": lambda record, wanted: [step.kind for step in record.steps] == wanted,
    "step": lambda record, wanted: any(f"{step.tool} {step.outcome}" == wanted for step in record.steps),
    "of": lambda record, wanted: any((step.tool or "").startswith(wanted) for step in record.steps),
    "effect": lambda record, wanted: any(f"{step.effect} {step.outcome}" == wanted for step in record.steps),
    "kind": lambda record, wanted: any(f"{step.kind} {step.outcome}" == wanted for step in record.steps),
    "steps": lambda record, wanted: len(record.steps) == wanted,
    "calls": lambda record, wanted: record.model.calls == wanted,
    "branch": lambda record, wanted: wanted in record.branches,
    "not": lambda record, wanted: wanted not in record.branches,
    "recalled": lambda record, wanted: bool(record.memory and record.memory.recalled) == wanted,
    "written": lambda record, wanted: bool(record.memory and record.memory.written) == wanted,
    "digest": lambda record, wanted: any(step.digested for step in record.steps) == wanted,
}
"""What a record shows, by the keys of `seen`."""


def load(file: Path = FILE) -> list[Branch]:
    """Raises pydantic's ValidationError, which names the entry."""
    return [Branch.model_validate(entry) for entry in yaml.safe_load(file.read_text("utf-8"))]
