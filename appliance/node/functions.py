"""The tools of this box as OpenAI's function schemas, for the hub's model to call."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from appliance.ports import Tool
from appliance.ports.hub import DESCRIPTION_CHARS, TOOL_BYTES, TOOLS_MOST

log = logging.getLogger(__name__)


def function_of(tool: Tool) -> dict[str, Any]:
    """OpenAI's form; beside it what this project's hubs ask of a tool, which others pass over.

    effect: what it does to the world, so that the hub asks before what cannot be undone.  trusted: whether its results
    are the box's own, and no text from outside.
    """
    described = {
        "name": tool.name,
        "description": tool.description[:DESCRIPTION_CHARS],
        "parameters": tool.schema or {"type": "object", "properties": {}},
    }
    return {"type": "function", "function": described, "effect": tool.effect, "trusted": not tool.untrusted}


def functions(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """Of those that a hub takes; any other is told of in the log, once each time a box starts."""
    fitting = list(_fitting(tools))
    for left_out in fitting[TOOLS_MOST:]:
        log.error("tool %s: a hub takes %d, it is left out; name fewer in node.tools", _name(left_out), TOOLS_MOST)
    return fitting[:TOOLS_MOST]


def _fitting(tools: Sequence[Tool]) -> Iterator[dict[str, Any]]:
    for made in map(function_of, tools):
        if (size := len(json.dumps(made).encode())) <= TOOL_BYTES:
            yield made
        else:
            log.error("tool %s: its schema has %d bytes, a hub takes %d; shorten it", _name(made), size, TOOL_BYTES)


def _name(made: dict[str, Any]) -> str:
    return str(made["function"]["name"])
