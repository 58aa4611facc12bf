"""History, sources and the diary while the card refuses, and once it is back; and errors at any write of theirs."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from appliance.memory import recovery
from appliance.memory.causes import Cause
from appliance.memory.contents import in_memory, nothing_read
from appliance.memory.database import opened
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import State, Store
from appliance.ports import Former

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "appliance.db"


def at_home(memory: SqliteMemory) -> int:
    number = memory.add_exchange("c-1", "I live in Berlin", "Noted.", NOON)
    memory.write_diary(NOON.date(), "The user moved.", NOON)
    return memory.save("The user lives in Berlin", "user", NOON, source=number).id


def away(memory: SqliteMemory, fact_id: int) -> None:
    number = memory.add_exchange("c-2", "I moved to Rome", "Noted.", NOON + DAY)
    memory.update(fact_id, "The user lives in Rome", NOON + DAY, source=number)
    memory.save("The user likes figs", "user", NOON + DAY, person="Ana", confidence=0.5, source=number)
    memory.write_diary(NOON.date(), "The user moved to Rome.", NOON + DAY)
    memory.write_diary(NOON.date() + DAY, "Figs.", NOON + DAY)


def is_whole(memory: SqliteMemory, fact_id: int) -> None:
    assert memory.history(fact_id) == [Former("The user lives in Berlin", NOON, NOON + DAY)]
    assert [fact.text for fact in memory.facts()] == ["The user likes figs", "The user lives in Rome"]
    for fact in memory.facts():
        source = memory.source(fact.id)
        assert source is not None
        assert source.heard == "I moved to Rome"
    assert [each.text for each in memory.diary(date.min, date.max)] == ["The user moved to Rome.", "Figs."]
    assert memory.exchanges() == 2
    assert memory.search("moved Rome", 9)


def test_all_of_it_comes_home_once(path: Path) -> None:
    with Store(path) as store:
        memory = SqliteMemory(store)
        fact_id = at_home(memory)
        store._leave(Cause.READ_ONLY)
        away(memory, fact_id)
        is_whole(memory, fact_id)
        assert store.come_back()
        is_whole(memory, fact_id)
    with Store(path) as store:
        is_whole(SqliteMemory(store), fact_id)


def test_where_the_file_could_not_be_read_nothing_of_it_is_lost(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(path) as store:
        memory = SqliteMemory(store)
        fact_id = at_home(memory)
        memory.update(fact_id, "The user lives in Rome", NOON + DAY)
        with monkeypatch.context() as unreadable:
            unreadable.setattr(recovery, "readable", lambda path: nothing_read())
            store._leave(Cause.READ_ONLY)
        assert memory.facts() == []
        number = memory.add_exchange("c-2", "I do live in Rome", "Noted.", NOON + 2 * DAY)
        again = memory.save("The user lives in Rome", "user", NOON + 2 * DAY, source=number)
        memory.write_diary(NOON.date() + DAY, "Rome.", NOON + 2 * DAY)
        assert store.come_back()
        assert [fact.id for fact in memory.facts()] == [again.id]
        assert [each.text for each in memory.history(again.id)] == ["The user lives in Berlin"]
        source = memory.source(again.id)
        assert source is not None
        assert source.heard == "I do live in Rome"
        assert len(memory.diary(date.min, date.max)) == 2


def test_a_forget_away_from_home_is_one_at_home(path: Path) -> None:
    with Store(path) as store:
        memory = SqliteMemory(store)
        fact_id = at_home(memory)
        memory.update(fact_id, "The user lives in Rome", NOON + DAY)
        memory.write_diary(NOON.date(), "The user lives in Berlin.", NOON)
        store._leave(Cause.READ_ONLY)
        memory.forget(fact_id)
        assert store.come_back()
        assert (memory.facts(), memory.history(fact_id), memory.diary(date.min, date.max)) == ([], [], [])
        assert b"Berlin" not in b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


def test_rows_of_a_release_to_come_are_read_without_what_this_one_does_not_know(path: Path) -> None:
    with Store(path) as store:
        fact_id = at_home(SqliteMemory(store))
    db = opened(path)
    db.execute("ALTER TABLE facts ADD COLUMN mood TEXT NOT NULL DEFAULT 'fine'")
    db.close()
    there = in_memory(recovery.readable(path))
    assert [row["id"] for row in there.table("facts").rows] == [fact_id]


@pytest.mark.parametrize("pages", range(12))
def test_an_error_at_any_page_loses_nothing_that_was_acknowledged(path: Path, pages: int) -> None:
    """SQLite itself refuses the page after so many more, as on a full disk; what it refused is done elsewhere."""
    with Store(path) as store:
        memory = SqliteMemory(store)
        fact_id = at_home(memory)
        with store.read() as db:
            (count,) = db.execute("PRAGMA page_count").fetchone()
            db.execute(f"PRAGMA max_page_count = {count + pages}")
        for number in range(20):
            memory.add_exchange("c-1", f"line {number} {'and so on ' * 90}", "Yes.", NOON + number * HOUR)
            memory.update(fact_id, f"The user lives at number {number} {'of the street ' * 50}", NOON + number * HOUR)
            memory.write_diary(NOON.date() - number * DAY, f"Day {number}. {'So it was. ' * 50}", NOON)
        assert store.state is not State.CLOSED
        store.come_back()
    with Store(path) as store:
        memory = SqliteMemory(store)
        assert memory.exchanges() == 21
        assert len(memory.history(fact_id)) == 20
        assert len(memory.diary(date.min, date.max)) == 20
        with store.read() as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
