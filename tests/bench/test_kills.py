"""The rig of `make kills` with three kills: a box that keeps what it says passes, one that does not is found out."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from bench.box import PROCESS
from bench.kills import MIX, TURNS, Kills
from bench.ledger import Ledger, Wish
from bench.results import Row

TIMES = 3
SEED = 1
"""With it none of the three kills comes before a line was typed."""
ACKNOWLEDGED_FIRST = """
from datetime import datetime
from itertools import count
from threading import Timer as Later

from appliance.memory.timers import SqliteTimers
from appliance.ports import Timer
from bench import box_process

add, ids = SqliteTimers.add, count(1_000_000)


def too_soon(self, *given):
    late = Later(60, add, [self, *given])
    late.daemon = True
    late.start()
    return Timer(next(ids), *given)


SqliteTimers.add = too_soon
box_process.main()
"""
NEVER_CANCELLED = """
from appliance.memory.timers import SqliteTimers
from bench import box_process

SqliteTimers.remove = lambda self, *ids: None
box_process.main()
"""


SET_AND_CANCEL, MANY_TURNS = {"long": 1, "cancel": 1}, (10, 10)
"""Enough that the first life of the box cancels something, however long its turns take."""


def killed(
    folder: Path, command: Sequence[str] = PROCESS, mix: Mapping[str, int] = MIX, turns: tuple[int, int] = TURNS
) -> Row:
    return Kills(folder, random.Random(SEED), command, mix, turns).run(TIMES, print)


def broken(folder: Path, program: str, mix: Mapping[str, int] = MIX, turns: tuple[int, int] = TURNS) -> Row:
    file = folder / "broken.py"
    file.write_text(program)
    return killed(folder, [sys.executable, str(file)], mix, turns)


def test_a_box_that_keeps_what_it_acknowledged_passes(tmp_path: Path) -> None:
    row = killed(tmp_path)
    assert row["acknowledged"]["set"] >= TIMES
    assert (row["lost"], row["twice"]) == ([], [])
    assert row["ready_s"]["n"] == TIMES + 1


def test_a_box_that_acknowledges_before_it_writes_is_found_out(tmp_path: Path) -> None:
    assert broken(tmp_path, ACKNOWLEDGED_FIRST)["lost"]


def test_a_box_that_forgets_what_it_cancelled_is_found_out(tmp_path: Path) -> None:
    assert broken(tmp_path, NEVER_CANCELLED, SET_AND_CANCEL, MANY_TURNS)["twice"]


@pytest.mark.parametrize(
    ("words", "held", "lost", "twice"),
    [
        ("Red fig timer set for 3 hours.", ["red fig"], [], []),
        ("Red fig timer set for 3 hours.", [], ["red fig"], []),
        ("Red fig timer set for 3 hours.", ["red fig", "red fig"], [], ["red fig"]),
        ("", [], [], []),
        ("", ["red fig"], [], []),
        ("", ["red fig", "red fig"], [], ["red fig"]),
    ],
    ids=["kept", "lost", "doubled", "cut off, not done", "cut off, done", "cut off, done twice"],
)
def test_ledger_compares_what_was_acknowledged(words: str, held: list[str], lost: list[str], twice: list[str]) -> None:
    ledger = Ledger()
    ledger.ask(Wish("set", "red fig", "red fig timer set for"))
    ledger.hear(words)
    ledger.compare(held)
    assert (ledger.lost, ledger.twice) == (lost, twice)


def test_ledger_knows_a_timer_that_rang_from_one_that_is_lost() -> None:
    ledger = Ledger()
    ledger.ask(Wish("set", "red fig", "red fig timer set for"))
    ledger.hear("Red fig timer set for 2 seconds.")
    ledger.hear("Your red fig timer is done.")
    ledger.compare([])
    assert ledger.lost == []


def test_ledger_takes_what_has_time_left_for_running_beside_one_that_ended() -> None:
    ledger = Ledger()
    for name in ("red hammer", "blue oven", "grey kettle"):
        ledger.ask(Wish("set", name, f"{name} timer set for"))
        ledger.hear(f"{name} timer set for 2 hours.")
    ledger.hear(
        "You have 3 timers: the red hammer timer has 2 hours left, the blue oven timer has ended "
        "and the grey kettle timer has 2 hours left."
    )
    assert ledger.running("set") == ["red hammer", "grey kettle"]


def test_ledger_finds_what_was_cancelled_and_is_there_again() -> None:
    ledger = Ledger()
    ledger.ask(Wish("set", "red fig", "red fig timer set for"))
    ledger.hear("Red fig timer set for 3 hours.")
    ledger.ask(Wish("cancel", "red fig", "red fig timer is cancelled"))
    ledger.hear("The red fig timer is cancelled.")
    ledger.compare(["red fig"])
    assert ledger.twice == ["red fig"]
