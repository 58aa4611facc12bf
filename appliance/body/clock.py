"""Wall time, how far it can be trusted, and time that never jumps."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from appliance.boards import FIRST_DAY, ClockSource, clock_source

KEEP_S = 60.0
"""Between two notes of the time while nobody sets the clock: SaveIntervalSec of systemd-timesyncd."""

JUMP_S = 2.0
"""The clock was set, when it is off by so much: a wrong time that was kept must not outlive its correction."""


def since_boot() -> float:
    """Seconds, the time in suspend among them; CLOCK_MONOTONIC stands still there, and with it every countdown."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class SystemClock:
    """The machine's clock, in the box's zone.

    Until something is known to have set it, it is never earlier than what it showed before this start: a board without
    a battery goes on from an old time after a power cut.
    """

    trusted_by = ClockSource.NONE

    def __init__(
        self,
        zone: tzinfo,
        kept: Path | None = None,
        source: Callable[[datetime], ClockSource] = clock_source,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = since_boot,
    ) -> None:
        """kept: the file whose time of change is what the clock showed last, and which holds `monotonic` of then."""
        self._zone, self._kept, self._source, self._wall, self.monotonic = zone, kept, source, wall, monotonic
        self._began_s, self._kept_s = monotonic(), (-math.inf, 0.0)
        """When this one began, and what was kept last: `monotonic` and the time in seconds since 1970."""
        self.last_seen = self._read()

    @property
    def trusted(self) -> bool:
        """Stays true once it is: the kernel keeps a clock that was set."""
        if self.trusted_by is ClockSource.NONE:
            self.trusted_by = self._source(self.last_seen or FIRST_DAY)
        return self.trusted_by is not ClockSource.NONE

    def now(self) -> datetime:
        shown = datetime.fromtimestamp(self._wall(), UTC)
        if self.last_seen and not self.trusted:
            shown = max(shown, self.last_seen + timedelta(seconds=self.monotonic() - self._began_s))
        return shown.astimezone(self._zone)

    def keep(self) -> None:
        """A disk that refuses costs nothing but how well the time is known after a power cut."""
        now_s, seen_s = self.monotonic(), self.now().timestamp()
        passed_s, shown_s = now_s - self._kept_s[0], seen_s - self._kept_s[1]
        if self._kept is None or (passed_s < KEEP_S and abs(shown_s - passed_s) < JUMP_S):
            return
        self._kept_s = now_s, seen_s
        with suppress(OSError):
            file = os.open(self._kept, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.write(file, f"{now_s:020.3f}".encode())  # over what is there: no full disk can refuse it
                os.utime(file, (seen_s, seen_s))
            finally:
                os.close(file)

    def _read(self) -> datetime | None:
        """Of the same boot exactly; of another one no later than it was, for at least so much time has passed since."""
        with suppress(OSError, ValueError):
            if self._kept:
                passed_s = max(0.0, self._began_s - float(self._kept.read_bytes()))
                return datetime.fromtimestamp(self._kept.stat().st_mtime + passed_s, UTC)
        return None


class ShiftedClock:
    """A clock that shows `start` when it is made or moved, and runs on from there."""

    trusted, last_seen = True, None

    def __init__(self, start: datetime, zone: tzinfo) -> None:
        self._zone = zone
        self._skipped_s = 0.0
        """What countdowns have to be told passed."""
        self._start, self._at_s = datetime.now(zone), since_boot()
        self.move(start)
        self._skipped_s = 0.0

    def move(self, to: datetime) -> None:
        """As if the time until `to` had passed; back is only the wall's. A time without a zone is one of the box's."""
        start = to.replace(tzinfo=self._zone) if to.tzinfo is None else to.astimezone(self._zone)
        self._skipped_s += max(0.0, start.timestamp() - self.now().timestamp())
        self._start, self._at_s = start, since_boot()

    def now(self) -> datetime:
        passed = timedelta(seconds=since_boot() - self._at_s)
        return datetime.fromtimestamp(self._start.timestamp() + passed.total_seconds(), self._zone)

    def monotonic(self) -> float:
        return since_boot() + self._skipped_s

    def keep(self) -> None:
        """A time that was made up is not worth keeping."""
