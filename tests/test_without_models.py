"""A box none of whose models is there: it starts all the same, says which it lacks, and rings."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from room import Room, opened
from room_box import AUDIBLE, Box, loudness

from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers

room = pytest.fixture(opened)
LACKED = ("wake", "silero", "smart-turn", "whisper", "piper", "qwen")
METRICS = "va.prom"
EXPORTED = {"va_ready 0.0", "va_timers 1.0", "va_clock_trusted 1.0", 'va_store_state{va_store_state="open"} 1.0'}


@pytest.fixture
def box(room: Room, tmp_path: Path) -> Iterator[Box]:
    (tmp_path / "models").mkdir()
    with Store(tmp_path / "state/appliance.db") as store:
        SqliteTimers(store).add("tea", 60, datetime.now(UTC) + timedelta(seconds=5))
    made = Box(room, tmp_path / "state", tmp_path / "models", f'metrics_file = "{tmp_path / METRICS}"')
    try:
        yield made
        assert made.end() == 0
        assert not (tmp_path / METRICS).exists(), "it would tell of a box that is off as if it ran"
    finally:
        made.process.kill()


def test_it_becomes_ready_names_what_it_lacks_rings_and_is_measured(box: Box, room: Room, tmp_path: Path) -> None:
    box.wait_until_ready()
    for name in LACKED:
        assert any(name in line for line in box.log), (name, box.log)
    ends_s = time.monotonic() + 30
    while loudness(room.record(2)) < AUDIBLE:
        assert time.monotonic() < ends_s, "".join(box.log)
    assert box.process.poll() is None
    while not EXPORTED.issubset((tmp_path / METRICS).read_text().splitlines()):
        assert time.monotonic() < ends_s, (tmp_path / METRICS).read_text()
        time.sleep(0.5)
