"""What a skill keeps: lists, alarms, notes. Each item is a small JSON object of the skill's own shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Body = Mapping[str, Any]
"""What JSON can say: text, numbers, true and false, None, and lists and objects of these."""


@dataclass(frozen=True)
class Item:
    id: int
    """Never used twice on this box."""
    body: Body


class ItemStore(Protocol):
    """The items of one skill, on disk: what `write` returned survives a power cut. Methods raise StoreUnusable."""

    def all(self) -> list[Item]:
        """Oldest first."""
        ...

    def write(self, add: Sequence[Body] = (), change: Sequence[Item] = (), remove: Sequence[int] = ()) -> list[Item]:
        """All of it or none. Returns the items that were added. One to change or remove that is gone is passed over.

        Raises Cancelled in a call that nobody waits for any more.
        """
        ...


ItemsOf = Callable[[str], ItemStore]
"""Name of a skill -> what it keeps."""
