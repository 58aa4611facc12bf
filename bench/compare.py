"""Has anything become worse since the last row of this machine? `make bench-compare`.

Exit code 1 when a token count or a ratio is more than 15 % worse. Times are never compared: they are the machine's.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import exit_with, results
from bench.machine import CHECKOUT
from bench.results import Row

WORSE = 0.15
"""Share by which a figure may be worse."""
COUNTS = ("prompt", "fresh", "generated")
KINDS = ("fast", "tool", "talk", "memory")
GROWN = ("turns", "facts", "tools")
LOW_IS_GOOD: tuple[tuple[str, ...], ...] = (
    *(("calls", kind, "p50") for kind in KINDS),
    *(("tokens", count, kind, "p50") for count in COUNTS for kind in KINDS),
    *(("fresh_tokens", share) for share in ("p50", "p95")),
    *(("growth", "last", name) for name in GROWN),
    *(("growth", "flat", name) for name in (*GROWN, "utterance_s")),
    ("first_turn", "ratio"),
)
"""`growth.last`: prompt tokens read afresh at the largest point of each."""
HIGH_IS_GOOD: tuple[tuple[str, ...], ...] = (
    ("reuse",),
    ("spoken_reuse",),
    ("reference", "ratio_single_slot"),
    ("reference", "ratio_slot_per_prompt"),
)
ALIKE = ("machine", "models", "profile")
"""Keys in which two rows must agree to be compared."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.compare", description=__doc__)
    parser.add_argument("--model", metavar="NAME", default="", help="rows of a model that is not the board's own")
    options = parser.parse_args(argv)
    if not (paths := results.paths(options.model)):
        print("no row of this machine: run make bench")
        return 0
    row, earlier = json.loads(paths[-1].read_text()), before(paths[-1])
    print(told(row, earlier))
    return 1 if earlier and alike(row, earlier) and any(regressions(row, earlier)) else 0


def before(path: Path) -> Row | None:
    """The row that was committed in its place, if it is another one; else the last of an earlier day."""
    row: Row = json.loads(path.read_text())
    committed = _committed(path)
    if committed and committed != row:
        return committed
    earlier = [each for each in path.parent.glob(f"*-{_of(path)}") if each.name < path.name]
    found: Row | None = json.loads(max(earlier).read_text()) if earlier else None
    return found


def alike(row: Row, earlier: Row) -> bool:
    return all(row.get(key) == earlier.get(key) for key in ALIKE)


def regressions(row: Row, earlier: Row) -> Iterator[str]:
    """A line for each figure that is worse by more than `WORSE`. What one of the rows lacks is passed over."""
    for path, now, then in _pairs(row, earlier, LOW_IS_GOOD):
        if now > then * (1 + WORSE):
            yield _line(path, then, now)
    for path, now, then in _pairs(row, earlier, HIGH_IS_GOOD):
        if now < then * (1 - WORSE):
            yield _line(path, then, now)


def told(row: Row, earlier: Row | None) -> str:
    """The verdict, for a person."""
    if earlier is None:
        return "no earlier row of this machine"
    title = f"{row['date']}, commit {row['commit']}, against {earlier['date']}, commit {earlier['commit']}"
    if not alike(row, earlier):
        return f"{title}: not compared, the models or the profile are others"
    every = (*LOW_IS_GOOD, *HIGH_IS_GOOD)
    known = sum(1 for _ in _pairs(row, earlier, every))
    found = list(regressions(row, earlier))
    return "\n".join([f"{title}: {known} of {len(every)} figures in both, {len(found)} worse by over 15 %", *found])


def _pairs(row: Row, earlier: Row, paths: Sequence[Sequence[str]]) -> Iterator[tuple[str, float, float]]:
    for path in paths:
        now, then = results.value(row, path), results.value(earlier, path)
        if now is not None and then is not None:
            yield ".".join(path), now, then


def _line(name: str, then: float, now: float) -> str:
    change = f"{now / then - 1:+.0%}" if then else "from nothing"
    return f"  worse: {name:36}{then:9g} -> {now:g}  ({change})"


def _of(path: Path) -> str:
    """Machine and kind in a row's name, behind its date."""
    return path.name[len("2026-11-22-") :]


def _committed(path: Path) -> Row | None:
    if not path.is_relative_to(CHECKOUT):
        return None
    name = f"HEAD:{path.relative_to(CHECKOUT).as_posix()}"
    try:
        done = subprocess.run(["git", "show", name], capture_output=True, text=True, check=False, cwd=CHECKOUT)
    except OSError:
        return None
    found: Row | None = json.loads(done.stdout) if done.returncode == 0 else None
    return found


if __name__ == "__main__":
    exit_with(main)
