"""Small things that survive a restart."""

from __future__ import annotations

import logging

from appliance.memory.backups import keep_values
from appliance.memory.store import FORGOT, Store, tried_again

log = logging.getLogger(__name__)


class SqliteValues:
    """Implements ports.ValueStore. Every method raises StoreUnusable."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @tried_again
    def get(self, key: str) -> str | None:
        with self._store.read() as db:
            row = db.execute("SELECT value FROM kept_values WHERE key = ?", [key]).fetchone()
        return row[0] if row else None

    @tried_again
    def set(self, key: str, value: str) -> None:
        with self._store.write() as db:
            db.table("kept_values").upsert({"key": key, "value": value}, pk="key")
        if not self._store.on_file:  # it may not know of all that the file does
            return
        with self._store.read() as db:  # held while the file is written: one at a time, and the last one knows of all
            values = dict(db.execute("SELECT key, value FROM kept_values WHERE key <> ?", [FORGOT]))
            try:
                keep_values(self._store.path, values)
            except OSError as error:
                log.error("the values are in the database only: %s", error)
