"""What somebody commands of a skill in writing: `appliance alarms add 7:00`; and what comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Word = Annotated[str, Field(max_length=1_000)]


class Command(BaseModel):
    """As it goes over the socket, in JSON."""

    model_config = ConfigDict(extra="forbid")

    state: str
    """The state folder that it is meant for: a service with another one does nothing."""
    skill: str = Field(max_length=40)
    words: list[Word] = Field([], max_length=60)
    """The action, then what it is to be done with. Without any: what the skill keeps, or its first action."""
    yes: bool = False
    """What cannot be undone is done without a question."""


class Answer(BaseModel):
    """What came of it. `tool` and `arguments` are null, or `rows` is."""

    model_config = ConfigDict(extra="forbid")

    said: str
    """For a person: the words that the box would speak, or a line for each row."""
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    """As they were given to the tool."""
    rows: list[dict[str, Any]] | None = None
    """What the skill keeps, as it is stored."""


CarryOut = Callable[[Command, bool], Answer]
"""The command, and whether whoever gave it may change anything. Raises ApplianceError."""
