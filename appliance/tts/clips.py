"""The sound of clauses, piece by piece: while it is made, and kept for the next time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence

from appliance.audio import Speech, Stale, never
from appliance.ports import Synthesizer

KEPT = 32
"""Clauses: 4 MB at 3 s of 22 050 Hz each."""


class Clips:
    """Makes the sound of a clause, or gives what was made before. One thread."""

    def __init__(self, synthesizer: Synthesizer) -> None:
        self._synthesizer = synthesizer
        self._kept: OrderedDict[tuple[str, bool], Sequence[Speech]] = OrderedDict()
        """By clause, and whether it was made in a hurry: another voice may have made it then."""

    def of(self, clause: str, stale: Stale = never, hurried: bool = False) -> Iterator[Speech]:
        """Its pieces; only the whole of it is kept. What was made at leisure is there at once, so it serves both."""
        for key in ((clause, False), (clause, hurried)):
            if key in self._kept:
                self._kept.move_to_end(key)
                yield from self._kept[key]
                return
        pieces = []
        for piece in self._synthesizer.synthesize(clause, stale, hurried):
            pieces.append(piece)
            yield piece
        if stale():  # it may have been left unfinished
            return
        self._kept[clause, hurried] = pieces
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
