"""What a tool of an MCP server gave, as far as it is text, and what a server says of its tools, as far as it is short.

All of it is text from outside: the core takes out of it what could pass for its own marks.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mcp_types import (
    AudioContent,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from mcp_types import Tool as ServerTool

MOST_TEXT_BYTES = 64 << 10
MOST_NAME, MOST_DESCRIPTION, MOST_SCHEMA_CHARS = 128, 2_000, 8_000
"""Characters: 128 are what the specification allows a name. A description is cut; a longer schema makes a tool
unusable. All 100 tools of a server are then 1 MB at worst, and 30 kB where they are as usual."""
MOST_TOOLS = 100
"""Of one server."""


@dataclass(frozen=True)
class Listed:
    """A tool as a server has it."""

    name: str
    description: str
    schema: dict[str, Any] | None
    """None: too long to be used."""
    digest: str
    """Of all three, whole: it tells whether any of them changed."""


def listed(tool: ServerTool) -> Listed:
    description = tool.description or tool.title or ""
    written = json.dumps(tool.input_schema, sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256("\0".join((tool.name, description, written)).encode("utf-8", "replace")).hexdigest()
    schema = tool.input_schema if len(written) <= MOST_SCHEMA_CHARS else None
    return Listed(tool.name[:MOST_NAME], description[:MOST_DESCRIPTION], schema, digest)


def answer(result: CallToolResult) -> dict[str, Any]:
    """{"text", "cut", "failed"}: whether there was more, and whether the text tells why it was not done."""
    text = "\n".join(part for part in _texts(result.content) if part)
    if not text and result.structured_content is not None:
        text = json.dumps(result.structured_content, ensure_ascii=False)
    whole = text.encode("utf-8", "replace")
    kept = whole[:MOST_TEXT_BYTES].decode("utf-8", "ignore")
    return {"text": kept, "cut": len(whole) > MOST_TEXT_BYTES, "failed": bool(result.is_error)}


def _texts(content: Sequence[ContentBlock]) -> Iterator[str]:
    for block in content:
        if isinstance(block, TextContent):
            yield block.text
        elif isinstance(block, EmbeddedResource) and isinstance(block.resource, TextResourceContents):
            yield block.resource.text
        elif isinstance(block, ResourceLink):
            yield f"[{block.name}: {block.uri}]"
        else:
            yield f"[{_kind(block)}, left out]"


def _kind(block: ContentBlock) -> str:
    if isinstance(block, ImageContent | AudioContent):
        return block.mime_type[:40]
    return "a file"
