"""One JSON object a line, as it goes over the local sockets of the bridge and the hub."""

from __future__ import annotations

import json
from typing import Any

MOST_BYTES = 1 << 20
"""Of one line. Home Assistant's whole state of a house of 2,000 things is some 600 kB; the hub has it for bodies."""


class TooLong(ValueError):
    """A line that is not sent; the text says how long it is."""


def line(value: dict[str, Any]) -> bytes:
    """As it goes over a socket. Raises TooLong."""
    whole = written(value)
    if len(whole) > MOST_BYTES:
        raise TooLong(f"{len(whole):,} bytes do not go into a line of {MOST_BYTES:,}")
    return whole


def written(value: dict[str, Any]) -> bytes:
    """However long."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode() + b"\n"


def value(whole: bytes) -> dict[str, Any]:
    """Raises ValueError."""
    try:
        read = json.loads(whole)
    except RecursionError:
        raise ValueError("a line is nested too deeply") from None
    if not isinstance(read, dict):
        raise ValueError("a line holds no object")
    return read
