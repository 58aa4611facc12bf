"""What is done for the database beside every turn: its daily copy, and the way back where its card failed."""

from __future__ import annotations

import logging
import math
import sqlite3
from collections.abc import Callable
from datetime import timedelta
from threading import Event, Thread

from appliance.errors import ApplianceError
from appliance.memory.backups import Backup, Damaged, back_up, backups, remove_older
from appliance.memory.store import FORGOT, Store
from appliance.ports import Clock

log = logging.getLogger(__name__)

LOOK_S = 20.0
"""Between two looks whether one is due: so soon after a `forget`, at most, the older copies are gone."""
SETTLED_S = 600.0
"""After the start: a box that restarts again and again must not push out the good copies."""
RETRY_S = 600.0
"""After a failure, such as a full disk; and the longest between two attempts to come back from memory to the file."""
COME_BACK_S = 60.0
"""Until the first such attempt; the next one waits twice as long."""
DAY = timedelta(days=1)


class Upkeep:
    """In a thread of its own: a copy a day while nobody is being served; after a `forget`, soon, and then the only one.

    A store that had to leave its file is brought back. Use it as a context manager.
    """

    def __init__(self, store: Store, clock: Clock, at_rest: Callable[[], bool]) -> None:
        self._store, self._clock, self._at_rest = store, clock, at_rest
        self._closing, self._retry_s = Event(), -math.inf
        self._wait_s, self._come_back_s = COME_BACK_S, clock.monotonic() + COME_BACK_S
        self._settled_s = clock.monotonic() + SETTLED_S
        self._day_over_s = clock.monotonic() + DAY.total_seconds()
        self._thread = Thread(target=self._run, name="upkeep", daemon=True)

    def __enter__(self) -> Upkeep:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """No copy is made from now on. Waits for one that is being made. May be repeated."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> None:
        """Make one if it is due and nobody is being served. What goes wrong is logged, and tried again later."""
        if not (self._store.on_file and self._at_rest()) or self._clock.monotonic() < self._retry_s:
            return
        try:
            forgot = self._forgot()
            if forgot or self._due():
                self._renew(forgot)
        except (ApplianceError, sqlite3.Error, OSError) as error:
            self._retry_s = self._clock.monotonic() + RETRY_S
            log.error("no copy of the memory could be made: %s; make room, and see journalctl -k for the disk", error)
            if isinstance(error, Damaged):
                self._store.doubt(error)

    def mend(self) -> None:
        """Look after the file; where the store had to leave it, try to come back: after a minute, then less often."""
        self._store.look_after()
        now_s = self._clock.monotonic()
        if self._store.on_file:
            self._wait_s, self._come_back_s = COME_BACK_S, now_s + COME_BACK_S
        elif now_s >= self._come_back_s and not self._came_back():
            self._wait_s = min(2 * self._wait_s, RETRY_S)
            self._come_back_s = now_s + self._wait_s

    def _came_back(self) -> bool:
        try:
            return self._store.come_back()
        except ApplianceError as error:  # another appliance has taken it meanwhile
            log.error("%s", error)
            return False

    def _run(self) -> None:
        while not self._closing.wait(LOOK_S):
            self.mend()
            self.look()

    def _due(self) -> bool:
        """By the wall clock over restarts, by the other where the wall clock is wrong."""
        now_s = self._clock.monotonic()
        if now_s < self._settled_s:
            return False
        known = backups(self._store.path)
        return not known or now_s >= self._day_over_s or self._clock.now().replace(tzinfo=None) - known[0].at >= DAY

    def _forgot(self) -> str:
        """Which `forget` the copies do not know of yet; empty when they know of all."""
        with self._store.read() as db:
            row = db.execute("SELECT value FROM kept_values WHERE key = ?", [FORGOT]).fetchone()
        return row[0] if row else ""

    def _renew(self, forgot: str) -> None:
        made = back_up(self._store.path, self._clock.now().replace(tzinfo=None))
        self._day_over_s = self._clock.monotonic() + DAY.total_seconds()
        if forgot:
            self._forget_older(made, forgot)
        log.info("the memory was copied to %s", made.path.name)

    def _forget_older(self, made: Backup, forgot: str) -> None:
        """A `forget` that came in between has another mark, and is seen to by the next look."""
        remove_older(made, self._store.path)
        with self._store.write() as db:
            db.execute("DELETE FROM kept_values WHERE key = ? AND value = ?", [FORGOT, forgot])
