"""Countdowns: on the monotonic clock while the box runs, on disk by the wall clock for when it does not."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from appliance.errors import StoreUnusable
from appliance.ports import JUST_S, Clock, Timer, TimerStore, undoable

log = logging.getLogger(__name__)

_DRIFT_S = 0.5
"""Difference between the clocks from which the disk is corrected: a timer is never late by more than a second."""
_RETRY_S = 60.0
"""After the disk refused a correction: each attempt may hold up the loop for some seconds."""


@dataclass
class _Countdown:
    timer: Timer
    ends_s: float
    """Monotonic; infinite while it is paused."""
    ringing: bool = False
    waits: bool = False
    """Its end is an estimate: what is on disk counts as soon as the clock is trusted."""

    def left(self, now_s: float) -> float:
        """Seconds; 0 once it is due."""
        return self.timer.paused_s if self.timer.paused_s is not None else max(0.0, self.ends_s - now_s)


class Timers:
    """Every timer that was set and is not done with. Safe to use from several threads.

    A timer is on disk from before `add` returns until `done`: a crash in between, even while it rings, loses none.
    """

    def __init__(self, store: TimerStore, clock: Clock, ring_s: float) -> None:
        """`ring_s`: how long a timer rings. One that ended longer ago, while the box was off, is in `missed`."""
        self._store = store
        self._clock = clock
        self._lock = threading.RLock()
        self._running: dict[int, _Countdown] = {}
        self._missed: list[Timer] = []
        self._retry_s = -math.inf
        self._ring_s = ring_s
        self._silenced: tuple[list[Timer], float] = [], 0.0
        """What rang last and was stopped, and the monotonic time of that."""
        for timer in store.all():
            if timer.rang:
                self._missed.append(timer)
            elif timer.paused_s is not None:
                self._start(timer, math.inf)
            else:
                self._take_up(timer)

    def add(self, label: str, seconds: float) -> Timer:
        """Raises StoreUnusable; the timer is then not set."""
        with self._lock:
            timer = self._store.add(label, seconds, *self._due_in(seconds))
            self._start(timer, seconds)
            return timer

    def again(self, timer: Timer, left: float) -> Timer:
        """Set one that was done with anew, with so many seconds to go; paused if it was. Raises StoreUnusable."""
        with self._lock:
            paused_s = None if timer.paused_s is None else left
            anew = self._store.add(timer.label, timer.seconds, *self._due_in(left), paused_s)
            self._start(anew, left if paused_s is None else math.inf)
            return anew

    def change(self, timer: Timer, seconds: float, left: float) -> Timer:
        """Give it another full length and another time to go, as a new timer. Raises StoreUnusable.

        On disk the one takes the place of the other in one write: after a crash it is there once.
        """
        with self._lock:
            paused_s = None if timer.paused_s is None else left
            changed = self._store.replace(timer, seconds, *self._due_in(left), paused_s=paused_s)
            self._drop([timer])
            self._start(changed, left if paused_s is None else math.inf)
            return changed

    def pause(self, timer: Timer) -> Timer:
        """Stop its countdown, over restarts too, until `resume`. Raises StoreUnusable; it then runs on.

        One that is due, done with or paused stays as it is.
        """
        with self._lock:
            countdown, left = self._running.get(timer.id), self.left(timer)
            if countdown is None or not left or countdown.timer.paused_s is not None:
                return timer
            self._store.pause(timer.id, left)
            countdown.timer, countdown.ends_s = replace(countdown.timer, paused_s=left), math.inf
            countdown.waits = False
            return countdown.timer

    def resume(self, timer: Timer) -> Timer:
        """Let a paused one run on. Raises StoreUnusable; it then stays paused."""
        with self._lock:
            countdown = self._running.get(timer.id)
            if countdown is None or (left := countdown.timer.paused_s) is None:
                return timer
            due, due_trusted = self._due_in(left)
            self._store.move(timer.id, due, due_trusted)
            countdown.timer = replace(countdown.timer, due=due, paused_s=None, due_trusted=due_trusted)
            countdown.ends_s = self._clock.monotonic() + left
            return countdown.timer

    def all(self) -> list[Timer]:
        """Running, paused or ringing; what has least left comes first."""
        with self._lock:
            now_s = self._clock.monotonic()
            return [each.timer for each in sorted(self._running.values(), key=lambda each: each.left(now_s))]

    def left(self, timer: Timer) -> float:
        """Seconds; 0 once it is due or done."""
        with self._lock:
            countdown = self._running.get(timer.id)
            return countdown.left(self._clock.monotonic()) if countdown else 0.0

    def due(self) -> list[Timer]:
        """Timers that ended since the last call, soonest first; each is given once, and rings until it is `done`."""
        with self._lock:
            self._trust_the_clock()
            now = self._clock.monotonic()
            ended = [each for each in self._running.values() if each.ends_s <= now and not each.ringing]
            for each in ended:
                each.ringing = True
            self._follow_wall_clock()
            return [each.timer for each in sorted(ended, key=lambda each: each.ends_s)]

    def next_due_in(self) -> float | None:
        """Seconds until the next one ends; None when none is running."""
        with self._lock:
            ends = [each.ends_s for each in self._running.values() if not each.ringing and each.timer.paused_s is None]
            return max(0.0, min(ends) - self._clock.monotonic()) if ends else None

    def ringing(self) -> list[Timer]:
        with self._lock:
            return [each.timer for each in self._running.values() if each.ringing]

    def missed(self) -> list[Timer]:
        """Timers that ended where nobody could hear it, soonest first, until they are `done`: told."""
        with self._lock:
            return list(self._missed)

    def miss(self, *timers: Timer, rang: bool) -> None:
        """They rang in vain: from now on they are `missed`, also over a restart. rang: with a sound, but nobody came.

        Raises StoreUnusable; they are `missed` even then.
        """
        with self._lock:
            gone = [countdown.timer for timer in timers if (countdown := self._running.pop(timer.id, None))]
            self._missed += [replace(timer, rang=rang) for timer in gone]
            if rang and gone:
                self._store.rang(*(timer.id for timer in gone))

    def done(self, *timers: Timer) -> None:
        """They rang, were cancelled or were told. Raises StoreUnusable; they are silent even then, until a restart.

        Raises Cancelled in a call that nobody waits for any more: they then go on.
        """
        if not timers:
            return
        with self._lock:
            if stopped := [each.timer for timer in timers if (each := self._running.get(timer.id)) and each.ringing]:
                self._silenced = stopped, self._clock.monotonic()
            try:
                self._store.remove(*(timer.id for timer in timers))
            except StoreUnusable:
                self._drop(timers)
                raise
            self._drop(timers)

    def can_snooze(self) -> bool:
        """Whether any rings, or did a moment ago."""
        with self._lock:
            return bool(self._to_snooze())

    def snooze(self, seconds: float) -> int:
        """What rings, or did a moment ago, rings again in so many seconds, under its name; how many there were.

        Raises StoreUnusable, Cancelled.
        """
        with self._lock:
            snoozed, ringing = self._to_snooze(), self.ringing()
            added = [self.add(timer.label, seconds) for timer in snoozed]
            self.done(*ringing)
            self._silenced = [], 0.0
            undoable(lambda: self.done(*added))
            return len(snoozed)

    def _to_snooze(self) -> list[Timer]:
        stopped, at_s = self._silenced
        return self.ringing() or (stopped if self._clock.monotonic() - at_s < JUST_S else [])

    def _drop(self, timers: Sequence[Timer]) -> None:
        ids = {timer.id for timer in timers}
        self._running = {timer_id: each for timer_id, each in self._running.items() if timer_id not in ids}
        self._missed = [timer for timer in self._missed if timer.id not in ids]

    def _now(self) -> datetime:
        """In UTC: Python counts between two times of one zone by their hands, an hour too many or too few when the
        clocks change in between."""
        return self._clock.now().astimezone(UTC)

    def _due_in(self, seconds: float) -> tuple[datetime, bool]:
        """The wall time then, and whether the clock that says so is trusted."""
        return self._now() + timedelta(seconds=seconds), self._clock.trusted

    def _start(self, timer: Timer, left: float, waits: bool = False) -> None:
        self._running[timer.id] = _Countdown(timer, self._clock.monotonic() + left, waits=waits)

    def _take_up(self, timer: Timer) -> None:
        """Run one from the disk on, by its due; one that has ended too long ago is missed.

        | due counted by | clock now | left until its due from              |
        |----------------|-----------|--------------------------------------|
        | a right clock  | trusted   | now                                  |
        | a right clock  | not yet   | an estimate of now; again once it is |
        | a wrong clock  | trusted   | what that clock showed last          |
        | a wrong clock  | not yet   | now by that clock                    |

        An estimate is late by as long as the power was off, never early: such a timer rings late rather than never.
        """
        trusted, now = self._clock.trusted, self._now()
        if trusted and not timer.due_trusted:
            now = self._clock.last_seen or now
        left = (timer.due - now).total_seconds()
        if left < -self._ring_s:
            self._missed.append(timer)
        else:  # a wall clock that was set back while the box was off must not stretch a timer
            self._start(timer, min(left, timer.seconds), waits=timer.due_trusted and not trusted)

    def _trust_the_clock(self) -> None:
        """Take up anew, by the right time, what ran by an estimate of it. One that rings already goes on."""
        if not self._clock.trusted:
            return
        for each in [each for each in self._running.values() if each.waits and not each.ringing]:
            del self._running[each.timer.id]
            self._take_up(each.timer)

    def _follow_wall_clock(self) -> None:
        """Write new due times once the wall clock was set: after a restart only they are known.

        What the disk refuses is tried again later; the timers still ring on time unless the box restarts before.
        """
        now_s, trusted = self._clock.monotonic(), self._clock.trusted
        if now_s < self._retry_s:
            return
        offset = self._now() - timedelta(seconds=now_s)
        for each in self._running.values():
            if each.waits or each.timer.paused_s is not None:
                continue
            due = offset + timedelta(seconds=each.ends_s)
            if each.timer.due_trusted != trusted or abs((due - each.timer.due).total_seconds()) > _DRIFT_S:
                try:
                    self._store.move(each.timer.id, due, trusted)
                except StoreUnusable as error:
                    log.warning("timer %d: %s", each.timer.id, error)
                    self._retry_s = now_s + _RETRY_S
                    return
                each.timer = replace(each.timer, due=due, due_trusted=trusted)
