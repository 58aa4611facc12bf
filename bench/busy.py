"""`python -m bench.busy`: how long a turn with the model takes beside processes that keep cores busy.

The same lines are asked on a quiet machine and beside as many endless loops as `--loops` says, each in a session of its
own, as another service would be. Prints both medians and their ratio; exit code 1 where it is above LIMIT.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from appliance import build
from appliance.terminal.chat import Console
from bench import command, consoles, exit_with, results

KIND = "busy"
LIMIT = 2.5
"""How much longer a turn may take with one of two cores busy (issue 41 of the project)."""
LINES = (
    "if I put the bread in now and it needs fifty minutes, let me know when to take it out",
    "could you work out for me what I owe each of seven people out of four hundred and thirteen",
    "the shed key hangs behind the blue door, keep that in mind",
    "how many pints would fit in a bucket that says nine litres",
    "I am off to fetch the washing, tell me when twelve minutes are over",
    "what would be a nice name for a grey kitten",
)
"""None is a sentence that needs no model."""


@contextmanager
def busy(loops: int) -> Iterator[None]:
    loop = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(loop, start_new_session=True) for _ in range(loops)]
    try:
        yield
    finally:
        for each in processes:
            each.kill()
            each.wait()


def turns(console: Console, rounds: int) -> list[float]:
    """Seconds of each turn."""
    seconds = list[float]()
    for line in LINES * rounds:
        console.new_conversation()
        record = consoles.ask(console, line).record
        seconds.append((record.ms.total or 0) / 1_000)
        print(f"{seconds[-1]:6.2f} s  {line} -> {record.said}", file=sys.stderr, flush=True)
    return seconds


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.busy", description=__doc__)
    parser.add_argument("--loops", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--model")
    parser.add_argument("--write", action="store_true", help="keep the row in bench/results")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="busy-") as folder:
        chosen = command.settings_of(Path(folder), model=options.model)
        with build.parts(chosen, build.clock(chosen)) as parts:
            turns(parts.console, 1)  # what the first turns read is kept for the others
            quiet = turns(parts.console, options.rounds)
            with busy(options.loops):
                beside = turns(parts.console, options.rounds)
    medians = [statistics.median(each) for each in (quiet, beside)]
    ratio = round(medians[1] / medians[0], 2)
    found = {"loops": options.loops, "ratio": ratio}
    found |= {"quiet_s": results.spread(quiet), "beside_s": results.spread(beside)}
    print(json.dumps(found))
    if options.write:
        print(results.save(results.new(chosen) | found, KIND))
    return int(ratio > LIMIT)


if __name__ == "__main__":
    exit_with(main)
