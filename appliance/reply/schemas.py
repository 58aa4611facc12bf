"""JSON schemas, as far as more than one reader of them has to know."""

from __future__ import annotations

from typing import Any


def value_part(part: dict[str, Any]) -> dict[str, Any]:
    """What a value of a parameter looks like: of an optional one, the part that is not null."""
    return next((each for each in part.get("anyOf", ()) if each.get("type") != "null"), part)
