"""What is due by the clock on the wall, on disk: it rings once at its time, or is told of once when it could not."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

from appliance.errors import StoreUnusable
from appliance.ports import JUST_S, Clock, Item, ItemStore, undoable
from appliance.skills.due import Due
from appliance.skills.entries import Entry, body_of, read_entry

log = logging.getLogger(__name__)

_SET_BACK = timedelta(minutes=2)
"""A clock that goes back by more was wrong before: what it had passed over comes again. Time servers step by less."""
ReadAgain = Callable[[str, datetime], Due | None]
"""The words for when, and the time at which they were said -> when that is."""


class Schedule:
    """Every entry that was set and is not done with. Safe to use from several threads. Implements ports.KeptAlarms.

    While nobody knows the time for certain, only what was set as a length from now, in this run, comes to its end.
    """

    def __init__(self, store: ItemStore, clock: Clock, ring_s: float, read_again: ReadAgain) -> None:
        """`ring_s`: how long one rings. What was due longer ago, while the box was off, is in `missed`."""
        self._store, self._clock, self._read_again = store, clock, read_again
        self._ring = timedelta(seconds=ring_s)
        self._lock = threading.RLock()
        self._entries = {item.id: read_entry(item) for item in store.all()}
        self._ringing = dict[int, None]()
        self._silenced: tuple[list[Entry], float] = [], 0.0
        """What rang last and was stopped, and the monotonic time of that."""
        self._set_s = dict[int, float]()
        """Monotonic time at which those of this run were set."""
        self._unkept = 0
        """The id of the last one that the disk refused."""

    def add(self, text: str, due: Due, said: str = "", plays: str = "", language: str = "") -> Entry:
        """Raises StoreUnusable; it is then not set.  said: the words for when.  plays, language: see Entry."""
        with self._lock:
            new = Entry(0, text, due, self._now(), said, not self._clock.trusted, plays=plays, language=language)
            [entry] = self._keep([new])
            self._set_s[entry.id] = self._clock.monotonic()
            return entry

    def all(self) -> list[Entry]:
        """Those to come and ringing, soonest first."""
        with self._lock:
            return sorted(self._coming(), key=self._order)

    def moment(self, entry: Entry) -> datetime:
        """When it is due next, in the zone of the box."""
        return entry.due.moment(self._zone)

    def due(self) -> list[Entry]:
        """Those whose time has come since the last call, soonest first; each is given once, and rings until `done`."""
        with self._lock:
            if self._clock.trusted:
                self._kept_in_memory(self._reckon_again)
                self._kept_in_memory(self._miss_old)
            given = [each for each in self._quiet() if (left := self._left(each)) is not None and left <= timedelta()]
            self._ringing |= {entry.id: None for entry in given}
            return sorted(given, key=self._order)

    def next_due_in(self) -> float | None:
        """Seconds until the next one is due; None when none is set, or when all of them wait for the time."""
        with self._lock:
            left = [left for each in self._quiet() if (left := self._left(each)) is not None]
            return max(0.0, min(left).total_seconds()) if left else None

    def ringing(self) -> list[Entry]:
        with self._lock:
            return [self._entries[number] for number in self._ringing if number in self._entries]

    def missed(self) -> list[Entry]:
        """What was due where nobody could hear it, soonest first, until it is `done`: told."""
        with self._lock:
            return sorted((each for each in self._entries.values() if each.missed_from), key=self._order)

    def miss(self, *entries: Entry, rang: bool) -> None:
        """They rang in vain: from now on they are `missed`, also over a restart. rang: with a sound, but nobody came.

        Raises StoreUnusable; they are `missed` even then.
        """
        with self._lock:
            self._miss([(entry, entry.due) for entry in self._over(entries) if not entry.missed_from], rang)

    def done(self, *entries: Entry) -> None:
        """They rang, or were told: one that repeats goes on to its next occurrence, any other goes.

        Raises StoreUnusable; they are silent even then, until a restart.
        """
        with self._lock:
            known = self._over(entries)
            if stopped := [entry for entry in known if entry.id in self._ringing]:
                self._silenced = stopped, self._clock.monotonic()
            following = {entry.id: self._following(entry) for entry in known}
            self._write(
                change=[each for each in following.values() if each],
                remove=[number for number, each in following.items() if not each],
            )

    def cancel(self, *entries: Entry) -> None:
        """They are gone, with all that they repeat. Raises StoreUnusable, Cancelled; they then stay."""
        with self._lock:
            self._keep(remove=[entry.id for entry in entries])

    def put_back(self, *entries: Entry) -> None:
        """Each is as it was once, be it gone or changed since; one that repeats is due at a time to come.

        Raises StoreUnusable, Cancelled; all of them then stay as they are.
        """
        with self._lock:
            before = [self._to_come(entry) for entry in entries]
            gone = [entry for entry in before if entry.id not in self._entries]
            added = self._keep(gone, [entry for entry in before if entry.id in self._entries])
            new = {old.id: anew.id for old, anew in zip(gone, added, strict=True)}
            self._set_s |= {new[old]: set_s for old, set_s in self._set_s.items() if old in new}

    def skip(self, entry: Entry) -> Entry | None:
        """Leave out its next occurrence; None for one that does not repeat. Raises StoreUnusable, Cancelled."""
        with self._lock:
            due = entry.due.after(self.moment(entry))
            if due is None or entry.id not in self._entries:
                return None
            moved = replace(entry, due=due, since=self._now())
            self._keep(change=[moved])
            return moved

    def can_snooze(self) -> bool:
        """Whether anything rings, or did a moment ago."""
        with self._lock:
            return bool(self._to_snooze())

    def snooze(self, seconds: float) -> int:
        """What rings, or did a moment ago, is silent and rings again in so many seconds; how many there were.

        Raises StoreUnusable, Cancelled; they then go on.
        """
        with self._lock:
            due = Due(self._now() + timedelta(seconds=seconds))
            snoozed = [replace(each, due=due, since=self._now(), said="", of=0) for each in self._to_snooze()]
            snoozed = [replace(each, unsure=not self._clock.trusted) for each in snoozed]
            following = {entry.id: self._following(entry) for entry in self.ringing()}
            change = [each for each in following.values() if each]
            remove = [number for number, each in following.items() if not each]
            added = self._keep(snoozed, change, remove)
            self._set_s |= {each.id: self._clock.monotonic() for each in added}
            self._silenced = [], 0.0
            undoable(lambda: self.cancel(*added))
            return len(snoozed)

    def silence(self) -> int:
        """What rings is done with, and what did a moment ago stays so; how many there are."""
        with self._lock:
            stopped = self._to_snooze()
            self.done(*self.ringing())
            self._silenced = [], 0.0
            return len(stopped)

    def _to_snooze(self) -> list[Entry]:
        stopped, at_s = self._silenced
        return self.ringing() or (stopped if self._clock.monotonic() - at_s < JUST_S else [])

    def _coming(self) -> Iterator[Entry]:
        return (each for each in self._entries.values() if not each.missed_from)

    def _quiet(self) -> list[Entry]:
        return [each for each in self._coming() if each.id not in self._ringing]

    def _over(self, entries: Sequence[Entry]) -> list[Entry]:
        """Those that ring, and those missed of which no more was missed since they were given."""
        known = [(self._entries[entry.id], entry) for entry in entries if entry.id in self._entries]
        return [
            kept for kept, given in known if kept.id in self._ringing or (kept.missed_from and kept.due == given.due)
        ]

    @property
    def _zone(self) -> tzinfo:
        return self._clock.now().tzinfo or UTC

    def _now(self) -> datetime:
        return self._clock.now().astimezone(UTC)

    def _order(self, entry: Entry) -> datetime:
        return _utc(self.moment(entry))

    def _left(self, entry: Entry) -> timedelta | None:
        """Until it is due; None where nobody knows."""
        if self._clock.trusted:
            return self.moment(entry).astimezone(UTC) - self._now()
        if entry.due.at.tzinfo is None or entry.due.rule or entry.id not in self._set_s:
            return None
        passed = timedelta(seconds=self._clock.monotonic() - self._set_s[entry.id])
        return entry.due.at - entry.since - passed

    def _following(self, entry: Entry) -> Entry | None:
        """With its next occurrence once this one is done with; None for one that does not repeat, or was missed."""
        later = max(self.moment(entry), self._clock.now(), key=_utc)
        due = None if entry.missed_from else entry.due.after(later.astimezone(self._zone))
        return replace(entry, due=due, since=self._now()) if due else None

    def _to_come(self, entry: Entry) -> Entry:
        """At its next time, where it repeats and that which it has is over."""
        now = self._clock.now()
        due = entry.due.after(now) if self.moment(entry) <= now else None
        return replace(entry, due=due, since=self._now()) if due else entry

    def _reckon_again(self) -> None:
        """What was set by a clock that was not right, now that the time is known; and what a wrong one passed over."""
        now = self._clock.now()
        unsure = [self._set_right(each) for each in self._quiet() if each.unsure]
        back = [each for each in self._quiet() if not each.unsure and self._now() < each.since - _SET_BACK]
        dues = [(each, each.due.after(now)) for each in back]
        again = [replace(each, due=due, since=self._now()) for each, due in dues if due]
        if unsure or again:
            self._write(change=[*unsure, *again])

    def _set_right(self, entry: Entry) -> Entry:
        """Reckoned from when it was set; where that is not known, from now, for it rings late rather than never."""
        now = self._clock.now()
        set_s = self._set_s.get(entry.id)
        passed = timedelta(seconds=self._clock.monotonic() - set_s) if set_s is not None else timedelta()
        then = (self._now() - passed).astimezone(now.tzinfo)
        if entry.due.at.tzinfo and not entry.due.rule:
            due = Due(then.astimezone(UTC) + (entry.due.at - entry.since))
        else:
            due = self._read_again(entry.said, then) or entry.due
        return replace(entry, due=due, since=self._now(), unsure=False)

    def _miss_old(self) -> None:
        """What was due too long ago to ring now."""
        old = [each for each in self._quiet() if (left := self._left(each)) is not None and left < -self._ring]
        if old:
            until = (self._now() - self._ring).astimezone(self._zone)
            self._miss([(each, each.due.last_until(until)) for each in old], rang=False)

    def _miss(self, entries: Sequence[tuple[Entry, Due]], rang: bool) -> None:
        """Each until the occurrence given with it. What repeats goes on; what was missed is an entry beside it."""
        add, change = list[Entry](), list[Entry]()
        for entry, last in entries:
            gone = replace(entry, due=Due(last.at), missed_from=entry.due.at, of=entry.id, rang=rang)
            following = self._next_of(entry, last, rang)
            if following is None:
                change.append(gone)
                continue
            change.append(following)
            before = next((each for each in self._entries.values() if each.of == entry.id and each.rang == rang), None)
            if before:
                change.append(replace(before, due=gone.due))
            else:
                add.append(gone)
        self._write(add, change)

    def _next_of(self, entry: Entry, last: Due, rang: bool) -> Entry | None:
        if entry.id in self._ringing:
            return self._following(entry)
        due = last.after(last.moment(self._zone))
        return replace(entry, due=due, since=self._now()) if due else None

    def _write(self, add: Sequence[Entry] = (), change: Sequence[Entry] = (), remove: Sequence[int] = ()) -> None:
        """On disk and in memory. Raises StoreUnusable; in memory it is so even then."""
        try:
            self._keep(add, change, remove)
        except StoreUnusable:
            self._unkept -= len(add)
            self._apply([replace(each, id=self._unkept + place) for place, each in enumerate(add)], change, remove)
            raise

    def _keep(self, add: Sequence[Entry] = (), change: Sequence[Entry] = (), remove: Sequence[int] = ()) -> list[Entry]:
        """On disk, then in memory; gives those that were added. Raises StoreUnusable, Cancelled: nothing changed."""
        items = self._store.write([*map(body_of, add)], [Item(each.id, body_of(each)) for each in change], remove)
        added = [replace(each, id=item.id) for each, item in zip(add, items, strict=True)]
        self._apply(added, change, remove)
        return added

    def _apply(self, add: Sequence[Entry], change: Sequence[Entry], remove: Sequence[int]) -> None:
        for number in (*remove, *(each.id for each in change)):
            self._ringing.pop(number, None)
        for number in remove:
            self._entries.pop(number, None)
        self._entries |= {each.id: each for each in (*add, *change)}

    def _kept_in_memory(self, work: Callable[[], None]) -> None:
        """What the disk refuses is so in memory, and found again after a restart."""
        try:
            work()
        except StoreUnusable as error:
            log.warning("what is due is not written: %s", error)


def _utc(moment: datetime) -> datetime:
    """In which moments of one zone can be compared: by its own hands an hour comes twice a year."""
    return moment.astimezone(UTC)
