"""What goes over the bridge's socket: one JSON object a line, in both directions.

A question is {"id": 7, "to": "home", "do": "call", "with": {..}}. Its answer is {"id": 7, "is": ..}, or, where it
cannot be done, {"id": 7, "no": "it is locked", "remedy": "unlock it", "better": true}; "better" means that better
arguments would help. News is {"of": "home", "kind": "state", "is": ..}.
"""

from __future__ import annotations

import json
from typing import Any

MOST_BYTES = 1 << 20
"""Of one line. Home Assistant's whole state of a house of 2,000 things is some 600 kB."""


def line(value: dict[str, Any]) -> bytes:
    """As it goes over the socket. Raises ValueError where it is too long."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode() + b"\n"
    if len(written) > MOST_BYTES:
        raise ValueError(f"{len(written)} bytes in a line of at most {MOST_BYTES}")
    return written


def value(written: bytes) -> dict[str, Any]:
    """Raises ValueError."""
    read = json.loads(written)
    if not isinstance(read, dict):
        raise ValueError("a line holds no object")
    return read
