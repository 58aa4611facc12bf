"""How the database grew: each function is applied once, in order, and recorded in the table _sqlite_migrations.

A function that was released is never edited: the next change is the next function. Changes only add (columns, tables),
so that the release before can still read the file after a rollback.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("appliance")


@migrations()
def timers(db: Database) -> None:
    """`id` is never used twice. `due` is ISO 8601 with its UTC offset, to be read by people."""
    db.execute(
        "CREATE TABLE timers (id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT NOT NULL, seconds REAL NOT NULL,"
        " due TEXT NOT NULL) STRICT"
    )


@migrations()
def kept_values(db: Database) -> None:
    """Small things that survive a restart, such as the volume."""
    db.execute("CREATE TABLE kept_values (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
