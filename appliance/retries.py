"""Attempts to get a part back: how long until the next, and which failures are worth a line in the log."""

from __future__ import annotations

from dataclasses import dataclass, field

LONGEST_S = 60.0
"""Between two attempts with what breaks as soon as it is open."""
STEADY_S = 60.0
"""What has worked for so long was back: its next failure is the first again."""
KINDS = 3
"""So many different failures are worth a line each; a message with an ever new number in it would be one each time."""


@dataclass(frozen=True)
class Failed:
    pause_s: float
    """Until the next attempt."""
    is_news: bool
    """Worth a line in the log: a failure of a new kind, or the 10th, 100th, 1,000th in a row."""


@dataclass
class Retries:
    first_s: float
    """Between two attempts with what is not there: it is wanted soon after it was plugged in."""
    longest_s: float = LONGEST_S
    count: int = 0
    """Failures in a row."""
    _broken: int = 0
    """Those of them with a part that was there and open."""
    _kinds: set[str] = field(default_factory=set)

    def failed(self, kind: str, worked_s: float | None) -> Failed:
        """`worked_s`: how long it worked before it failed; None where it could not even be opened."""
        if worked_s is not None and worked_s >= STEADY_S:
            self.count, self._broken, self._kinds = 0, 0, set()
        self.count += 1
        self._broken += worked_s is not None
        is_new = kind not in self._kinds and len(self._kinds) < KINDS
        if is_new:
            self._kinds.add(kind)
        doubled_s = min(self.first_s * 2.0 ** min(self._broken - 1, 30), max(self.first_s, self.longest_s))
        return Failed(self.first_s if worked_s is None else doubled_s, is_new or _is_power_of_ten(self.count))


def _is_power_of_ten(count: int) -> bool:
    return count >= 10 and str(count).strip("0") == "1"
