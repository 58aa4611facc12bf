"""Restarts are counted by their causes, over restarts; a disk that refuses costs the count alone."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from appliance.service import ends


@pytest.fixture
def boot(tmp_path: Path) -> Path:
    (file := tmp_path / "boot_id").write_text("one\n")
    return file


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def test_each_end_is_counted_once_by_what_systemd_told(state: Path, boot: Path) -> None:
    assert ends.count(state, boot) == {}
    for result in ("canary", "core-dump", "signal", "watchdog", "watchdog"):
        (state / ends.TOLD).write_text(f"{result}\n")
        ends.count(state, boot)
    assert ends.count(state, boot) == {"watchdog": 2, "signal": 2, "unknown": 2}, "the last one told nothing"


def test_end_that_nobody_could_tell_of_is_a_power_cut_where_the_board_started_anew(state: Path, boot: Path) -> None:
    ends.count(state, boot)
    boot.write_text("two\n")
    assert ends.count(state, boot) == {"power": 1}
    boot.write_text("three\n")
    (state / ends.TOLD).write_text("success\n")
    assert ends.count(state, boot) == {"power": 1, "asked": 1}, "it was shut down as it should be"


@pytest.mark.parametrize("content", [b"", b"{", b'{"boot": 1}', b"\xff"])
def test_file_that_cannot_be_read_begins_anew(state: Path, boot: Path, content: bytes) -> None:
    state.mkdir()
    (state / ends.FILE).write_bytes(content)
    assert ends.count(state, boot) == {}
    assert json.loads((state / ends.FILE).read_text()) == {"boot": "one", "causes": {}}


def test_disk_that_refuses_is_one_line(state: Path, boot: Path, caplog: pytest.LogCaptureFixture) -> None:
    state.write_text("no folder")
    with caplog.at_level(logging.WARNING):
        assert ends.count(state, boot) == {}
    assert len(caplog.messages) == 1
