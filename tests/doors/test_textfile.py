"""The file that node_exporter reads: whole, readable by others, and gone with the service."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from appliance.doors.textfile import TextFile

PATIENCE_S = 20


def until(true: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < ends_s
        time.sleep(0.005)


@pytest.fixture(autouse=True)
def as_the_unit_does() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


def test_it_is_renewed_readable_by_others_and_gone_at_the_end(tmp_path: Path) -> None:
    path, written = tmp_path / "va.prom", iter(range(1_000_000))
    with TextFile(path, lambda: f"va_timers {next(written)}\n", every_s=0.01):
        until(path.exists)
        assert path.stat().st_mode & 0o777 == 0o644
        first = path.read_text()
        until(lambda: path.read_text() != first)
    assert not list(tmp_path.iterdir())


def test_it_is_whole_whenever_it_is_read(tmp_path: Path) -> None:
    path, text = tmp_path / "va.prom", "va_timers 1\n" * 10_000
    with TextFile(path, lambda: text, every_s=0):
        until(path.exists)
        for _ in range(200):
            assert path.read_text() == text


def test_place_that_takes_no_file_is_one_line_in_the_log_and_passes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "absent/va.prom"
    with TextFile(path, lambda: "", every_s=0.01):
        time.sleep(0.2)
        assert len(caplog.messages) == 1
        path.parent.mkdir()
        until(path.exists)
    assert len(caplog.messages) == 1
