"""Private mode outlives a restart, ends by itself where a time was named, and is on where nobody can tell."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from appliance.errors import StoreUnusable
from appliance.memory.private import KeptPrivateMode
from appliance.memory.store import Store
from appliance.memory.values import SqliteValues
from appliance.simulated import HandSetClock, MemoryValues

NOW = datetime(2026, 11, 28, 18, 30, tzinfo=UTC)


def test_it_is_on_until_it_is_ended_also_over_a_restart(tmp_path: Path) -> None:
    clock = HandSetClock(NOW)
    with Store(tmp_path / "appliance.db") as store:
        mode = KeptPrivateMode(SqliteValues(store), clock)
        assert not mode.on
        mode.begin()
    clock.pass_time(90 * 24 * 3_600)
    with Store(tmp_path / "appliance.db") as store:
        mode = KeptPrivateMode(SqliteValues(store), clock)
        assert mode.on
        assert mode.until is None
        mode.end()
    with Store(tmp_path / "appliance.db") as store:
        assert not KeptPrivateMode(SqliteValues(store), clock).on


def test_it_ends_by_itself_and_that_is_to_be_told_once() -> None:
    clock, values = HandSetClock(NOW), MemoryValues()
    mode = KeptPrivateMode(values, clock)
    mode.begin(NOW + timedelta(hours=2))
    assert mode.until == NOW + timedelta(hours=2)
    assert not mode.ran_out
    clock.pass_time(2 * 3_600)
    again = KeptPrivateMode(values, clock)
    assert not again.on
    assert again.ran_out
    again.end()
    assert not again.ran_out


class Unreadable(MemoryValues):
    def get(self, key: str) -> str | None:
        raise StoreUnusable("the card is gone", remedy="look at it")


def test_nothing_is_kept_while_it_cannot_be_read() -> None:
    assert KeptPrivateMode(Unreadable(), HandSetClock(NOW)).on
