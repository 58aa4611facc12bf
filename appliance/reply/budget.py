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
SPOKEN_CHARS_PER_S = 17
"""Of the voice at its usual speed: 96 tokens are about 20 s of speech (settings.py, `reply_tokens`)."""


@dataclass
class Budget:
    rates: Rates
    total_s: float
    started_s: float = field(default_factory=time.monotonic)
    digests_end_s: float = 0
    """When the time is up that the digests of this turn share, on the monotonic clock; 0 before the first."""
    speech_ends_s: float = 0
    """When all that was said so far will have been heard, on the same clock: until then nobody waits."""

    rests_s: float = 0
    """Since when the turn waits for somebody else, on the same clock."""

    def rest(self) -> None:
        self.rests_s = time.monotonic()

    def go_on(self) -> None:
        """The time in between is not the turn's own."""
        waited_s = time.monotonic() - self.rests_s
        self.started_s += waited_s
        self.digests_end_s += waited_s if self.digests_end_s else 0

    def speaks(self, chars: int) -> None:
        """So many characters more are to be heard."""
        self.speech_ends_s = max(self.speech_ends_s, time.monotonic()) + chars / SPOKEN_CHARS_PER_S

    @property
    def covered_s(self) -> float:
        """How long there is still something to listen to."""
        return self.speech_ends_s - time.monotonic()

    def seconds(self, stage: Stage) -> float:
        """What an optional stage may keep somebody waiting: its share of the turn, as far as that is left."""
        return min(SHARES[stage] * self.total_s, self.total_s - (time.monotonic() - self.started_s))

    def affords(self, stage: Stage, written_tokens: int) -> bool:
        """Whether writing that many tokens fits."""
        return written_tokens / self.rates.decode_tps <= max(self.seconds(stage), self.covered_s)

    def readable_chars(self, seconds: float, written_tokens: int) -> int:
        """How much text can be read in so many seconds if as many tokens are written afterwards; 0 for none."""
        reading_s = seconds - written_tokens / self.rates.decode_tps
        return max(0, int(reading_s * self.rates.prefill_tps * CHARS_PER_TOKEN))
