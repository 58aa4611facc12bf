"""Small things that survive a restart."""

from __future__ import annotations

from appliance.memory.store import Store


class SqliteValues:
    """Implements ports.ValueStore. Every method raises StoreUnusable."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, key: str) -> str | None:
        with self._store.read() as db:
            row = db.execute("SELECT value FROM kept_values WHERE key = ?", [key]).fetchone()
        return row[0] if row else None

    def set(self, key: str, value: str) -> None:
        with self._store.write() as db:
            db.table("kept_values").upsert({"key": key, "value": value}, pk="key")
