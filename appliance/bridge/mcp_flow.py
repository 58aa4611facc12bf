"""How much an MCP server may send."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from appliance.bridge.trouble import Lost

MOST_LINE_BYTES = 4 << 20
"""Of one message. A picture of 2 MB, which is left out, is 2.7 MB of it."""
WINDOW_S = 10.0
MOST_BYTES, MOST_MESSAGES = 16 << 20, 2_000
"""In any WINDOW_S: four of the longest, and more than a server of 100 tools has to tell. To read 2,000 short messages
takes 0.3 s of an x86 core."""


@dataclass
class Flow:
    """What a server sent lately."""

    _since_s: float = field(default_factory=time.monotonic)
    _bytes: int = 0
    _messages: int = 0

    def count(self, length: int, messages: int = 1) -> None:
        """So many bytes came. Raises Lost where that is too much."""
        if (now_s := time.monotonic()) - self._since_s >= WINDOW_S:
            self._since_s, self._bytes, self._messages = now_s, 0, 0
        self._bytes += length
        self._messages += messages
        if self._bytes > MOST_BYTES or self._messages > MOST_MESSAGES:
            raise Lost("flood", f"{self._messages} messages, {self._bytes} bytes")
