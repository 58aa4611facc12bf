"""A timer that is adjusted, on a real disk: it is there once, whenever the box dies."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlite_utils import Database

from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers
from appliance.simulated import HandSetClock
from appliance.skills.timers.countdowns import Timers

CLOCK = HandSetClock(datetime(2026, 5, 4, 7, 30, tzinfo=UTC))
RING_S = 120.0


def on_disk(path: Path) -> list[tuple[float, float | None]]:
    """Length, and what is left of a paused one, as another process finds them after each write."""
    with sqlite3.connect(path) as db:
        return list(db.execute("SELECT seconds, paused_s FROM timers"))


@pytest.mark.parametrize(("paused", "left"), [(False, None), (True, 60.0)])
def test_whoever_looks_finds_the_old_one_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paused: bool, left: float | None
) -> None:
    seen = list[list[tuple[float, float | None]]]()
    with Store(path := tmp_path / "appliance.db") as store:
        timers = Timers(SqliteTimers(store), CLOCK, RING_S)
        timer = timers.add("tea", 60)
        timer = timers.pause(timer) if paused else timer
        write = store.write

        def watched() -> AbstractContextManager[Database]:
            seen.append(on_disk(path))
            return write()

        monkeypatch.setattr(store, "write", watched)
        timers.change(timer, 600, 540)
        seen.append(on_disk(path))
        assert [each.seconds for each in timers.all()] == [600]
    assert seen == [[(60, left)], [(600, 540 if paused else None)]]
