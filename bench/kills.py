"""Kill the whole service, over and over, in the middle of what it does: `make kills`.

The real process, store, timers and turns (bench/box.py), with no model on board. Each time it is killed by SIGKILL a
moment after it acknowledged some lines, or while it starts; after the next start all that was acknowledged must be
there, once. What a kill cannot show is what the kernel still holds: power cuts are in tests/machine. Exit code 1 where
something was lost or is there twice.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from bench import exit_with, results
from bench.box import ANSWER_S, PROCESS, Box, News
from bench.ledger import Ledger, Wish
from bench.lines import Load, Said
from bench.results import Row

TIMES = 500
TURNS = (1, 6)
"""Least and most lines that are answered before a kill."""
AFTER_S = 0.08
"""Longest, after the next line is typed, until the kill. A turn takes 10 to 40 ms (2 EPYC cores)."""
EARLY, EARLY_S = 0.1, 2.0
"""Share of the kills that come while it starts, and how soon."""
FRAME_S = 0.004
"""Of the microphone: a turn waits for two of its frames."""
PROGRESS_S = 30.0
MIX = {"long": 3, "short": 1, "fact": 2, "cancel": 2, "adjust": 1, "ask": 1}


class Kills:
    def __init__(
        self,
        folder: Path,
        rng: random.Random,
        command: Sequence[str] = PROCESS,
        mix: Mapping[str, int] = MIX,
        turns: tuple[int, int] = TURNS,
    ) -> None:
        """folder: for the state, the settings and the log. command: see Box. mix: see Load. turns: see TURNS."""
        self._state, self._config, self._command = folder / "state", folder / "config.toml", command
        (folder / "models").mkdir()
        self._config.write_text(f'models = "{folder / "models"}"\n')
        self.ledger, self.ready_s = Ledger(), list[float]()
        self._rng, self._turns, self._load = rng, turns, Load(rng, self.ledger, mix, ["2 seconds"])
        self._killed_s = time.monotonic()

    def run(self, times: int, tell: Callable[[str], None]) -> Row:
        """The figures of so many kills, or of those until Ctrl-C, and of the start after the last.

        tell: progress, now and then.
        """
        next_s, done = time.monotonic() + PROGRESS_S, 0
        with suppress(KeyboardInterrupt):
            while done < times:
                self._once()
                done += 1
                if time.monotonic() >= next_s:
                    next_s = time.monotonic() + PROGRESS_S
                    tell(f"{done} of {times} kills, {self.ledger.told()}")
        with self._started() as box:
            self._look(box)
        ready = {name: each and round(each, 2) for name, each in results.spread(self.ready_s).items()}
        return {"kills": done, "ready_s": ready} | self.ledger.row()

    def _once(self) -> None:
        """One life of the box."""
        with self._started() as box:
            if self._rng.random() < EARLY:
                box.listen(self._rng.uniform(0, EARLY_S))
            else:
                self._use(box)
            self._killed_s = time.monotonic()

    def _use(self, box: Box) -> None:
        """Up to the middle of a turn."""
        self._look(box)
        for _ in range(self._rng.randint(*self._turns)):
            self._say(box, self._load.next())
        box.order(press=True)  # whatever rings
        *before, last = self._load.next()
        self._say(box, before)
        self._type(box, *last)
        box.listen(self._rng.uniform(0, AFTER_S))

    def _started(self) -> Box:
        return Box(self._state, self._config, self._take, ["--frame-s", str(FRAME_S)], self._command)

    def _look(self, box: Box) -> None:
        """Wait until it is ready, and compare what it holds with what it said."""
        self.ready_s.append(box.ready().at_s - self._killed_s)
        self.ledger.compare(box.held()["things"])

    def _say(self, box: Box, said: Sequence[Said]) -> None:
        for line, wish in said:
            self._type(box, line, wish)
            if not box.until("record", ANSWER_S):
                raise TimeoutError(f"no answer to: {line}; see {self._state.with_suffix('.log')}")

    def _type(self, box: Box, line: str, wish: Wish | None) -> None:
        if wish:
            self.ledger.ask(wish)
        box.order(say=line)

    def _take(self, news: News) -> None:
        if news.kind == "voiced":
            self.ledger.hear(news.value)
        elif news.kind == "record":
            self.ledger.answered()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.kills", description=__doc__)
    parser.add_argument("--times", type=int, default=TIMES)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        kills = Kills(Path(folder), random.Random(options.seed))
        row = results.head() | {"seed": options.seed} | kills.run(options.times, tell)
    print(results.kept(row, "kills"))
    print(
        f"{row['kills']} kills: {row['acknowledged']}, lost {row['lost']}, twice {row['twice']}, ready {row['ready_s']}"
    )
    return 1 if row["lost"] or row["twice"] else 0


def tell(progress: str) -> None:
    print(progress, file=sys.stderr, flush=True)


if __name__ == "__main__":
    exit_with(main)
