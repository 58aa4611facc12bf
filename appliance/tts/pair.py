"""A voice that is slow to begin, and a quick one for what cannot wait for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from appliance.audio import Speech, Stale, never
from appliance.ports import Synthesizer

BEGINS_S = 0.3
"""Within which a reply has to begin to sound; Piper's takes 0.05 s (docs/measured.md)."""
EFFORT = 0.5
"""Seconds of making for a second of sound. With more a board cannot: beside the language model it is twice that."""


class SlowVoice(Synthesizer, Protocol):
    def begins_in_s(self, clause: str) -> float:
        """How long its first piece will take, by what the last one took."""
        ...

    @property
    def effort(self) -> float | None:
        """Seconds of making for a second of sound, at its best; None as long as that is not known."""
        ...


class Pair:
    """Implements ports.Synthesizer."""

    def __init__(self, slow: SlowVoice, quick: Synthesizer) -> None:
        self._slow, self._quick = slow, quick

    def synthesize(self, clause: str, stale: Stale = never, hurried: bool = False) -> Iterator[Speech]:
        quick = self.too_slow or (hurried and self._slow.begins_in_s(clause) > BEGINS_S)
        return (self._quick if quick else self._slow).synthesize(clause, stale, hurried)

    @property
    def too_slow(self) -> bool:
        """Whether the quick one says all: each clause would end long before the next is there."""
        return (self._slow.effort or 0) > EFFORT
