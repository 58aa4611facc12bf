"""What a hub's Command API gives, and is given, over HTTP (spec/hub.md): as a client reads it, so keys may be added."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from appliance.ports.hub import RESULT_CHARS, StopReason


class _Open(BaseModel):
    model_config = ConfigDict(extra="ignore")


EARLIER_MOST, EARLIER_CHARS = 4, 300
"""Lines that were answered without the hub, and characters of each and of its answer: it takes no more."""


class Earlier(_Open):
    """A line that was answered without the hub, since the last one that it got."""

    heard: str = Field(min_length=1, max_length=EARLIER_CHARS)
    said: str = Field(min_length=1, max_length=EARLIER_CHARS)


class NodeContext(_Open):
    node_id: str = Field("", max_length=60)
    room: str = Field("", max_length=60)
    timezone: str = ""
    earlier: list[Earlier] = Field([], max_length=EARLIER_MOST)


class Started(_Open):
    status: str
    conversation_id: str


class CalledFunction(_Open):
    name: str
    arguments: str = "{}"
    """A JSON object, as text."""

    @property
    def values(self) -> dict[str, Any] | None:
        """None where it is no JSON object."""
        try:
            read = json.loads(self.arguments or "{}")
        except (ValueError, RecursionError):
            return None
        return read if isinstance(read, dict) else None


class ToolCall(_Open):
    id: str
    function: CalledFunction


class ValidationRequest(_Open):
    question: str
    options: list[str] | None = None


class CommandResult(_Open):
    stop_reason: StopReason
    assistant_message: str | None = None
    tool_calls: list[ToolCall] | None = None
    validation_request: ValidationRequest | None = None

    @model_validator(mode="after")
    def _whole(self) -> CommandResult:
        if self.stop_reason == "tool_calls" and not self.tool_calls:
            raise ValueError("tool_calls without a call")
        if self.stop_reason == "validation_required" and not self.validation_request:
            raise ValueError("validation_required without a question")
        return self


class Output(_Open):
    success: bool
    message: str = Field("", max_length=RESULT_CHARS)
    context: Any = None


class ToolResult(_Open):
    tool_call_id: str
    output: Output
