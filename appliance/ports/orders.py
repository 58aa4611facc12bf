"""Delayed orders: what somebody wants done at a later time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

OrderOutcome = Literal["done", "failed", "asked"]
"""How carrying one out ended; asked: it cannot be undone, and waits for a yes."""


@dataclass(frozen=True)
class Order:
    id: int
    text: str
    """What is to be done, in the words of a whole sentence, without the time."""
    language: str
    """In which it was said; ISO 639."""


class Orders(Protocol):
    """Each is carried out once, or told as missed: also over restarts and power cuts."""

    def due(self) -> Sequence[Order]:
        """Those whose time has come; each is given once in a run."""
        ...

    def begin(self, order: Order) -> bool:
        """To be called right before it is carried out: it never is again. False: it may not be, so leave it alone."""
        ...

    def end(self, order: Order, outcome: OrderOutcome, said: str) -> None:
        """It was carried out, or was not. said: the answer of its tool, the reason why not, or the question."""
        ...

    def sentence(self) -> str:
        """What is to be told of those that ended or were missed; empty for nothing."""
        ...

    def told(self) -> Sequence[Order]:
        """What `sentence` gave last was heard. Those among it that were asked about. Raises StoreUnusable."""
        ...
