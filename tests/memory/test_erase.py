"""A factory reset forgets everything, and only what is ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.memory.erase import erase
from appliance.memory.store import Store
from appliance.memory.values import SqliteValues
from appliance.service import MUTED


def test_mute_survives_a_restart_on_disk(tmp_path: Path) -> None:
    for before, after in ((None, "yes"), ("yes", "")):
        with Store(tmp_path / "appliance.db") as store:
            values = SqliteValues(store)
            assert values.get(MUTED) == before
            values.set(MUTED, after)


@pytest.mark.parametrize("damaged", [False, True])
def test_everything_is_erased_while_the_service_holds_it(tmp_path: Path, damaged: bool) -> None:
    database, snapshots = tmp_path / "appliance.db", tmp_path / "snapshots"
    snapshots.mkdir()
    (snapshots / "head.bin").touch()
    (tmp_path / "holiday.jpg").touch()
    if damaged:
        database.write_bytes(b"no database at all" * 100)
    with Store(database) as store:
        SqliteValues(store).set("name", "Ada")
        erase(database, snapshots, tmp_path / "absent")
        assert [path.name for path in tmp_path.iterdir()] == ["holiday.jpg"]
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.jpg"], "closing it brings nothing back"
    with Store(database) as store:
        assert SqliteValues(store).get("name") is None
