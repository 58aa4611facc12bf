"""The rows of a database without the file: to go on in memory when the file cannot be used, and to come back."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from secrets import randbelow
from typing import Any

from sqlite_utils import Database

from appliance.memory.migrations import migrations
from appliance.memory.verdict import REBUILD

KEYS = {"timers": "id", "facts": "id", "exchanges": "id", "items": "id", "kept_values": "key"}
"""Every table of what was told, with its primary key. The full-text index is made from them by their triggers."""
Row = dict[str, Any]
Rows = dict[str, dict[Any, Row]]
"""Table -> primary key -> row."""
_UNREAD_FROM, _UNREAD_SPREAD = 1_000_000_000, 1_000_000_000
"""Where ids begin in memory when the file could not be read: the file has none of them, so that they can stay."""

_SAME_EXCHANGE = "SELECT 1 FROM exchanges WHERE conversation = :conversation AND heard = :heard AND at = :at"
_SAME_FACT = "DELETE FROM facts WHERE kind = :kind AND text = :text AND id <> :id"


@dataclass(frozen=True)
class Contents:
    rows: Rows
    last_ids: dict[str, int]
    """Of each table, the highest id that was ever given: none is used again."""


def nothing_read() -> Contents:
    """What is known when no file and no copy can be read."""
    begin = {table: _UNREAD_FROM + randbelow(_UNREAD_SPREAD) for table, key in KEYS.items() if key == "id"}
    return Contents({table: {} for table in KEYS}, begin)


def rows_of(db: Database) -> Rows:
    """Raises sqlite3.Error."""
    return {table: {row[key]: row for row in db.table(table).rows} for table, key in KEYS.items()}


def contents_of(db: Database) -> Contents:
    """Raises sqlite3.Error."""
    return Contents(rows_of(db), dict(db.execute("SELECT name, seq FROM sqlite_sequence")))


def in_memory(contents: Contents) -> Database:
    """A database that is lost with the process."""
    db = Database(sqlite3.connect(":memory:", check_same_thread=False), execute_plugins=False)
    fill(db, contents)
    return db


def fill(db: Database, contents: Contents) -> None:
    """Make an empty database one that holds these. Raises sqlite3.Error."""
    migrations.apply(db)
    with db.conn:
        for table, rows in contents.rows.items():
            for row in rows.values():
                _put(db, table, row)
        for table, last in contents.last_ids.items():
            db.execute("DELETE FROM sqlite_sequence WHERE name = ?", [table])
            db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, last])


def bring_home(before: Rows, now: Rows, db: Database) -> None:
    """Write into `db` what became of `before`, in the caller's transaction. The same once more changes nothing."""
    for table, key in KEYS.items():
        for gone in before[table].keys() - now[table].keys():
            db.execute(f"DELETE FROM {table} WHERE {key} = ?", [gone])
        for each, row in now[table].items():
            if row != before[table].get(each):
                _bring(db, table, row, new=each not in before[table])
    if any(before[table].keys() - now[table].keys() for table in ("facts", "exchanges")):
        db.execute(REBUILD)


def _bring(db: Database, table: str, row: Row, new: bool) -> None:
    if table == "exchanges" and new:  # nobody holds its id, and an id far above the others would count them as too old
        if not db.execute(_SAME_EXCHANGE, row).fetchone():
            _put(db, table, {name: value for name, value in row.items() if name != "id"})
        return
    if table == "facts":
        db.execute(_SAME_FACT, row)
    _put(db, table, row)


def _put(db: Database, table: str, row: Row) -> None:
    """Not REPLACE, which fires no trigger for the row that goes."""
    names, key = list(row), KEYS[table]
    values, renewed = ", ".join(f":{name}" for name in names), ", ".join(f"{name} = excluded.{name}" for name in names)
    db.execute(
        f"INSERT INTO {table} ({', '.join(names)}) VALUES ({values}) ON CONFLICT({key}) DO UPDATE SET {renewed}", row
    )
