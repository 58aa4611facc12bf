from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from appliance.errors import StoreUnusable
from appliance.memory.backups import kept_values
from appliance.memory.database import DAMAGED_KEPT
from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers
from appliance.memory.values import SqliteValues
from appliance.ports import Timer, TimerStore, ValueStore
from appliance.simulated import MemoryTimers, MemoryValues

DUE = datetime(2025, 11, 21, 15, 5, tzinfo=ZoneInfo("Europe/Berlin"))
DUE_SOONER = datetime(2025, 11, 21, 9, 0, tzinfo=ZoneInfo("America/New_York"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "appliance.db"


@pytest.fixture(params=["sqlite", "memory"])
def timers(request: pytest.FixtureRequest, path: Path) -> TimerStore:
    return SqliteTimers(_store(request, path)) if request.param == "sqlite" else MemoryTimers()


@pytest.fixture(params=["sqlite", "memory"])
def values(request: pytest.FixtureRequest, path: Path) -> ValueStore:
    return SqliteValues(_store(request, path)) if request.param == "sqlite" else MemoryValues()


def _store(request: pytest.FixtureRequest, path: Path) -> Store:
    store = Store(path)
    request.addfinalizer(store.close)
    return store


class TestTimers:
    def test_they_come_back_soonest_first_whatever_their_zone(self, timers: TimerStore) -> None:
        late = timers.add("pasta", 300, DUE)
        early = timers.add("", 60.5, DUE_SOONER)
        assert timers.all() == [early, late]

    def test_a_move_and_a_removal_touch_one(self, timers: TimerStore) -> None:
        one, other = timers.add("one", 1, DUE), timers.add("other", 2, DUE)
        timers.move(one.id, DUE_SOONER)
        assert [timer.due for timer in timers.all()] == [DUE_SOONER, DUE]
        timers.remove(other.id)
        timers.remove(other.id)
        assert [timer.id for timer in timers.all()] == [one.id]

    def test_the_release_before_can_read_and_write_timers(self, path: Path) -> None:
        """By the columns of the first release alone."""
        with Store(path) as store:
            timers = SqliteTimers(store)
            timers.pause(timers.add("stew", 300, DUE, due_trusted=False).id, 60)
            timers.rang(timers.add("tea", 60, DUE).id)
            with store.write() as db:
                db.execute("INSERT INTO timers (label, seconds, due) VALUES ('egg', 300, ?)", [DUE.isoformat()])
                db.execute("UPDATE timers SET due = ? WHERE label = 'egg'", [DUE_SOONER.isoformat()])
                rows = db.execute("SELECT label, seconds, due FROM timers ORDER BY id").fetchall()
            assert [row[0] for row in rows] == ["stew", "tea", "egg"]
            assert timers.all()[0] == Timer(3, "egg", 300, DUE_SOONER, None, due_trusted=True, rang=False)

    def test_what_is_known_of_a_timer_comes_back(self, timers: TimerStore) -> None:
        timer = timers.add("tea", 60, DUE, due_trusted=False)
        assert timers.all() == [timer]
        timers.rang(timer.id)
        assert (timers.all()[0].rang, timers.all()[0].due_trusted) == (True, False)
        timers.move(timer.id, DUE_SOONER)
        assert (timers.all()[0].due, timers.all()[0].due_trusted) == (DUE_SOONER, True)

    def test_an_id_is_never_used_again(self, timers: TimerStore) -> None:
        first = timers.add("", 1, DUE)
        timers.remove(first.id)
        assert timers.add("", 1, DUE).id != first.id


class TestValues:
    def test_the_last_one_counts(self, values: ValueStore) -> None:
        assert values.get("volume") is None
        values.set("volume", "40")
        values.set("volume", "60")
        values.set("mute", "no")
        assert values.get("volume") == "60"

    def test_the_file_beside_the_database_has_the_last_of_each(
        self, path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        """It is what mutes a box whose database was damaged; button and voice may keep a value at once."""
        with Store(path) as store:
            threads = [
                threading.Thread(target=_count_to_seven, args=(SqliteValues(store), name)) for name in "abcdefgh"
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert kept_values(path) == dict.fromkeys("abcdefgh", "7")
        assert caplog.messages == []


class TestFile:
    def test_what_was_stored_is_there_after_a_restart(self, path: Path) -> None:
        with Store(path) as store:
            timer = SqliteTimers(store).add("pasta", 300, DUE)
        with Store(path) as store:
            assert SqliteTimers(store).all() == [timer]
            assert store.notice == ""

    def test_the_owner_can_read_it_with_any_sqlite_tool(self, path: Path) -> None:
        with Store(path) as store:
            SqliteTimers(store).add("pasta", 300, DUE)
            with sqlite3.connect(path) as owner:
                rows = owner.execute("SELECT label, seconds, due FROM timers").fetchall()
            owner.close()
        assert rows == [("pasta", 300.0, "2025-11-21T15:05:00+01:00")]

    def test_a_commit_survives_a_power_cut(self, path: Path) -> None:
        with Store(path) as store, store.read() as db:
            assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert db.execute("PRAGMA synchronous").fetchone() == (2,), "2 is FULL"
            assert db.execute("PRAGMA foreign_keys").fetchone() == (1,)

    def test_a_transaction_is_whole_or_absent(self, path: Path) -> None:
        with Store(path) as store:
            values = SqliteValues(store)
            with pytest.raises(StoreUnusable):
                _write_one_good_and_one_bad_row(store)
            assert values.get("a") is None

    def test_migrations_are_applied_once_and_recorded(self, path: Path) -> None:
        for _ in range(2):
            with Store(path) as store, store.read() as db:
                names = [row["name"] for row in db.table("_sqlite_migrations").rows]
        assert names[:2] == ["timers", "kept_values"]
        assert len(names) == len(set(names))

    def test_only_one_may_write(self, path: Path) -> None:
        with Store(path), pytest.raises(StoreUnusable, match="another appliance is using it"):
            Store(path)
        Store(path).close()

    def test_another_process_may_look_while_it_runs(self, path: Path) -> None:
        with Store(path) as store:
            timer = SqliteTimers(store).add("pasta", 300, DUE)
            with Store(path, readonly=True) as look:
                assert SqliteTimers(look).all() == [timer]
                with pytest.raises(StoreUnusable, match="may not be written"):
                    SqliteTimers(look).add("", 1, DUE)

    def test_closing_twice_is_fine_and_use_after_it_is_explained(self, path: Path) -> None:
        store = Store(path)
        store.close()
        store.close()
        with pytest.raises(StoreUnusable):
            SqliteTimers(store).all()

    def test_threads_take_turns(self, path: Path) -> None:
        with Store(path) as store:
            timers = SqliteTimers(store)
            threads = [threading.Thread(target=lambda: [timers.add("", 1, DUE) for _ in range(10)]) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert len({timer.id for timer in timers.all()}) == 80


def _count_to_seven(values: SqliteValues, key: str) -> None:
    for number in range(8):
        values.set(key, str(number))


def _write_one_good_and_one_bad_row(store: Store) -> None:
    with store.write() as db:
        db.table("kept_values").insert({"key": "a", "value": "1"})
        db.execute("INSERT INTO kept_values VALUES ('b', NULL)")


def _header(data: bytes) -> bytes:
    return b"not a database at all" + data[21:]


def _zeroed_page(data: bytes) -> bytes:
    return data[:4096] + bytes(4096) + data[8192:]


def _cut_off(data: bytes) -> bytes:
    return data[: len(data) // 2]


class TestBadDays:
    @pytest.mark.parametrize("damage", [_header, _zeroed_page, _cut_off])
    def test_a_damaged_file_is_kept_aside_and_a_new_one_begun(
        self, path: Path, damage: Callable[[bytes], bytes]
    ) -> None:
        with Store(path) as store:
            SqliteTimers(store).add("pasta", 300, DUE)
        damaged = damage(path.read_bytes())
        path.write_bytes(damaged)
        with Store(path) as store:
            assert "My memory was damaged" in store.notice
            SqliteTimers(store).add("new", 300, DUE)
        kept = list(path.parent.glob("appliance.db.damaged-*"))
        assert [each.read_bytes() for each in kept] == [damaged]
        with Store(path) as store:
            assert store.notice == ""

    def test_of_damaged_files_the_first_and_the_newest_are_kept(self, path: Path) -> None:
        Store(path).close()
        for number in range(DAMAGED_KEPT + 2):
            path.write_bytes(b"damaged %d" % number * 100)
            path.with_name("appliance.db-wal").write_bytes(b"its journal")
            Store(path).close()
        kept = [each for each in sorted(path.parent.glob("*.damaged-*")) if not each.name.endswith("-wal")]
        assert [each.read_bytes()[:9] for each in kept] == [b"damaged 0", b"damaged 3", b"damaged 4"]
        assert len(list(path.parent.glob("*.damaged-*"))) <= 2 * DAMAGED_KEPT

    def test_a_folder_that_cannot_be_made_is_explained(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(StoreUnusable, match="its folder cannot be used"):
            Store(tmp_path / "file" / "appliance.db")

    def test_a_folder_in_place_of_the_file_is_explained(self, path: Path) -> None:
        path.mkdir(parents=True)
        for _ in range(2):  # the second time proves that the lock was given back
            with pytest.raises(StoreUnusable, match="cannot be opened"):
                Store(path)

    def test_a_look_at_what_is_not_there_is_explained(self, path: Path) -> None:
        with pytest.raises(StoreUnusable):
            Store(path, readonly=True)
        assert not path.exists()


ADD_UNTIL_KILLED = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers
timers = SqliteTimers(Store(Path(sys.argv[1])))
while True:
    print(timers.add("pasta", 300, datetime.now(UTC)).id, flush=True)
"""


@pytest.mark.parametrize("acknowledged", range(1, 11))
def test_a_killed_process_loses_nothing_it_acknowledged(path: Path, acknowledged: int) -> None:
    child = subprocess.Popen([sys.executable, "-c", ADD_UNTIL_KILLED, str(path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    ids = [int(child.stdout.readline()) for _ in range(acknowledged)]
    child.send_signal(signal.SIGKILL)
    ids += [int(line) for line in child.stdout if line.endswith("\n")]
    child.wait()
    with Store(path) as store:
        kept = {timer.id for timer in SqliteTimers(store).all()}
    assert store.notice == ""
    assert set(ids) <= kept
