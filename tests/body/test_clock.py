"""The clock of a board without a battery, before and after something sets it; and time that goes on in suspend."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from appliance.boards import ClockSource
from appliance.body.clock import KEEP_S, SystemClock

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
BEHIND = timedelta(minutes=40)


class Board:
    """What its clock shows is made up; the file in which it keeps the time is real."""

    def __init__(self, folder: Path) -> None:
        self.kept, self.shown, self.up_s, self.source = folder / "clock", NOON, 0.0, ClockSource.NETWORK
        self.floors: list[datetime] = []

    def clock(self) -> SystemClock:
        return SystemClock(UTC, self.kept, self.asked, lambda: self.shown.timestamp(), lambda: self.up_s)

    def asked(self, floor: datetime) -> ClockSource:
        self.floors.append(floor)
        return self.source

    def passes(self, seconds: float) -> None:
        self.shown += timedelta(seconds=seconds)
        self.up_s += seconds

    def cut(self) -> SystemClock:
        self.shown, self.up_s, self.source = self.shown - BEHIND, 0.0, ClockSource.NONE
        return self.clock()


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path)


def test_it_is_never_earlier_than_what_it_showed_before(board: Board) -> None:
    board.clock().keep()
    clock = board.cut()
    assert (clock.trusted, clock.last_seen, clock.now()) == (False, NOON, NOON)
    board.passes(30)
    assert clock.now() == NOON + timedelta(seconds=30)


def test_once_set_it_shows_what_the_board_does_and_stays_trusted(board: Board) -> None:
    board.clock().keep()
    clock = board.cut()
    board.source = ClockSource.NETWORK
    assert (clock.trusted, clock.now()) == (True, NOON - BEHIND), "a floor that was wrong gives way"
    board.source = ClockSource.NONE
    assert (clock.trusted, clock.trusted_by) == (True, ClockSource.NETWORK)


def test_what_it_showed_before_tells_whether_a_battery_held(board: Board) -> None:
    board.clock().keep()
    _ = board.cut().trusted
    assert board.floors[-1] == NOON


def test_the_time_is_noted_once_a_minute(board: Board) -> None:
    clock = board.clock()
    for seconds in (0, KEEP_S - 1, 1):
        board.passes(seconds)
        clock.keep()
    assert board.cut().last_seen == NOON + timedelta(seconds=KEEP_S)


def test_a_clock_that_is_set_is_noted_at_once(board: Board) -> None:
    clock = board.clock()
    for jump in (timedelta(hours=1), timedelta(hours=-1)):
        board.shown += jump
        clock.keep()
    assert board.cut().last_seen == NOON


def test_a_restart_of_the_service_loses_no_time(board: Board) -> None:
    board.clock().keep()
    clock = board.cut()
    board.passes(100)
    clock.keep()
    board.passes(50)
    assert board.clock().now() == NOON + timedelta(seconds=150)


def test_file_that_the_power_cut_left_empty_is_no_time(board: Board) -> None:
    board.kept.touch()
    assert board.clock().last_seen is None


def test_disk_that_keeps_nothing_stops_no_clock(board: Board, tmp_path: Path) -> None:
    board.kept = tmp_path / "absent" / "clock"
    clock = board.clock()
    clock.keep()
    assert (clock.now(), board.cut().last_seen) == (NOON, None)


def test_time_goes_on_while_the_machine_sleeps() -> None:
    """In a time namespace whose CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC, as it is after a suspend of 1,000 s."""
    look = "import time; from appliance.body.clock import since_boot; print(since_boot() - time.monotonic())"
    shell = ["unshare", "--user", "--map-root-user", "--time", "--boottime", "1000", sys.executable, "-c", look]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    if done.returncode and "unshare" in done.stderr:
        pytest.skip(f"no time namespace here: {done.stderr.strip()}")
    assert float(done.stdout) > 900
