"""Copies of the database: made while it is used, read through, and what is left of it on a bad day."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from appliance.language.meanings import meanings
from appliance.memory import backups as files
from appliance.memory import upkeep
from appliance.memory.backups import GENERATIONS, back_up, backups
from appliance.memory.erase import erase
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers
from appliance.memory.upkeep import Upkeep
from appliance.memory.values import SqliteValues
from appliance.service.muting import MUTED
from appliance.simulated import HandSetClock

MONDAY = datetime(2026, 5, 4, 7, 30, tzinfo=UTC)
DAY_S = 86_400.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "appliance.db"


def copy(path: Path, day: int = 4) -> Path:
    return back_up(path, datetime(2026, 5, day, 7, 30)).path


def knows(store: Store) -> list[str]:
    return [fact.text for fact in SqliteMemory(store).facts()]


def spoil_header(path: Path) -> None:
    path.write_bytes(b"not a database at all" + path.read_bytes()[21:])


def spoil_page(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:4096] + bytes(4096) + data[8192:])


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip_facts(path: Path) -> None:
    """Every bit of the first page of the table of facts."""
    with closing(sqlite3.connect(path)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'facts'").fetchone()
    data, begin = path.read_bytes(), 4096 * (page - 1)
    flipped = bytes(byte ^ 0xFF for byte in data[begin : begin + 4096])
    path.write_bytes(data[:begin] + flipped + data[begin + 4096 :])


SPOILED: list[Callable[[Path], None]] = [spoil_header, spoil_page, cut_off, flip_facts]


class TestCopies:
    def test_a_copy_holds_everything_and_only_its_owner_may_read_it(self, path: Path) -> None:
        with Store(path) as store:
            SqliteMemory(store).save("Anna drinks tea", "user", MONDAY)
            made = copy(path)
            assert stat.S_IMODE(made.stat().st_mode) == 0o600
        with closing(sqlite3.connect(made)) as owner:
            assert owner.execute("SELECT text FROM facts").fetchall() == [("Anna drinks tea",)]

    def test_the_newest_three_are_kept_and_nothing_else(self, path: Path) -> None:
        with Store(path):
            for day in (9, 8, 7, 6, 5):  # a clock may be set back
                copy(path, day)
        assert [backup.at.day for backup in backups(path)] == [5, 6, 7]
        assert len(backups(path)) == GENERATIONS
        assert not list(path.parent.glob("*draft*"))

    def test_a_transaction_that_is_not_over_neither_waits_nor_comes_along(self, path: Path) -> None:
        with Store(path) as store:
            SqliteMemory(store).save("Anna drinks tea", "user", MONDAY)
            with store.write() as db:
                db.execute("DELETE FROM facts")
                made = copy(path)
        with closing(sqlite3.connect(made)) as owner:
            assert owner.execute("SELECT count(*) FROM facts").fetchone() == (1,)

    def test_one_that_cannot_be_read_back_does_not_push_out_another(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with Store(path):
            for day in (1, 2, 3):
                copy(path, day)
            monkeypatch.setattr(files, "fault_of", lambda _: "row 7 missing from index")
            with pytest.raises(sqlite3.DatabaseError, match="row 7"):
                copy(path)
        assert [backup.at.day for backup in backups(path)] == [3, 2, 1]
        assert not list(path.parent.glob("*draft*"))

    def test_each_of_them_is_read_through_for_the_doctor(self, path: Path) -> None:
        with Store(path) as store:
            assert files.told(path) == "no copy of it yet"
            SqliteMemory(store).save("Anna drinks tea", "user", MONDAY)
            made = [copy(path, day) for day in (3, 4, 5)]
            assert files.told(path).startswith("3 copies of it, the newest of 2026-05-05")
            assert files.told(path).endswith("all whole")
            with closing(sqlite3.connect(made[0])) as spoiling, spoiling:
                spoiling.execute("DELETE FROM memory_words_data WHERE id > 10")  # of its index alone
            spoil_page(made[1])
            assert files.told(path).endswith(f"damaged: {made[1].name}, {made[0].name}")

    def test_a_factory_reset_takes_them_along(self, path: Path) -> None:
        with Store(path) as store:
            SqliteValues(store).set("volume", "40")
            copy(path)
            erase(path)
        assert list(path.parent.iterdir()) == []

    def test_one_is_made_before_a_release_changes_the_tables(self, path: Path) -> None:
        with Store(path) as store, store.write() as db:
            db.execute("DROP INDEX newest_facts")
            db.execute("DELETE FROM _sqlite_migrations WHERE name = 'newest_facts'")
        Store(path).close()
        (made,) = backups(path)
        with closing(sqlite3.connect(made.path)) as before:
            assert before.execute("SELECT count(*) FROM sqlite_master WHERE name = 'newest_facts'").fetchone() == (0,)
        Store(path).close()
        assert backups(path) == [made]


class TestRestore:
    @pytest.mark.parametrize("spoil", SPOILED)
    def test_the_newest_copy_takes_the_place_of_a_damaged_file(self, path: Path, spoil: Callable[[Path], None]) -> None:
        with Store(path) as store:
            SqliteMemory(store).save("Anna drinks tea", "user", MONDAY)
            copy(path, 3)
            timer = SqliteTimers(store).add("pasta", 300, MONDAY)
            SqliteValues(store).set(MUTED, "yes")
            copy(path, 4)
            SqliteMemory(store).save("Bob drinks coffee", "user", MONDAY)
        spoil(path)
        damaged = path.read_bytes()
        with Store(path) as store:
            assert store.notice.startswith("My memory was damaged. I am back at my copy of Monday, May 4.")
            assert "timers since then are lost" in store.notice
            assert knows(store) == ["Anna drinks tea"]
            assert SqliteTimers(store).all() == [timer]
            assert SqliteValues(store).get(MUTED) == "yes"
        assert [kept.read_bytes() for kept in path.parent.glob("*.damaged-*")] == [damaged]
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert len(backups(path)) == 2
        with Store(path) as store:
            assert store.notice == ""
            assert knows(store) == ["Anna drinks tea"]

    @pytest.mark.parametrize("spoil", [*SPOILED, lambda path: path.write_bytes(b"")])
    def test_a_damaged_copy_gives_way_to_an_older_one(self, path: Path, spoil: Callable[[Path], None]) -> None:
        with Store(path) as store:
            SqliteMemory(store).save("Anna drinks tea", "user", MONDAY)
            copy(path, 3)
            newest = copy(path, 4)
        for file in (path, newest):
            spoil(file)
        spoil_header(path)
        with Store(path) as store:
            assert "May 3" in store.notice
            assert knows(store) == ["Anna drinks tea"]

    def test_history_diary_and_vectors_come_back_with_it(self, path: Path) -> None:
        with Store(path) as store:
            memory = SqliteMemory(store, meanings=meanings("en"))
            fact = memory.save("The user's car is a Volvo", "user", MONDAY)
            memory.update(fact.id, "The user's car is a Saab", MONDAY)
            memory.write_diary(MONDAY.date(), "Cars were talked about.", MONDAY)
            found = memory.search("which vehicle is mine", 5)
            copy(path)
        spoil_header(path)
        with Store(path) as store:
            memory = SqliteMemory(store, meanings=meanings("en"))
            assert [former.text for former in memory.history(fact.id)] == ["The user's car is a Volvo"]
            assert [day.text for day in memory.diary(MONDAY.date(), MONDAY.date())] == ["Cars were talked about."]
            assert memory.search("which vehicle is mine", 5) == found
            assert found

    def test_without_a_copy_that_can_be_read_a_new_one_is_begun(self, path: Path) -> None:
        with Store(path):
            newest = copy(path)
        for file in (path, newest):
            spoil_header(file)
        with Store(path) as store:
            assert "begun a new one" in store.notice
            assert knows(store) == []

    def test_a_power_cut_in_the_middle_of_it_loses_nothing(self, path: Path) -> None:
        """The damaged file was put aside, its copy not yet in its place; a journal that is not its own lies there."""
        with Store(path) as store:
            SqliteMemory(store).save("Anna drinks tea", "user", MONDAY)
            copy(path)
            SqliteMemory(store).save("Bob drinks coffee", "user", MONDAY)
            journal = path.with_name("appliance.db-wal").read_bytes()
        path.unlink()
        path.with_name("appliance.db-wal").write_bytes(journal)
        with Store(path) as store:
            assert "I am back at my copy" in store.notice
            assert knows(store) == ["Anna drinks tea"]

    @pytest.mark.parametrize("copied", [True, False])
    def test_what_was_muted_since_the_copy_is_still_muted(self, path: Path, copied: bool) -> None:
        with Store(path) as store:
            SqliteValues(store).set(MUTED, "")
            if copied:
                copy(path)
            SqliteValues(store).set(MUTED, "yes")
        spoil_header(path)
        with Store(path) as store:
            assert SqliteValues(store).get(MUTED) == "yes"
        assert stat.S_IMODE(path.with_name("appliance.db.values").stat().st_mode) == 0o600

    def test_values_that_are_damaged_too_are_those_of_the_copy(self, path: Path) -> None:
        with Store(path) as store:
            SqliteValues(store).set("volume", "40")
            copy(path)
        spoil_header(path)
        path.with_name("appliance.db.values").write_text("[4")
        with Store(path) as store:
            assert SqliteValues(store).get("volume") == "40"


class Box:
    def __init__(self, store: Store) -> None:
        self.clock, self.rests, self.store = HandSetClock(MONDAY), True, store
        self.keeper = Upkeep(store, self.clock, lambda: self.rests)

    def after(self, seconds: float) -> int:
        """How many copies there are after so long."""
        self.clock.pass_time(seconds)
        self.keeper.look()
        return len(backups(self.store.path))


class TestDaily:
    def test_one_a_day_once_the_start_is_over_and_nobody_is_served(self, path: Path) -> None:
        with Store(path) as store:
            box = Box(store)
            assert box.after(60) == 0
            box.rests = False
            assert box.after(upkeep.SETTLED_S) == 0
            box.rests = True
            assert box.after(1) == 1
            assert box.after(DAY_S / 2) == 1
            assert box.after(DAY_S / 2) == 2
            again = Box(store)
            again.clock.set(MONDAY + timedelta(days=2))
            assert again.after(upkeep.SETTLED_S) == 2, "a restart makes none before its day"

    def test_a_clock_that_was_set_back_ends_no_day_and_forgets_none(self, path: Path) -> None:
        with Store(path) as store:
            back_up(path, datetime(2030, 1, 1))
            box = Box(store)
            assert box.after(upkeep.SETTLED_S) == 1
            assert box.after(DAY_S) == 2

    def test_once_everything_was_forgotten_the_copies_are_made_anew(self, path: Path) -> None:
        with Store(path) as store:
            memory, box = SqliteMemory(store), Box(store)
            memory.add_exchange("one", "my dog is called Xerxes", "I see.", MONDAY)
            copy(path)
            memory.forget_all()
            assert box.after(1) == 1
            assert b"Xerxes" not in backups(path)[0].path.read_bytes()

    def test_what_was_forgotten_is_soon_in_no_file(self, path: Path) -> None:
        with Store(path) as store:
            memory, box = SqliteMemory(store), Box(store)
            fact = memory.save("The user's dog is called Xerxes", "user", MONDAY)
            memory.save("Anna drinks tea", "user", MONDAY)
            path.with_name("appliance.db.damaged-20260101T000000").write_text("Xerxes")
            for _ in range(2):
                copy(path)
            memory.forget(fact.id)
            assert box.after(1) == 1
            raw = b"".join(file.read_bytes() for file in path.parent.iterdir()).lower()
            assert b"xerxes" not in raw
            assert b"anna" in raw
            (only,) = backups(path)
            assert box.after(60) == 1
            assert backups(path) == [only], "once is enough"

    def test_a_forget_is_seen_to_after_a_restart_and_after_a_failure(
        self, path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        with Store(path) as store:
            fact = SqliteMemory(store).save("The user's dog is called Xerxes", "user", MONDAY)
            copy(path)
            SqliteMemory(store).forget(fact.id)
        with Store(path) as store, monkeypatch.context() as broken:
            broken.setattr(files, "fault_of", lambda _: "the disk is full")
            box = Box(store)
            for _ in range(3):
                box.after(1)
            assert caplog.text.count("no copy of the memory could be made") == 1, "not every 20 s"
            assert b"Xerxes" in backups(path)[0].path.read_bytes()
            broken.undo()
            assert box.after(upkeep.RETRY_S) == 1
            assert b"Xerxes" not in backups(path)[0].path.read_bytes()

    def test_its_thread_makes_one_and_ends(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(upkeep, "LOOK_S", 0.01)
        with Store(path) as store:
            box = Box(store)
            box.clock.pass_time(upkeep.SETTLED_S)
            with box.keeper:
                deadline_s = time.monotonic() + 10
                while not backups(path) and time.monotonic() < deadline_s:
                    time.sleep(0.01)
            assert len(backups(path)) == 1
            box.keeper.close()


COPY_UNTIL_KILLED = """
import sys
from datetime import datetime
from pathlib import Path
from appliance.memory.backups import back_up
while True:
    back_up(Path(sys.argv[1]), datetime.now())
    print("made", flush=True)
"""


@pytest.mark.parametrize("made", range(1, 6))
def test_a_power_cut_leaves_only_whole_copies(path: Path, made: int) -> None:
    with Store(path) as store:
        for number in range(200):
            SqliteMemory(store).add_exchange("one", f"question {number}", "Yes.", MONDAY + timedelta(seconds=number))
        child = subprocess.Popen([sys.executable, "-c", COPY_UNTIL_KILLED, path], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        for _ in range(made):
            child.stdout.readline()
        time.sleep(made / 500)
        os.kill(child.pid, signal.SIGKILL)
        child.communicate()
    found = backups(path)
    assert 1 <= len(found) <= GENERATIONS + 1
    for backup in found:
        with closing(sqlite3.connect(backup.path)) as connection:
            assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
            assert connection.execute("SELECT count(*) FROM exchanges").fetchone() == (200,)
