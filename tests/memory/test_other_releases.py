"""A database of a release that comes after this one, and a change of its tables that fails: nothing is lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlite_utils import Database, Migrations

from appliance.errors import StoreUnusable
from appliance.memory import database
from appliance.memory.facts import SqliteMemory
from appliance.memory.migrations import migrations
from appliance.memory.store import Store
from appliance.memory.timers import SqliteTimers

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


def after(change: Callable[[Database], None]) -> Migrations:
    """Those of a release after this one: all of ours, and one more."""
    theirs = Migrations("appliance")
    for each in migrations._migrations:
        theirs._migrations.append(each)
    theirs()(change)
    return theirs


def rooms(db: Database) -> None:
    """Of the release to come: where a timer was set, and a table of rooms."""
    db.execute("ALTER TABLE timers ADD COLUMN room TEXT NOT NULL DEFAULT 'here'")
    db.execute("CREATE TABLE rooms (name TEXT PRIMARY KEY) STRICT")
    db.execute("INSERT INTO rooms VALUES ('kitchen')")


def half(db: Database) -> None:
    """Fails once it has changed something."""
    db.execute("ALTER TABLE timers ADD COLUMN room TEXT NOT NULL DEFAULT 'here'")
    db.execute("UPDATE timers SET label = 'spoilt'")
    db.execute("INSERT INTO no_such_table VALUES (1)")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Store(tmp_path / "box.db") as store:
        SqliteTimers(store).add("stew", 300, NOON)
        SqliteMemory(store).save("Anna drinks tea", "user", NOON)
    return tmp_path / "box.db"


def knows(path: Path, *more: str) -> None:
    """It opens without a word, and holds what it held."""
    with Store(path) as store:
        assert store.notice == ""
        assert [timer.label for timer in SqliteTimers(store).all()] == ["stew", *more]
        assert [fact.text for fact in SqliteMemory(store).facts()] == ["Anna drinks tea"]


def test_release_that_is_older_than_the_database_reads_and_writes_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An update, a timer in the kitchen, the way back, a timer more, and the update again."""
    with monkeypatch.context() as newer:
        newer.setattr(database, "migrations", after(rooms))
        Store(path).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE timers SET room = 'kitchen'")
    knows(path)
    with Store(path) as store:
        SqliteTimers(store).add("rice", 60, NOON)
    knows(path, "rice")
    with monkeypatch.context() as newer:
        newer.setattr(database, "migrations", after(rooms))
        knows(path, "rice")
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT label, room FROM timers").fetchall() == [("stew", "kitchen"), ("rice", "here")]
        assert db.execute("SELECT name FROM rooms").fetchall() == [("kitchen",)]


def test_change_of_the_tables_that_fails_leaves_them_to_the_release_before(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as newer:
        newer.setattr(database, "migrations", after(half))
        with pytest.raises(StoreUnusable, match="no_such_table"):
            Store(path)
    knows(path)
    assert not list(path.parent.glob("*.damaged-*")), "a mistake of the release is no damage of the card"
