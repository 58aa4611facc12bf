"""What a turn may spend, from what the board was measured to do. Optional stages that cost too much are dropped."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal

from appliance.ports import Rates

Stage = Literal["digest", "memory digest", "analyse"]

SHARES: dict[Stage, float] = {"digest": 0.25, "memory digest": 0.25, "analyse": 0.2}
"""Of the turn's time. What must happen (the plan, the answer) has no share: it gets what it needs."""
CHARS_PER_TOKEN = 3.6
"""Of English text under Qwen's vocabulary (bench/); other languages have fewer."""


@dataclass
class Budget:
    rates: Rates
    total_s: float
    started_s: float = field(default_factory=time.monotonic)
    digests_end_s: float = 0
    """When the time is up that the digests of this turn share, on the monotonic clock; 0 before the first."""

    def affords(self, stage: Stage, read_chars: int, written_tokens: int) -> bool:
        """Whether reading that much text and writing that many tokens fits the stage's share and what is left."""
        cost_s = read_chars / CHARS_PER_TOKEN / self.rates.prefill_tps + written_tokens / self.rates.decode_tps
        return cost_s <= min(SHARES[stage] * self.total_s, self.left_s)

    @property
    def left_s(self) -> float:
        return self.total_s - (time.monotonic() - self.started_s)
