"""How often somebody may ask: a bucket each, that fills again with time."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MOST = 1_000
"""Of those who are kept in mind; whoever asked longest ago goes first."""
_ROUNDING = 1e-7
"""What adding up pauses may lose of a bucket's contents: whoever waits as long as they were told is let in."""


@dataclass
class _Bucket:
    left: float
    at_s: float


class Limits:
    """`per_minute` on the long run, and as many of them at once as half a minute brings."""

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s, self._most = per_minute / 60, max(per_minute / 2, 1.0)
        self._clock = clock
        self._held: OrderedDict[str, _Bucket] = OrderedDict()

    def take(self, who: str) -> int:
        """Zero, and one is counted; or the seconds to wait, and none is."""
        bucket = self._filled(who)
        if bucket.left >= 1 - _ROUNDING:
            bucket.left -= 1
            return 0
        return max(1, math.ceil((1 - bucket.left) / self._per_s))

    def _filled(self, who: str) -> _Bucket:
        now_s = self._clock()
        bucket = self._held.setdefault(who, _Bucket(self._most, now_s))
        bucket.left = min(self._most, bucket.left + (now_s - bucket.at_s) * self._per_s)
        bucket.at_s = now_s
        self._held.move_to_end(who)
        if len(self._held) > MOST:
            self._held.popitem(last=False)
        return bucket
