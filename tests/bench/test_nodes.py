"""The rig of `make nodes` with a few conversations, and that it finds out what went wrong."""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from bench import lan
from bench.nodes import WRONG, Asked, Book, Nodes, word

TIMES = 12


def test_each_conversation_ends_in_its_answer_or_an_honest_error(tmp_path: Path) -> None:
    with Nodes(tmp_path, random.Random(3)) as nodes:
        row = nodes.run(TIMES)
    assert {what: row[what] for what in WRONG} == dict.fromkeys(WRONG, 0)
    assert row["came"].get("hub: done", 0) > 0
    assert row["conversations"] == TIMES


@pytest.mark.parametrize(
    ("where", "came", "times", "wrong"),
    [
        ("hub", "done", 1, None),
        ("node", "done", 1, None),
        ("hub", "done", 0, "lost"),
        ("node", "done", 0, "lost"),
        ("hub", "done", 2, "twice"),
        ("node", "hub_unknown", 2, "twice"),
        ("node", "hub_unknown", 1, None),
        ("hub", "killed", 0, None),
        ("hub", "hub_lost", 1, "untrue"),
        ("hub", "hub_lost", 0, None),
        ("node", "wrong", 0, "crossed"),
    ],
)
def test_what_was_said_is_held_against_what_is_there(where: str, came: str, times: int, wrong: str | None) -> None:
    book = Book([Asked(7, "node1", where, came)])
    items, acts = Counter({word(7): times}), Counter({7: times})
    found = book.wrongs(items if where == "hub" else Counter(), acts if where == "node" else Counter())
    assert [what for what, each in found.items() if each] == ([wrong] if wrong else [])


def test_no_two_conversations_have_one_word() -> None:
    assert len({word(number) for number in range(5_000)}) == 5_000


def test_nothing_is_left_of_the_network() -> None:
    if lan.possible():
        with lan.Lan(["one", "other"], subnet=78) as made:
            there = subprocess.run([*made.within("one"), "ip", "-brief", "address"], capture_output=True, text=True)
            made.cut("other")
            made.mend("other")
        assert made.address("one") in there.stdout
        left = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
        assert made.within("one")[3] not in left
    with lan.Loopback(["one"]) as alone:
        assert (alone.within("one"), alone.address("one")) == ([], "127.0.77.1")
