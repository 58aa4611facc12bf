"""Whether the box is muted, over restarts and whatever becomes of the database."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.memory.erase import erase
from appliance.memory.mute import MuteMarker
from appliance.memory.store import Store
from appliance.service.muting import MUTED
from appliance.simulated import MemoryValues


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "appliance.db"


def restarted(path: Path, values: MemoryValues | None = None) -> MuteMarker:
    """`values`: those of a database that knows them still."""
    mute = MuteMarker(path, values or MemoryValues())
    mute.begin(MUTED)
    return mute


def test_a_new_box_listens_and_goes_on_as_it_was_left(path: Path) -> None:
    assert not restarted(path).get(MUTED)
    restarted(path).set(MUTED, "yes")
    assert restarted(path).get(MUTED) == "yes", "though its database knows nothing of it"
    restarted(path).set(MUTED, "")
    assert not restarted(path).get(MUTED)


@pytest.mark.parametrize("muted", ["yes", ""])
def test_a_box_of_a_release_without_markers_stays_as_it_was(path: Path, muted: str) -> None:
    values = MemoryValues()
    values.set(MUTED, muted)
    assert restarted(path, values).get(MUTED) == muted


def test_leave_to_listen_that_is_lost_mutes(path: Path) -> None:
    restarted(path)
    path.with_name("appliance.db.may-listen").unlink()
    assert restarted(path).get(MUTED) == "yes"


def test_a_factory_reset_takes_the_marks_along(path: Path) -> None:
    Store(path).close()
    restarted(path).set(MUTED, "yes")
    erase(path)
    assert list(path.parent.iterdir()) == []
