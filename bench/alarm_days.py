"""Many days of alarms over clock changes, power cuts, jumps and a clock that nobody trusts; each is to ring once.

    python -m bench.alarm_days --days 10000 --seed 1

What is due when is counted here by itself, minute by minute on the clocks of the zone, and held against what rang and
what was told as missed. Ends with the first occurrence that rang twice, late, at another time, or not at all.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo

from appliance.simulated import HandSetClock, MemoryItems
from appliance.skills.due import Due
from appliance.skills.entries import Entry
from appliance.skills.schedule import Schedule

RING_S = 120.0
LOOK_S = 0.5
"""The loop looks at what is due at least so often (service/loop.py)."""
BEGIN = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "Pacific/Apia")
QUIET_MONTHS = (1, 2, 6, 7, 8, 12)
"""No clocks change in these: only then does the box move to another zone."""
MOST = 12
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_ROUNDED = timedelta(milliseconds=1)
Stamp = datetime
"""Without a zone what the clocks show, with one a moment."""


class Broken(AssertionError):
    """An occurrence that did not ring once and was not told once."""


@dataclass
class Wanted:
    """One alarm as this file counts it."""

    repeats: bool
    pending: list[Stamp] = field(default_factory=list)
    at: time = time()
    weekdays: tuple[int, ...] = ()
    known_until: date = date.min
    unsure: bool = False
    """Set by a clock that was not trusted, as "the next time it is so late"; counted once the time is known."""
    set_at: datetime | None = None
    """The right time at which that was, if the box was on since then."""
    length: timedelta | None = None
    """Of one that was set as a length from then."""
    rung: Stamp | None = None
    """Rings now."""


@lru_cache(10_000)
def moment(stamp: Stamp, zone: ZoneInfo) -> datetime:
    """The first minute at which the clocks show it, or more where they skip it; in UTC."""
    if stamp.tzinfo:
        return stamp.astimezone(UTC)
    at = (stamp.replace(tzinfo=UTC) - timedelta(hours=15)).replace(second=0)
    step = timedelta(hours=1)
    while step:
        while (at + step).astimezone(zone).replace(tzinfo=None) < stamp:
            at += step
        step = timedelta(minutes=1) if step == timedelta(hours=1) else timedelta()
    return at + timedelta(minutes=1)


class World:
    """Somebody's alarms and the box, event by event."""

    def __init__(self, seed: int) -> None:
        self.random, self.zone = random.Random(seed), ZoneInfo(ZONES[0])
        self.clock, self.disk = HandSetClock(BEGIN.astimezone(self.zone)), MemoryItems()
        self.wrong = timedelta()
        """By how much the clock is wrong while nobody trusts it."""
        self.wanted: dict[str, Wanted] = {}
        self.count = 0
        self.seen = {"rang": 0, "told": 0, "rang in vain": 0, "snoozed": 0, "untrusted": 0, "cuts": 0}
        self.jumped = True
        """Since the last look time did not pass as it does: what is due then may ring late."""
        self.start()

    # ---- What is true ----

    def now(self) -> datetime:
        """The right time, in UTC."""
        return self.clock.now().astimezone(UTC) - self.wrong

    def live(self, days: int) -> None:
        until = BEGIN + timedelta(days=days)
        while self.now() < until:
            self.wait(self.random.expovariate(1 / 14_400))
            self.random.choices(
                (self.set_one, self.set_one_that_repeats, self.set_length, self.cancel, self.skip, self.cut, self.step,
                 self.set_forward, self.move),
                weights=(5, 2, 2, 2, 1, 2, 1, 1, 1),
            )[0]()  # fmt: skip
        self.settle()

    def start(self) -> None:
        self.schedule = Schedule(self.disk, self.clock, RING_S, self.read_again)
        self.look()

    def wait(self, seconds: float) -> None:
        """The box is on, and looks when something is due."""
        end = self.clock.monotonic() + seconds
        while (left := end - self.clock.monotonic()) > 0:
            next_s = self.schedule.next_due_in()
            self.clock.pass_time(min(left, LOOK_S if next_s == 0 else next_s or left) + 0.001)
            self.look()

    def cut(self) -> None:
        """The power goes, for a while; the clock may then be behind until a time server is asked."""
        self.seen["cuts"] += 1
        off_s = self.random.choice((5.0, 40.0, 300.0, 7_200.0, 90_000.0)) * self.random.random()
        self.clock.pass_time(off_s)
        self.jumped = True
        for wanted in self.wanted.values():
            wanted.rung = None
            wanted.set_at = None
        if self.random.random() < 0.5:
            self.run_untrusted(off_s)
        else:
            self.know_the_time()
            self.start()

    def run_untrusted(self, off_s: float) -> None:
        self.seen["untrusted"] += 1
        right = self.now()
        self.wrong = timedelta(seconds=-off_s - self.random.choice((0.0, 0.0, 86_400 * 30)))
        self.clock.set((right + self.wrong).astimezone(self.zone))
        self.clock.trusted = False
        self.start()
        self.wait(self.random.expovariate(1 / 3_600))
        for act in self.random.choices((self.set_one, self.set_length), k=self.random.randrange(3)):
            act()
        self.wait(self.random.expovariate(1 / 3_600))
        self.know_the_time()
        self.look()

    def know_the_time(self) -> None:
        right = self.now().astimezone(self.zone)
        self.clock.trusted, self.wrong, self.jumped = True, timedelta(), True
        self.clock.set(right)
        for wanted in self.wanted.values():
            if wanted.unsure:
                set_at = wanted.set_at or self.now()
                again = self.next_so_late(wanted.at, set_at) if wanted.length is None else set_at + wanted.length
                wanted.pending = [again] if wanted.length is None or not wanted.set_at else wanted.pending
                wanted.unsure = False

    def step(self) -> None:
        """A time server mends the clock by less than a minute, in either direction."""
        self.clock.set(self.clock.now() + timedelta(seconds=self.random.uniform(-50, 50)))
        self.jumped = True
        self.look()
        self.wait(600)

    def set_forward(self) -> None:
        """Somebody sets a clock that was behind."""
        self.clock.set(self.clock.now() + timedelta(hours=self.random.uniform(0, 5)))
        self.jumped = True
        self.look()

    def move(self) -> None:
        """To another zone."""
        if self.clock.now().month in QUIET_MONTHS and not any(wanted.rung for wanted in self.wanted.values()):
            self.zone = ZoneInfo(self.random.choice(ZONES))
            self.clock.set(self.clock.now().astimezone(self.zone))
            self.jumped = True
            self.look()

    # ---- What is wanted ----

    def read_again(self, said: str, then: datetime) -> Due | None:
        return Due(self.next_so_late(time.fromisoformat(said), then))

    def next_so_late(self, at: time, then: datetime) -> Stamp:
        shown = then.astimezone(self.zone).replace(tzinfo=None, second=0, microsecond=0)
        stamp = datetime.combine(shown.date(), at)
        while moment(stamp, self.zone) <= then.astimezone(UTC):
            stamp += timedelta(days=1)
        return stamp

    def new(self, repeats: bool) -> tuple[str, Wanted] | None:
        if len(self.wanted) >= MOST:
            return None
        self.count += 1
        at = time(self.random.randrange(24), self.random.randrange(60))
        wanted = self.wanted[f"a{self.count}"] = Wanted(repeats, at=at, unsure=not self.clock.trusted)
        wanted.set_at = self.now() if wanted.unsure else None
        return f"a{self.count}", wanted

    def set_one(self) -> None:
        if made := self.new(repeats=False):
            name, wanted = made
            stamp = self.next_so_late(wanted.at, self.clock.now())
            if self.clock.trusted:
                wanted.pending = [stamp]
            self.schedule.add(name, Due(stamp), said=wanted.at.isoformat())

    def set_length(self) -> None:
        if made := self.new(repeats=False):
            name, wanted = made
            length = timedelta(seconds=self.random.expovariate(1 / 7_200) + 1)
            wanted.length, wanted.pending = length, [self.now() + length]
            self.schedule.add(name, Due(self.clock.now().astimezone(UTC) + length), said="a length")

    def set_one_that_repeats(self) -> None:
        if made := self.new(repeats=True):
            name, wanted = made
            wanted.weekdays = tuple(sorted(self.random.sample(range(7), self.random.randint(1, 7))))
            wanted.known_until = self.clock.now().date() - timedelta(days=1)
            self.extend(wanted)
            wanted.pending = [each for each in wanted.pending if moment(each, self.zone) > self.now()]
            days = ",".join(DAYS[day] for day in wanted.weekdays)
            rule = f"FREQ=WEEKLY;BYDAY={days};BYHOUR={wanted.at.hour};BYMINUTE={wanted.at.minute}"
            self.schedule.add(name, Due(wanted.pending[0], rule, wanted.pending[0]))

    def extend(self, wanted: Wanted) -> None:
        """With its occurrences of the next weeks."""
        while wanted.repeats and wanted.known_until < self.now().date() + timedelta(days=60):
            wanted.known_until += timedelta(days=1)
            if wanted.known_until.weekday() in wanted.weekdays:
                wanted.pending.append(datetime.combine(wanted.known_until, wanted.at))

    def cancel(self) -> None:
        if entry := self.chosen():
            self.schedule.cancel(entry)
            del self.wanted[entry.text]

    def skip(self) -> None:
        entry = self.chosen()
        if entry and self.schedule.skip(entry):
            wanted = self.wanted[entry.text]
            wanted.pending.pop(0)
            self.extend(wanted)

    def chosen(self) -> Entry | None:
        """One that neither rings nor was snoozed."""
        known = [entry for entry in self.schedule.all() if not self.wanted[entry.text].rung]
        several = [entry.text for entry in known]
        known = [entry for entry in known if several.count(entry.text) == 1]
        return self.random.choice(known) if known else None

    # ---- What the box does ----

    def look(self) -> None:
        """As the loop does, with somebody there or not."""
        for wanted in self.wanted.values():
            self.extend(wanted)
        due = self.schedule.due()
        for entry in self.schedule.missed():
            self.told(entry)
            self.schedule.done(entry)
        for entry in due:
            self.rings(entry)
        self.check_nothing_is_late()
        self.jumped = False
        if due:
            self.after_ringing(due)

    def rings(self, entry: Entry) -> None:
        wanted = self.wanted[entry.text]
        late = {stamp: (self.now() - moment(stamp, self.zone)).total_seconds() for stamp in wanted.pending}
        longest = RING_S if self.jumped else 1.0
        rung = [stamp for stamp, late_s in late.items() if -0.01 <= late_s <= longest]
        if len(rung) != 1 or wanted.rung:
            raise Broken(f"{entry} rang at {self.now()}, {wanted}")
        wanted.rung = rung[0]

    def after_ringing(self, due: list[Entry]) -> None:
        how = self.random.choice(("stopped", "stopped", "in vain", "snoozed", "cut", "later"))
        if how == "cut":
            self.cut()
            return
        if how == "later":
            self.clock.pass_time(self.random.uniform(1, RING_S - 1))
            self.jumped = True
        self.end_ringing(due, how)
        self.look()

    def end_ringing(self, due: list[Entry], how: Literal["stopped", "in vain", "snoozed", "later"] | str) -> None:
        if how == "in vain":
            self.schedule.miss(*due, rang=True)
            self.seen["rang in vain"] += len(due)
            for entry in due:
                self.wanted[entry.text].rung = None
            return
        if how == "snoozed":
            self.schedule.snooze(540)
            self.seen["snoozed"] += len(due)
        else:
            self.schedule.done(*due)
        for entry in due:
            wanted = self.wanted[entry.text]
            assert wanted.rung
            wanted.pending.remove(wanted.rung)
            wanted.rung = None
            self.seen["rang"] += 1
            if how == "snoozed":
                wanted.pending.append(self.now() + timedelta(seconds=540))
            if how == "snoozed" and not wanted.repeats:
                wanted.length, wanted.unsure = timedelta(seconds=540), not self.clock.trusted
                wanted.set_at = self.now() if wanted.unsure else None
            self.drop_when_over(entry.text)

    def told(self, entry: Entry) -> None:
        """That it was missed."""
        wanted = self.wanted[entry.text]
        assert entry.missed_from
        first, last = moment(entry.missed_from, self.zone), moment(entry.due.at, self.zone)
        repeats = entry.of != entry.id and wanted.repeats
        gone = [
            each
            for each in wanted.pending
            if first <= moment(each, self.zone) + _ROUNDED and moment(each, self.zone) <= last + _ROUNDED
        ]
        gone = [each for each in gone if (each.tzinfo is None) == repeats] if wanted.repeats else gone
        gone = list(wanted.pending) if entry.unsure else gone  # its time is by a clock that was wrong
        if not gone or (last > self.now() and not entry.unsure):
            raise Broken(f"{entry} was told at {self.now()}, {wanted}")
        self.seen["told"] += len(gone)
        wanted.pending = [each for each in wanted.pending if each not in gone]
        self.drop_when_over(entry.text)

    def drop_when_over(self, name: str) -> None:
        if not self.wanted[name].repeats and not self.wanted[name].pending:
            del self.wanted[name]

    def check_nothing_is_late(self) -> None:
        for name, stamp in self.all_pending():
            late_s = (self.now() - moment(stamp, self.zone)).total_seconds()
            waits = not (self.clock.trusted or self.wanted[name].unsure)
            if late_s > 1 and not waits and self.wanted[name].rung != stamp:
                raise Broken(f"{name} of {stamp} did not ring until {self.now()}: {self.wanted[name]}")

    def all_pending(self) -> Iterator[tuple[str, Stamp]]:
        for name, wanted in self.wanted.items():
            if not wanted.unsure or (wanted.length and wanted.set_at):
                near = wanted.pending if len(wanted.pending) < 3 else [wanted.pending[0], wanted.pending[-1]]
                yield from ((name, stamp) for stamp in near)

    def settle(self) -> None:
        """A last look; the disk holds no more than is wanted."""
        self.look()
        known = {entry.text for entry in self.schedule.all()}
        if known != self.wanted.keys():
            raise Broken(f"kept {known}, wanted {set(self.wanted)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    world = World(given.seed)
    world.live(given.days)
    print(f"{given.days} days, {world.count} alarms: {world.seen}")


if __name__ == "__main__":
    main()
