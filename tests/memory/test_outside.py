"""Copies that leave the card, what is left of them on a bad day, and the way back onto a new card."""

from __future__ import annotations

import contextlib
import resource
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance import cli
from appliance.errors import StoreUnusable
from appliance.memory.backups import back_up, backups, remove_older
from appliance.memory.facts import SqliteMemory
from appliance.memory.outside import bring_in, copy_out
from appliance.memory.store import Store


class Card:
    """A box's state folder, with a database that grows by a fact and a copy a day."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.database = folder / "appliance.db"

    def day(self, day: int) -> Path:
        with Store(self.database) as store:
            SqliteMemory(store).save(f"fact {day}", "user", datetime(2026, 5, day, tzinfo=UTC))
        return back_up(self.database, datetime(2026, 5, day, 7, 30)).path

    @property
    def knows(self) -> list[str]:
        with Store(self.database) as store:
            assert not store.notice, "nothing that worries anybody"
            return sorted(fact.text for fact in SqliteMemory(store).facts())


@pytest.fixture
def card(tmp_path: Path) -> Card:
    return Card(tmp_path / "old")


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


def names(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


def spoil(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def test_the_newest_copy_leaves_the_card_and_comes_back_onto_another(card: Card, stick: Path, tmp_path: Path) -> None:
    card.day(4)
    made = card.day(5)
    assert copy_out(card.database, stick).read_bytes() == made.read_bytes()
    assert {stat.S_IMODE(each.stat().st_mode) for each in stick.iterdir()} == {0o600}
    new = Card(tmp_path / "new")
    assert bring_in(new.database, stick / made.name) == datetime(2026, 5, 5, 7, 30)
    assert new.knows == ["fact 4", "fact 5"]
    new.day(6)
    copy_out(new.database, stick)
    assert len(backups(stick / new.database.name)) == 2, "the stick goes on with the memory that came from it"


def test_a_second_time_nothing_changes(card: Card, stick: Path) -> None:
    card.day(4)
    first = copy_out(card.database, stick).stat()
    assert copy_out(card.database, stick).stat().st_ino == first.st_ino
    assert len(names(stick)) == 1


def test_a_damaged_copy_does_not_leave_the_card(card: Card, stick: Path) -> None:
    good = card.day(4)
    spoil(card.day(5))
    assert copy_out(card.database, stick).name == good.name
    spoil(good)
    with pytest.raises(StoreUnusable, match="no copy of the memory"):
        copy_out(card.database, stick)
    assert names(stick) == {good.name}, "what is outside stays"


def test_what_was_forgotten_is_gone_outside_too_and_strange_files_stay(card: Card, stick: Path) -> None:
    (stick / "holiday.jpg").touch()
    for day in (4, 5):
        card.day(day)
        copy_out(card.database, stick)
    assert len(names(stick)) == 3
    newest = card.day(6)
    remove_older(backups(card.database)[0], card.database)  # as after a `forget`
    copy_out(card.database, stick)
    assert names(stick) == {"holiday.jpg", newest.name}


def test_a_new_card_wipes_no_copies_of_the_old_one(card: Card, stick: Path, tmp_path: Path) -> None:
    for day in (4, 5):
        card.day(day)
        copy_out(card.database, stick)
    before, new = names(stick), Card(tmp_path / "new")
    new.day(9)
    with pytest.raises(StoreUnusable, match="of another memory; bring that memory back"):
        copy_out(new.database, stick)
    assert names(stick) == before


@pytest.mark.parametrize("has", ["database", "copy"])
def test_a_box_with_a_memory_keeps_it(card: Card, tmp_path: Path, has: str) -> None:
    made, other = card.day(4), Card(tmp_path / "other")
    other.day(9)
    if has == "database":
        backups(other.database)[0].path.unlink()
    else:
        other.database.rename(tmp_path / "aside")
    before = names(other.database.parent)
    with pytest.raises(StoreUnusable, match="of its own"):
        bring_in(other.database, made)
    assert names(other.database.parent) == before


def rename(made: Path) -> Path:
    return made.rename(made.with_name("kitchen.db"))


def cut(made: Path) -> Path:
    spoil(made)
    return made


def remove(made: Path) -> Path:
    made.unlink()
    return made


@pytest.mark.parametrize(
    ("harm", "told"),
    [(rename, "not called as a copy is"), (cut, "cannot be used"), (remove, "see that it is there")],
)
def test_what_is_no_copy_is_not_brought_in(card: Card, tmp_path: Path, harm: Callable[[Path], Path], told: str) -> None:
    made, new = harm(card.day(4)), Card(tmp_path / "new")
    with pytest.raises(StoreUnusable, match=told):
        bring_in(new.database, made)
    assert names(new.database.parent) == set(), "nothing half is left behind"


@contextlib.contextmanager
def writes_refused() -> Iterator[None]:
    """The kernel refuses to write more than a page into a file, as a full disk does.

    It refuses this whole process, pytest's own report into a file too: so no longer than one call.
    """
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_stick_keeps_what_it_has(card: Card, stick: Path) -> None:
    card.day(4)
    copy_out(card.database, stick)
    before = names(stick)
    card.day(5)
    with writes_refused(), pytest.raises(StoreUnusable, match="has room"):
        copy_out(card.database, stick)
    assert names(stick) == before


def test_the_commands_do_it(card: Card, stick: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    made = card.day(4)
    old, new = str(card.database.parent), Card(tmp_path / "new")
    assert cli.main(["backup", "-", "--config", "/dev/null", "--state", old]) == 0
    told = capfdbinary.readouterr()
    assert (told.out, told.err) == (made.read_bytes(), f"{made.name}\n".encode())
    assert cli.main(["backup", str(stick), "--config", "/dev/null", "--state", old]) == 0
    restored = ["restore", str(stick / made.name), "--config", "/dev/null", "--state", str(new.database.parent)]
    assert cli.main(restored) == 0
    assert b"2026-05-04 at 07:30" in capfdbinary.readouterr().out
    assert new.knows == ["fact 4"]
    assert cli.main(restored) == 3, "not over a memory"
