"""The rows of a database without the file: to go on in memory when the file cannot be used, and to come back."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from secrets import randbelow
from typing import Any

from sqlite_utils import Database

from appliance.memory.migrations import migrations
from appliance.memory.verdict import REBUILD

KEYS = dict.fromkeys(("timers", "exchanges", "facts", "former_facts", "diary", "items"), "id") | {"kept_values": "key"}
"""Every table of what was told, with its primary key; exchanges stand before what names them.

The full-text index is made from them by their triggers, and vectors by a chore (vectors.py).
"""
Row = dict[str, Any]
Rows = dict[str, dict[Any, Row]]
"""Table -> primary key -> row."""
_UNREAD_FROM, _UNREAD_SPREAD = 1_000_000_000, 1_000_000_000
"""Where ids begin in memory when the file could not be read: the file has none of them, so that they can stay."""

_SAME_EXCHANGE = "SELECT id FROM exchanges WHERE moment = :moment AND conversation = :conversation AND heard = :heard"
_SAME_FACT = "SELECT id FROM facts WHERE kind = :kind AND text = :text AND person = :person AND id <> :id"
_NUMBERED = ("timers", "exchanges", "facts", "former_facts", "items")
"""The tables of which no id is used twice."""
_INDEXED = ("facts", "exchanges", "diary")


@dataclass(frozen=True)
class Contents:
    rows: Rows
    last_ids: dict[str, int]
    """Of each table, the highest id that was ever given: none is used again."""


def nothing_read() -> Contents:
    """What is known when no file and no copy can be read."""
    begin = {table: _UNREAD_FROM + randbelow(_UNREAD_SPREAD) for table in _NUMBERED}
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
            columns = {column.name for column in db.table(table).columns}  # a release to come may have more
            for row in rows.values():
                _put(db, table, {name: value for name, value in row.items() if name in columns})
        for table, last in contents.last_ids.items():
            db.execute("DELETE FROM sqlite_sequence WHERE name = ?", [table])
            db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, last])


def bring_home(before: Rows, now: Rows, db: Database) -> None:
    """Write into `db` what became of `before`, in the caller's transaction. The same once more changes nothing."""
    exchanges = dict[Any, int]()
    for table, key in KEYS.items():
        for gone in before[table].keys() - now[table].keys():
            db.execute(f"DELETE FROM {table} WHERE {key} = ?", [gone])
        for each, row in now[table].items():
            if table == "exchanges" and each not in before[table]:
                exchanges[each] = _bring_exchange(db, row)
            elif row != before[table].get(each):
                said_in = row.get("source")
                _bring(db, table, row | ({"source": exchanges[said_in]} if said_in in exchanges else {}))
    if any(before[table].keys() - now[table].keys() for table in _INDEXED):
        db.execute(REBUILD)


def _bring_exchange(db: Database, row: Row) -> int:
    """Under an id of the file: one far above the others would count them as too old. Gives that id."""
    if not db.execute(_SAME_EXCHANGE, row).fetchone():
        _put(db, "exchanges", {name: value for name, value in row.items() if name != "id"})
    return int(db.execute(_SAME_EXCHANGE, row).fetchone()[0])


def _bring(db: Database, table: str, row: Row) -> None:
    """A fact that the file holds under another id gives it its history."""
    if table == "facts" and (same := db.execute(_SAME_FACT, row).fetchone()):
        db.execute("UPDATE former_facts SET fact_id = ? WHERE fact_id = ?", [row["id"], *same])
        db.execute("DELETE FROM facts WHERE id = ?", [*same])
    _put(db, table, row)


def _put(db: Database, table: str, row: Row) -> None:
    """Not REPLACE, which fires no trigger for the row that goes."""
    names, key = list(row), KEYS[table]
    values, renewed = ", ".join(f":{name}" for name in names), ", ".join(f"{name} = excluded.{name}" for name in names)
    db.execute(
        f"INSERT INTO {table} ({', '.join(names)}) VALUES ({values}) ON CONFLICT({key}) DO UPDATE SET {renewed}", row
    )
