"""A day of a household in two hours, with faults: `make soak`.

The real service (bench/box.py) with its store, timers, voice and model process; lines are typed into its ears, and its
clock runs 12 times as fast. What must hold at the end is `passes` of the row: nothing that was acknowledged is lost, no
memory, thread or descriptor leaks, and turns are no slower than at first. Exit code 1 where it does not.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import partial
from pathlib import Path

from appliance import settings_file
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers
from bench import exit_with, results
from bench.box import ANSWER_S, Box, News
from bench.faults import Faults, Place
from bench.leaks import Sample, growth, sample
from bench.ledger import ENDED, Ledger, Wish
from bench.lines import Load, Said
from bench.results import Row

MINUTES = 120.0
SPEED = 12.0
"""Of the box's clock: 24 hours in two."""
TURNS_A_MINUTE = 2_000 / 120
MIX = {"short": 6, "long": 1, "fact": 2, "cancel": 1, "adjust": 1, "ask": 3, "talk": 4}
"""A fact is two lines, so a round is 20; the language model answers a fifth of them."""
SHORT_MINUTES = (2, 40)
DATABASE = "appliance.db"
FAULT_S, SHORT_FAULT_S = (60.0, 180.0), (20.0, 60.0)
"""Least and most from the end of one fault to the beginning of the next; the latter in a run of less than an hour."""
SAMPLE_S, PROGRESS_S, LOOK_S = 10.0, 30.0, 0.5
WARM_S = 600.0
"""In which memory, threads and descriptors are still coming; in a short run a third of it."""
PRESSES = 0.7
"""Share of the rings that somebody stops by the button; the next line stops the others."""
PRESS_S = (1.0, 4.0)
"""Least and most from the ring until that."""
OVERDUE_S = 60.0
"""So late a timer rings at most: somebody may be talking, or the box may be starting its model."""
RECOVER_S, WELL_S = 10.0, 300.0
"""Between two looks at whether the box is well again, and longest: it goes back to its card after a minute, then less
often."""
MOST_MB_PER_H, MOST_SLOWER = 1.0, 1.1
JUDGED_MINUTES = 60.0
"""Of a shorter run no slope of memory and no turn time says anything."""
VERDICTS = {True: "passes", False: "FAILS", None: "not judged"}


class Course:
    """When which part of a run is, in monotonic seconds."""

    def __init__(self, minutes: float) -> None:
        self.began_s, self.seconds, self.turns = time.monotonic(), minutes * 60, round(minutes * TURNS_A_MINUTE)
        self.warm_s = self.began_s + min(WARM_S, self.seconds / 3)

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.began_s + self.seconds

    def is_time(self, number: int) -> bool:
        """For the turn of that number, from 0."""
        return time.monotonic() >= self.began_s + number * self.seconds / self.turns

    def quarter(self) -> int:
        """0 to 3."""
        return min(3, int((time.monotonic() - self.began_s) / self.seconds * 4))


class Soak:
    """One run: the box is started when this is made, and ended by `run`."""

    def __init__(self, folder: Path, config: Path, rng: random.Random) -> None:
        """folder: for the state and the log."""
        self._state, self._rng, self.ledger = folder / "state", rng, Ledger()
        self._load = Load(rng, self.ledger, MIX, [f"{each} minutes" for each in range(*SHORT_MINUTES)])
        self._due_s, self._presses_s = dict[str, float](), list[float]()
        self._samples, self._outcomes = list[Sample](), Counter[str]()
        self._turn_ms: tuple[list[float], ...] = ([], [], [], [])
        """Of the undisturbed ones, by the quarter of the run."""
        self._box = Box(self._state, config, self._take, ["--speed", str(SPEED), "--own-voice"])

    def run(self, minutes: float) -> Row:
        """The figures."""
        with self._box:
            self._box.ready()
            self._course, self._asked_s = Course(minutes), 0.0
            self._sample_s = self._progress_s = self._course.began_s
            pause_s = FAULT_S if minutes >= JUDGED_MINUTES else SHORT_FAULT_S
            self._faults = Faults(Place(self._box, self._state / DATABASE, self._rng), pause_s)
            self._take_turns()
            self._faults.stop()
            ends: Row = {"trouble": self._recover(), "overdue": self._overdue(), "exit_code": self._box.end()}
        with Store(self._state / DATABASE, readonly=True) as store:
            facts = [fact.text for fact in SqliteMemory(store).facts()]
            self.ledger.compare([*facts, *(timer.label for timer in SqliteTimers(store).all())])
        for what in self.ledger.lost:
            print(f"lost: {what}. It holds: {', '.join(get_close_matches(what, facts)) or 'nothing like it'}")
        return self._row() | self.ledger.row() | ends

    def _take_turns(self) -> None:
        for number, said in enumerate(self._lines()):
            self._until(partial(self._course.is_time, number), ANSWER_S)
            if number == self._course.turns or self._course.is_over:
                return
            self._turn(*said)

    def _overdue(self) -> list[str]:
        """Timers that should have rung long ago."""
        now_s = time.monotonic()
        return [name for name in self.ledger.running("set") if self._due_s[name] + OVERDUE_S < now_s]

    def _lines(self) -> Iterator[Said]:
        while True:
            yield from self._load.next()

    def _turn(self, line: str, wish: Wish | None) -> None:
        """Without an answer in time it counts as `unanswered`."""
        self._asked_s = time.monotonic()
        if wish:
            self.ledger.ask(wish)
            before_s = self._due_s.get(wish.what, self._asked_s)
            self._due_s[wish.what] = before_s + wish.seconds / SPEED
        self._box.order(say=line)
        taken = self._outcomes.total()
        if not self._until(lambda: self._outcomes.total() > taken, ANSWER_S):
            self._outcomes["unanswered"] += 1

    def _until(self, true: Callable[[], bool], within_s: float) -> bool:
        """Whether it came true; meanwhile all goes on."""
        ends_s = time.monotonic() + within_s
        while not true() and time.monotonic() < ends_s:
            self._box.next(LOOK_S)
            self._go_on()
        return true()

    def _go_on(self) -> None:
        """What is due now, beside the turns."""
        now_s = time.monotonic()
        if not self._course.is_over:
            self._faults.look()
        if self._presses_s and now_s >= self._presses_s[0]:
            self._presses_s.clear()
            self._box.order(press=True)
        if now_s >= self._sample_s and not self._course.is_over:
            self._sample_s = now_s + SAMPLE_S
            self._samples += [sample(self._box.process.pid)]
        if now_s >= self._progress_s:
            self._progress_s = now_s + PROGRESS_S
            print(self._told(), file=sys.stderr, flush=True)

    def _take(self, news: News) -> None:
        if news.kind == "voiced":
            self.ledger.hear(news.value)
            if ENDED.search(news.value) and self._rng.random() < PRESSES:
                self._presses_s.append(news.at_s + self._rng.uniform(*PRESS_S))
        elif news.kind == "record":
            self.ledger.answered()
            disturbed = self._faults.disturbed_until_s > self._asked_s
            outcome = news.value["outcome"]
            self._outcomes[f"{outcome}, disturbed" if disturbed else outcome] += 1
            if not disturbed and outcome in ("said", "asked"):
                self._turn_ms[self._course.quarter()].append(news.value["ms"]["total"])

    def _recover(self) -> str:
        """What is still wrong with the box some time after the last fault; empty when all is well."""
        trouble, ends_s = "not looked at", time.monotonic() + WELL_S
        while trouble and time.monotonic() < ends_s:
            self._box.listen(RECOVER_S)
            held = self._box.held()
            self.ledger.compare(held["things"])
            trouble = str(held["trouble"])
        return trouble

    def _row(self) -> Row:
        warm = [each for each in self._samples if each.at_s >= self._course.warm_s]
        quarters = [results.spread(times) for times in self._turn_ms]
        return {
            "turns": self._outcomes.total(),
            "outcomes": dict(sorted(self._outcomes.items())),
            "faults": dict(sorted(self._faults.counts.items())),
            "turn_ms": quarters,
            "growth": growth(warm),
        }

    def _told(self) -> str:
        turns, last = self._outcomes.total(), self._samples[-1]
        minutes = (time.monotonic() - self._course.began_s) / 60
        return (
            f"{minutes:.1f} min, {turns} turns, {self._faults.counts.total()} faults, {self.ledger.told()}, "
            f"{last.memory_mb:.0f} MB, {last.threads} threads, {last.descriptors} descriptors"
        )


def passes(row: Row) -> dict[str, bool | None]:
    """What must hold, and whether it does; None where the run is too short to say, or nothing was measured."""
    grown, first, last = row["growth"], row["turn_ms"][0]["p95"], row["turn_ms"][-1]["p95"]
    long = row["minutes"] >= JUDGED_MINUTES
    return {
        "nothing lost": not (row["lost"] or row["twice"] or row["overdue"]),
        "memory": grown["mb_per_h"] <= MOST_MB_PER_H if long else None,
        "threads": grown["threads"][1] <= grown["threads"][0],
        "descriptors": grown["descriptors"][1] <= grown["descriptors"][0],
        "turn time": last <= first * MOST_SLOWER if long and first and last else None,
        "well at the end": not row["trouble"] and row["exit_code"] == 0,
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--config", type=Path, metavar="FILE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = Path(name)
        config = options.config or folder / "config.toml"
        config.touch()
        settings = settings_file.load(config, None, folder / "state")
        told = {"seed": options.seed, "minutes": options.minutes, "hours_of_its_clock": options.minutes * SPEED / 60}
        row = results.new(settings) | told
        row |= Soak(folder, config, random.Random(options.seed)).run(options.minutes)
    row["passes"] = passes(row)
    print(results.kept(row, "soak"))
    print("\n".join(f"{VERDICTS[good]:<10} {what}" for what, good in row["passes"].items()))
    return 1 if False in row["passes"].values() else 0


if __name__ == "__main__":
    exit_with(main)
