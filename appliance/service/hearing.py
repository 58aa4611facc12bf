"""How loud the open microphone is, and whether it gives any sound at all."""

from __future__ import annotations

import logging
from collections.abc import Callable
from math import inf

import numpy as np

from appliance.audio import RATE_HZ, Frame, Level, Samples, level_of, silence
from appliance.errors import DeviceMissing

log = logging.getLogger(__name__)

DEAF_S = 60.0
"""Nothing but digital silence for so long from its opening on is no quiet room: a microphone has noise of its own. One
that gave any sound since may be silent for longer: some speakerphones give zeros between two sounds."""
GAP_S = 0.1
"""A frame that ends so much later than it would right behind the one before: sound between the two was lost. What is
known of a buffer is off by a period of it at most, 32 ms."""
ALSAMIXER = "alsamixer: F6 is the card, F4 its microphone"
SWITCH_ON = f"switch it on: in the mixer ({ALSAMIXER}), or by a switch on the microphone itself"


class Hearing:
    """Of the thread that captures; any may read it."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock`: monotonic seconds."""
        self._clock = clock
        self.gaps = 0
        """Times that sound was lost while the microphone was open."""
        self.begin()

    def begin(self) -> None:
        """A microphone was opened, or none is open any more."""
        self.level: Level | None = None
        """Of the last whole second; None before it."""
        self.deaf = ""
        """Why nothing can be heard although the microphone is open, with a remedy; empty when something can."""
        self._second = silence(0)
        self._opened_s, self._sounded = self._clock(), False
        self._heard_to_s = inf

    def follow(self, frame: Frame) -> None:
        """Count what was lost between the frame before and this one."""
        if frame.at_s - self._heard_to_s - len(frame.samples) / RATE_HZ > GAP_S:
            self.gaps += 1
        self._heard_to_s = frame.at_s

    def take(self, samples: Samples) -> None:
        """What was heard next, shape (n,)."""
        self._second = np.concatenate([self._second, samples])
        if len(self._second) < RATE_HZ:
            return
        self.level, self._second = level_of(self._second), silence(0)
        self._sounded = self._sounded or not self.level.silent
        self._tell(not self._sounded and self._clock() - self._opened_s >= DEAF_S)

    def _tell(self, is_deaf: bool) -> None:
        if is_deaf and not self.deaf:
            error = DeviceMissing(f"the microphone has given only zeros for {DEAF_S:g} s", remedy=SWITCH_ON)
            self.deaf = str(error)
            log.error("%s", error)
        elif not is_deaf and self.deaf:
            self.deaf = ""
            log.info("the microphone gives sound")
