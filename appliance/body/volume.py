"""How loud the box is."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from appliance.ports import ValueStore

KEY = "volume"
DEFAULT = 70
"""Percent; -9 dB by the curve below, so that there is room to both sides."""
SOFTLY = 0.7
"""Of the level, in quiet hours: -9 dB."""
HUSHED, HUSH_S = 0.25, 1.0
"""Gain, -12 dB, and for how long, while it may have been told to stop: by then that was transcribed, too."""


class Volume:
    """Software gain, kept over restarts; applied while playing, so that a change is heard at once."""

    def __init__(
        self,
        values: ValueStore,
        quiet: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """quiet: whether it is the hour to speak softly.  clock: seconds."""
        self._values, self._quiet, self._clock = values, quiet, clock
        self._hushed_to_s = 0.0
        kept = values.get(KEY) or ""
        self._level = min(int(kept), 100) if kept.isdecimal() else DEFAULT

    @property
    def level(self) -> int:
        """Percent, 0 to 100."""
        return self._level

    def set(self, level: int) -> None:
        self._level = max(0, min(level, 100))
        self._values.set(KEY, str(self._level))

    def hush(self) -> None:
        """Be quieter for a moment from now on."""
        self._hushed_to_s = self._clock() + HUSH_S

    def apply(self, samples: NDArray[np.int16], least: int = 0) -> NDArray[np.int16]:
        """The cube of the level is the gain: equal steps sound about equal, 50 % is -18 dB, 0 is mute.

        least: percent below which the level does not count, and above 0 nor do quiet hours.
        """
        level = self._level * SOFTLY if self._quiet() and not least else self._level
        gain = (max(level, least) / 100) ** 3 * (HUSHED if self._clock() < self._hushed_to_s else 1.0)
        return np.asarray(samples * gain, dtype=np.int16)
