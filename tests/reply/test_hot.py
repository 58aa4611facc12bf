"""What memory gave is kept for a conversation, until it ends, is stopped, or a fact changes; and it is fast without."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rig import NOW, Rig

from appliance.errors import StoreUnusable
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.ports import Fact, FactKind, Memory
from appliance.reply.conversation import Conversation
from appliance.reply.hot import KEPT, Hot
from appliance.reply.line import Line
from appliance.reply.readable_memory import Forgiving
from appliance.reply.recall import Recall
from appliance.settings import Memory as Settings
from appliance.simulated import MemoryFacts

LINE = "the plumber and his boiler puzzle me"
ROOMS = ("attic", "cellar", "garage", "kitchen", "larder", "nursery", "office", "porch", "shed", "stairs")
CRITICAL_MS = 30
"""What memory may cost a turn before the model reads, without a digest (spec of the reply flow)."""
LOADED = 4
"""Times as long as that, on a machine that has other work."""


class Counting(MemoryFacts):
    """Tells how often it was read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = Counter[str]()
        self.unreadable = False

    def facts(self, kind: FactKind | None = None, limit: int | None = None, person: str | None = None) -> list[Fact]:
        self.reads[kind or "any"] += limit is not None and limit > 100
        if self.unreadable:
            raise StoreUnusable("the card is gone", remedy="put it back")
        return super().facts(kind, limit, person)

    def search(self, *given: Any, **more: Any) -> list[Memory]:
        self.reads["search"] += 1
        return super().search(*given, **more)


class Box:
    """One that plans nothing, so that every line is looked up in memory."""

    def __init__(self) -> None:
        self.memory = Counting()
        self.rig = Rig(reply={"plan": False}, parts={"memory": self.memory})
        self.memory.save("The user's plumber comes about the boiler.", "user", NOW)

    def say(self, line: str = LINE) -> None:
        self.rig.canned.more("say I see.")
        self.rig.say(line)

    def reads(self, line: str = LINE) -> tuple[int, int]:
        """Of the profile and of the search, for a line."""
        before = self.memory.reads.copy()
        self.say(line)
        return self.memory.reads["user"] - before["user"], self.memory.reads["search"] - before["search"]


@pytest.fixture
def box() -> Box:
    return Box()


def test_the_same_line_is_looked_up_once_in_a_conversation(box: Box) -> None:
    assert box.reads() == (1, 1)
    assert box.reads() == (0, 0)
    assert box.reads("the plumber and his bath puzzle me") == (0, 1)


def test_a_new_conversation_looks_again(box: Box) -> None:
    box.say()
    box.rig.clock.pass_time(3_600)
    assert box.reads() == (1, 1)


def test_stop_has_it_looked_up_again(box: Box) -> None:
    box.say()
    box.rig.say("stop")
    assert box.reads() == (1, 1)


@pytest.mark.parametrize(
    "change",
    [
        lambda memory: memory.save("The user likes plums.", "user", NOW),
        lambda memory: memory.save("The user wants short answers.", "rule", NOW),
        lambda memory: memory.update(1, "The user's plumber comes about the bath.", NOW),
        lambda memory: memory.forget(1),
        lambda memory: memory.forget_all(),
    ],
)
def test_a_change_of_the_facts_is_known_in_the_next_turn(box: Box, change: Callable[[MemoryFacts], None]) -> None:
    box.say()
    change(box.memory)
    assert box.reads()[0] == 1


def test_what_could_not_be_read_is_looked_for_again(box: Box) -> None:
    box.memory.unreadable = True
    box.say()
    box.memory.unreadable = False
    assert box.reads()[0] == 1


def test_no_conversation_keeps_more_than_so_much() -> None:
    hot, made = Hot(), list[int]()
    for number in [*range(KEPT + 1), KEPT, 0]:
        hot.get(number, 1, lambda number=number: made.append(number))  # type: ignore[misc]
    assert made == [*range(KEPT + 1), 0]


@pytest.fixture
def many(tmp_path: Path) -> Iterator[SqliteMemory]:
    """10,000 facts, as a file holds them."""
    with Store(tmp_path / "appliance.db") as store:
        with store.write() as db:
            for number in range(10_000):
                text = f"The user keeps box {number} of {number % 23} chests in the {ROOMS[number % 10]}."
                row = {"text": text, "kind": "rule" if number % 50 == 0 else "user", "at": NOW.isoformat()}
                db.table("facts").insert(row | {"moment": NOW.timestamp() - number}, pk="id")
        yield SqliteMemory(store)


def test_memory_costs_a_turn_little_with_ten_thousand_facts(many: SqliteMemory) -> None:
    conversation, taken = Conversation(300, 16), list[float]()
    recall = Recall(lambda: Forgiving(many), Settings(), conversation, many)
    for number in range(20):
        conversation.begin()  # or the profile would be kept from the turn before
        began_s = time.monotonic()
        known = recall.known(Line(f"which box is in the {ROOMS[number % 10]}"))
        recall.wishes()
        taken.append((time.monotonic() - began_s) * 1_000)
    assert known.profile
    assert known.facts
    assert statistics.median(taken) <= LOADED * CRITICAL_MS, taken
