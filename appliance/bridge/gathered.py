"""Changed states of things, told together: they come in bursts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

GATHER_S = 0.05
"""In which changed states are gathered to be told at once."""
AT_ONCE = 200
"""Things in one piece of news of their states."""


class Gathered:
    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        """`tell`: of news "states"."""
        self._tell = tell
        self._changed: dict[str, Any] = {}

    def add(self, changed: Mapping[str, Any]) -> None:
        """Name of a thing -> its state."""
        if changed and not self._changed:
            asyncio.get_running_loop().call_later(GATHER_S, self._tell_all)
        self._changed |= changed

    def _tell_all(self) -> None:
        changed, self._changed = [*self._changed.items()], {}
        for first in range(0, len(changed), AT_ONCE):
            self._tell(dict(changed[first : first + AT_ONCE]))
