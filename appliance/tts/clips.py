"""The sound of clauses, piece by piece: while it is made, and kept for the next time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence

from appliance.audio import Speech

KEPT = 32
"""Clauses: 4 MB at 3 s of 22 050 Hz each."""


class Clips:
    """Makes the sound of a clause, or gives what was made before. One thread."""

    def __init__(self, synthesize: Callable[[str], Iterator[Speech]]) -> None:
        self._synthesize = synthesize
        self._kept: OrderedDict[str, Sequence[Speech]] = OrderedDict()

    def of(self, clause: str) -> Iterator[Speech]:
        """Its pieces; only the whole of it is kept."""
        if clause in self._kept:
            self._kept.move_to_end(clause)
            yield from self._kept[clause]
            return
        pieces = []
        for piece in self._synthesize(clause):
            pieces.append(piece)
            yield piece
        self._kept[clause] = pieces
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
