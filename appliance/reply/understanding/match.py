"""A line that is understood without the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Match:
    intent: str
    """The name of a tool."""
    arguments: dict[str, Any]
