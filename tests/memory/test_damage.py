"""Damage that comes while the box runs, and damage that SQLite's own checks do not see: found, mended, and told."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from appliance.memory.backups import Damaged, back_up, backups
from appliance.memory.causes import OF_THE_CARD
from appliance.memory.facts import SqliteMemory
from appliance.memory.sentences import sentences
from appliance.memory.store import State, Store
from appliance.memory.timers import SqliteTimers
from appliance.memory.upkeep import COME_BACK_S, RETRY_S, Upkeep
from appliance.simulated import HandSetClock

MONDAY = datetime(2026, 5, 4, 7, 30, tzinfo=UTC)
INDEX_SPOILED = {
    "words": "UPDATE memory_words_data SET block = x'deadbeef' WHERE id > 10",
    "structure": "UPDATE memory_words_data SET block = x'deadbeef' WHERE id = 10",
    "lengths": "UPDATE memory_words_docsize SET sz = x'ffffffffffffffffff'",
    "everything": "DELETE FROM memory_words_data",
    "version": "DELETE FROM memory_words_config",
    "a row": "INSERT INTO memory_words(memory_words, rowid, text) VALUES ('delete', 1, 'Anna drinks tea')",
}
"""Each leaves the tables whole; of each, quick_check and integrity_check of SQLite 3.40 say ok."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "appliance.db"


def spoil(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def a_box_that_knows_something(path: Path) -> Store:
    store = Store(path)
    SqliteMemory(store).save("Anna drinks tea", "user", MONDAY)
    SqliteMemory(store).add_exchange("one", "my knee hurts", "Sorry.", MONDAY)
    SqliteTimers(store).add("pasta", 300, MONDAY)
    return store


def zero_all_but_the_header(store: Store) -> None:
    """Nothing of it is in SQLite's cache or in the journal any more."""
    store.leave_no_trace()
    size = store.path.stat().st_size
    with store.path.open("r+b") as file:
        file.seek(4096)
        file.write(bytes(size - 4096))
    with store.read() as db:
        db.execute("PRAGMA shrink_memory")


@pytest.mark.parametrize("sql", INDEX_SPOILED.values(), ids=INDEX_SPOILED)
class TestIndex:
    def test_it_is_made_anew_at_the_start_and_nothing_is_lost(self, path: Path, sql: str) -> None:
        a_box_that_knows_something(path).close()
        spoil(path, sql)
        with Store(path) as store:
            assert (store.state, store.notice) == (State.OPEN, "")
            memory = SqliteMemory(store)
            assert [fact.text for fact in memory.nearest("tea", 3)] == ["Anna drinks tea"]
            assert len(memory.search("knee", 3)) == 1
            assert [timer.label for timer in SqliteTimers(store).all()] == ["pasta"]
            memory.save("Bob drinks coffee", "user", MONDAY)

    def test_it_is_copied_over_no_good_copy(self, path: Path, sql: str) -> None:
        with a_box_that_knows_something(path):
            good = back_up(path, datetime(2026, 5, 4))
            spoil(path, sql)
            with pytest.raises(Damaged):
                back_up(path, datetime(2026, 5, 5))
        assert backups(path) == [good]
        assert not list(path.parent.glob("*draft*"))

    def test_a_copy_that_holds_it_is_as_good_as_its_tables(self, path: Path, sql: str) -> None:
        with a_box_that_knows_something(path):
            spoil(back_up(path, datetime(2026, 5, 4)).path, sql)
        path.write_bytes(b"not a database at all")
        with Store(path) as store:
            assert "May 4" in store.notice
            assert [fact.text for fact in SqliteMemory(store).nearest("tea", 3)] == ["Anna drinks tea"]


class TestWhileItRuns:
    def test_a_damaged_index_is_made_anew_in_the_write_that_meets_it(self, path: Path) -> None:
        with a_box_that_knows_something(path) as store:
            spoil(path, INDEX_SPOILED["structure"])
            SqliteMemory(store).save("Bob drinks coffee", "user", MONDAY)
            assert (store.state, store.notice) == (State.OPEN, "")
            assert [fact.text for fact in SqliteMemory(store).nearest("coffee", 3)] == ["Bob drinks coffee"]

    def test_the_daily_copy_finds_it_and_has_it_mended(self, path: Path) -> None:
        with a_box_that_knows_something(path) as store:
            clock = HandSetClock(MONDAY)
            upkeep = Upkeep(store, clock, lambda: True)
            spoil(path, INDEX_SPOILED["words"])
            clock.pass_time(RETRY_S)
            upkeep.look()
            assert backups(path) == []
            clock.pass_time(RETRY_S)
            upkeep.look()
            assert len(backups(path)) == 1

    def test_a_damaged_file_gives_way_to_its_copy_at_once_and_the_loss_is_told(self, path: Path) -> None:
        with a_box_that_knows_something(path) as store:
            back_up(path, datetime(2026, 5, 4))
            SqliteMemory(store).save("Bob drinks coffee", "user", MONDAY)
            zero_all_but_the_header(store)
            assert [fact.text for fact in SqliteMemory(store).facts()] == ["Anna drinks tea"]
            assert store.state is State.REOPENED
            assert store.notice.startswith("My memory was damaged. I am back at my copy of Monday, May 4.")
            assert len(list(path.parent.glob("*.damaged-*"))) >= 1
            store.told(store.notice)
            assert store.notice == ""

    def test_damage_that_comes_again_is_left_for_the_memory(self, path: Path) -> None:
        with a_box_that_knows_something(path) as store:
            for _ in range(2):
                zero_all_but_the_header(store)
                assert SqliteTimers(store).all() == []
            assert store.state is State.MEMORY_ONLY
            assert store.trouble.startswith("My memory is damaged")
            SqliteTimers(store).add("eggs", 300, MONDAY)
            assert store.come_back()
        with Store(path) as store:
            assert [timer.label for timer in SqliteTimers(store).all()] == ["eggs"]

    def test_a_journal_that_was_removed_costs_nothing(self, path: Path) -> None:
        store = a_box_that_knows_something(path)
        path.with_name("appliance.db-wal").unlink()
        store.look_after()
        assert (store.state, store.notice) == (State.REOPENED, "")
        store.close()
        with Store(path) as store:
            assert [timer.label for timer in SqliteTimers(store).all()] == ["pasta"]


ADD_AND_WAIT = """
import sys, time
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers
store = Store(Path(sys.argv[1]))
SqliteTimers(store).add("pasta", 300, datetime.now(UTC))
print("added", flush=True)
time.sleep(60)
"""


def test_a_journal_that_is_missing_after_a_power_cut_is_told(path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", ADD_AND_WAIT, path], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "added\n"
    child.send_signal(signal.SIGKILL)
    child.communicate()
    path.with_name("appliance.db-wal").unlink()
    with Store(path) as store:
        assert store.notice.startswith("A part of my memory has gone.")
    with Store(path) as store:
        assert store.notice == ""


def test_the_way_back_is_tried_after_a_minute_and_then_less_often(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = list[float]()
    with Store(path) as store:
        clock = HandSetClock(MONDAY)
        upkeep = Upkeep(store, clock, lambda: True)
        store.state = State.MEMORY_ONLY
        monkeypatch.setattr(store, "come_back", lambda: tried.append(clock.monotonic()))
        for _ in range(40):
            clock.pass_time(COME_BACK_S)
            upkeep.mend()
        waits = [after - before for before, after in pairwise(tried)]
        assert waits[:5] == [2 * COME_BACK_S, 4 * COME_BACK_S, 8 * COME_BACK_S, RETRY_S, RETRY_S]


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_cause_of_the_cards_has_its_sentences(language: str) -> None:
    words = sentences(language)
    causes = {cause.value for cause in OF_THE_CARD}
    assert words.trouble.keys() == words.until_off.keys() == causes
