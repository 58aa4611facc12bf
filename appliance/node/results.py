"""What a tool of this box gave, and what went wrong with it, as the hub takes it: the one place for both."""

from __future__ import annotations

from typing import Any

from appliance.errors import ApplianceError, BadArgument
from appliance.ports.command_api import Output, ToolResult
from appliance.ports.hub import RESULT_CHARS

DONE = "done"
"""For a tool that answers with silence."""


def format_tool_result(call_id: str, message: str, context: Any = None) -> ToolResult:
    """context: JSON beside the message."""
    text = message.strip()[:RESULT_CHARS] or DONE
    return ToolResult(tool_call_id=call_id, output=Output(success=True, message=text, context=context))


def format_tool_error(call_id: str, error: ApplianceError) -> ToolResult:
    """What is wrong, and whether other arguments would help."""
    context = {"remedy": error.remedy, "retry": isinstance(error, BadArgument)}
    output = Output(success=False, message=error.what[:RESULT_CHARS], context=context)
    return ToolResult(tool_call_id=call_id, output=output)
