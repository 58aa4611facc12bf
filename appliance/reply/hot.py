"""What was worked out of the memory in one conversation: good until it ends, is stopped, or a fact changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

KEPT = 64
"""The newest: a conversation that asks for more finds its first ones again in milliseconds."""

Made = TypeVar("Made")


class Hot:
    def __init__(self) -> None:
        self._made: OrderedDict[Hashable, Any] = OrderedDict()
        self._revision: Hashable = None

    def get(self, key: Hashable, revision: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` gave for that key.  revision: of what it is made of; another one drops everything."""
        if revision != self._revision:
            self.clear()
            self._revision = revision
        if key not in self._made:
            self._made[key] = make()
            if len(self._made) > KEPT:
                self._made.popitem(last=False)
        return cast(Made, self._made[key])

    def clear(self) -> None:
        self._made.clear()
