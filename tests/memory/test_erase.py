"""A factory reset forgets everything, and only what is ours."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from appliance.errors import NotErased
from appliance.memory import erase as erasing
from appliance.memory.backups import back_up
from appliance.memory.erase import erase, resume
from appliance.memory.store import Store
from appliance.memory.values import SqliteValues
from appliance.service.muting import MUTED


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


@pytest.fixture
def stubborn(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Files of that name refuse to go; none does after an empty one."""
    unlink, refused = Path.unlink, [""]

    def refuses(path: Path, missing_ok: bool = False) -> None:
        if refused[0] and refused[0] in path.name:
            raise PermissionError(1, "Operation not permitted")
        unlink(path, missing_ok)

    def refuse(name: str) -> None:
        refused[0] = name

    monkeypatch.setattr(Path, "unlink", refuses)
    return refuse


@pytest.mark.parametrize("name", ["appliance.db.backup", "head.bin", "appliance.db.lock"])
def test_what_cannot_go_keeps_nothing_else_and_goes_at_the_next_start(
    tmp_path: Path, stubborn: Callable[[str], None], name: str
) -> None:
    database, snapshots = tmp_path / "appliance.db", tmp_path / "snapshots"
    (snapshots / "old").mkdir(parents=True)
    for file in (snapshots / "head.bin", snapshots / "old" / "tail.bin"):
        file.touch()
    with Store(database) as store:
        SqliteValues(store).set("name", "Ada")
        back_up(database, datetime(2026, 5, 4))
        stubborn(name)
        with pytest.raises(NotErased, match=f"{name}.*Operation not permitted"):
            erase(database, snapshots)
    left = {path.name for path in tmp_path.rglob("*") if path.is_file()} - {"appliance.db.erasing"}
    assert len(left) == 1
    assert name in left.pop()
    assert resume(database, snapshots).endswith("and could not: some of it is still there.")
    assert resume(database, snapshots, language="de").endswith("etwas davon ist noch da.")
    stubborn("")
    assert resume(database, snapshots) == ""
    assert list(tmp_path.iterdir()) == []
    assert resume(database, snapshots) == "", "and that was that"


def test_a_disk_that_does_not_answer_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(folder: Path) -> None:
        raise OSError(5, "Input/output error")

    with Store(tmp_path / "appliance.db"):
        monkeypatch.setattr(erasing, "sync_folder", fails)
        with pytest.raises(NotErased, match="Input/output error"):
            erase(tmp_path / "appliance.db")
    assert not (tmp_path / "appliance.db").exists()
