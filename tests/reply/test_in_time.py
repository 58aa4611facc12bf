"""A tool that hangs costs its time once, and one thread."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers
from appliance.ports import Spoken, about_to_act
from appliance.reply.in_time import in_time
from appliance.simulated import HandSetClock
from appliance.skills.memory.tools import MemoryTools
from appliance.skills.schema import tool
from appliance.skills.timers.countdowns import Timers
from appliance.skills.timers.tools import TimerTools

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def gone(name: str) -> None:
    """Wait until the thread of that tool is over."""
    deadline_s = time.monotonic() + 5
    while any(thread.name == f"tool {name}" for thread in threading.enumerate()):
        assert time.monotonic() < deadline_s
        time.sleep(0.01)


class Box:
    """A database on disk, and the tools that write to it."""

    def __init__(self, path: Path, store: Store) -> None:
        self.path, self.disk, self.memory = path, SqliteTimers(store), SqliteMemory(store)
        clock = HandSetClock(NOON)
        self.timers = Timers(self.disk, clock, 120)
        timers, memory = TimerTools(self.timers, clock), MemoryTools(self.memory, clock, found_max=8)
        functions: list[Callable[..., Spoken]] = [timers.set_timer, timers.cancel_timer, memory.remember]
        self.tools = {function.__name__: tool(function, "act") for function in functions}

    @contextmanager
    def slow(self) -> Iterator[None]:
        """Another program holds the database, as a card that stalls does."""
        with closing(sqlite3.connect(self.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with Store(tmp_path / "box.db") as store:
        yield Box(tmp_path / "box.db", store)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("set_timer", {"minutes": 8}), ("cancel_timer", {}), ("remember", {"fact": "The user likes tea."})],
)
def test_what_came_too_late_is_not_done_afterwards(box: Box, name: str, arguments: dict[str, object]) -> None:
    rice = box.timers.add("rice", 600)
    with box.slow(), pytest.raises(TimeoutError):
        in_time(box.tools[name], arguments, 0.2)
    gone(name)
    assert (box.disk.all(), box.timers.all(), box.memory.facts()) == ([rice], [rice], [])
    in_time(box.tools["set_timer"], {"minutes": 9}, 5)
    assert len(box.disk.all()) == 2, "the store is as good as before"


def test_what_is_being_written_when_time_is_up_is_waited_for() -> None:
    def write() -> Spoken:
        """Write."""
        about_to_act()
        time.sleep(0.3)
        return Spoken("Done.")

    assert in_time(tool(write, "act"), {}, 0.2) == ("Done.", [])


def test_what_has_begun_to_act_acts_to_its_end() -> None:
    written = list[int]()

    def write() -> Spoken:
        """Write twice."""
        for number in (1, 2):
            about_to_act()
            written.append(number)
            time.sleep(0.3)
        return Spoken("Done.")

    with pytest.raises(TimeoutError):
        in_time(tool(write, "act"), {}, 0.1)
    gone("write")
    assert written == [1, 2]


def test_tool_that_hangs_is_not_called_again_until_it_is_back() -> None:
    go, calls = threading.Event(), list[float]()

    def hang() -> Spoken:
        """Wait."""
        calls.append(time.monotonic())
        go.wait(10)
        return Spoken("Done.")

    hanging = tool(hang, "read")
    for _ in range(3):
        with pytest.raises(TimeoutError):
            in_time(hanging, {}, 0.05)
    assert len(calls) == 1
    go.set()
    deadline_s = time.monotonic() + 5
    while threading.active_count() > 1 and any(thread.name == "tool hang" for thread in threading.enumerate()):
        assert time.monotonic() < deadline_s
        time.sleep(0.01)
    assert in_time(hanging, {}, 5) == ("Done.", [])
