"""What a database is made of, for whoever helps its owner: its schema and how much it holds, never a row."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path

from appliance.memory import database
from appliance.memory.contents import KEYS
from appliance.memory.migrations import migrations

BESIDE = (
    *("-wal", "-shm", ".lock", ".reserve", ".values", ".may-listen", ".marked", ".erasing"),
    *(".draft", ".values-draft", ".probe"),
    *(".backup-", ".damaged-"),  # and behind these when it was
)
"""Ends of the names that stand beside the database's; the last two are only how they begin."""
OTHERS = ("clock", "settings.good.toml", "ends.json", "last-end", "snapshots", "support.tar.gz")
"""Of the state folder."""


def outline(path: Path) -> dict[str, object]:
    """Raises sqlite3.Error, OSError."""
    path.stat()  # SQLite says less of what is not there
    with closing(database.connected(path, "?mode=ro")) as db:
        rows = {table: db.table(table).count for table in KEYS if db.table(table).exists()}
        applied = len(migrations.applied(db))
        pending = [each.name for each in migrations.pending(db)]
    return {"sqlite": sqlite3.sqlite_version, "schema": applied, "pending": pending, "rows": rows}


def sizes(state: Path, name: str) -> dict[str, int]:
    """Bytes in the state folder by the names that are known; all the rest is "other". name: the database's.

    Raises OSError.
    """
    found = Counter[str]()
    for file in state.rglob("*"):
        with suppress(OSError):  # gone meanwhile
            if file.is_file():
                found[_known(file.relative_to(state).parts[0], name)] += file.stat().st_size
    return dict(sorted(found.items()))


def _known(file: str, name: str) -> str:
    """A name that says nothing of its owner."""
    if file in (name, *OTHERS, *(f"{name}{end}" for end in BESIDE)):
        return file
    return next((f"{name}{end}*" for end in BESIDE[-2:] if file.startswith(f"{name}{end}")), "other")
