"""A line that is understood without the model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Match:
    intent: str
    """The name of a tool."""
    arguments: dict[str, Any]
    free: bool = field(default=False, compare=False)
    """Whether an argument is a text of any words, which may hold what is another request."""
    order: str = field(default="", compare=False)
    """Of what is to be done later: that, which has to be a whole sentence by itself."""
    refers: bool = field(default=False, compare=False)
    """Whether it is about the line before it: as a part of a line it belongs to what stands before it there."""
