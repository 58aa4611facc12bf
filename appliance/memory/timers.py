"""Timers on disk."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlite_utils import Database

from appliance.memory.store import Store, tried_again
from appliance.ports import Timer

_MOVE = "UPDATE timers SET due = ?, due_trusted = ?, paused_s = NULL WHERE id = ?"


class SqliteTimers:
    """Implements ports.TimerStore. Every method raises StoreUnusable."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @tried_again
    def add(
        self, label: str, seconds: float, due: datetime, due_trusted: bool = True, paused_s: float | None = None
    ) -> Timer:
        with self._store.write() as db:
            return _insert(db, label, seconds, due, paused_s, due_trusted)

    @tried_again
    def replace(
        self, old: Timer, seconds: float, due: datetime, due_trusted: bool = True, paused_s: float | None = None
    ) -> Timer:
        with self._store.write() as db:
            timer = _insert(db, old.label, seconds, due, paused_s, due_trusted)
            db.table("timers").delete_where("id = ?", [old.id])
        return timer

    @tried_again
    def move(self, timer_id: int, due: datetime, due_trusted: bool = True) -> None:
        with self._store.write() as db:
            db.execute(_MOVE, [due.isoformat(), due_trusted, timer_id])

    @tried_again
    def pause(self, timer_id: int, left_s: float) -> None:
        with self._store.write() as db:
            db.execute("UPDATE timers SET paused_s = ? WHERE id = ?", [float(left_s), timer_id])

    @tried_again
    def rang(self, *timer_ids: int) -> None:
        with self._store.write() as db:
            for timer_id in timer_ids:
                db.execute("UPDATE timers SET rang = 1 WHERE id = ?", [timer_id])

    @tried_again
    def remove(self, *timer_ids: int) -> None:
        with self._store.write() as db:
            for timer_id in timer_ids:
                db.table("timers").delete_where("id = ?", [timer_id])

    @tried_again
    def all(self) -> list[Timer]:
        """Sorted here: the text of two moments with different offsets does not sort by time."""
        with self._store.read() as db:
            rows = list(db.table("timers").rows)
        return sorted(map(_timer, rows), key=lambda timer: timer.due)


def _insert(
    db: Database, label: str, seconds: float, due: datetime, paused_s: float | None, due_trusted: bool
) -> Timer:
    row = {"label": label, "seconds": float(seconds), "due": due.isoformat(), "due_trusted": due_trusted}
    timer_id = db.table("timers").insert(row | {"paused_s": paused_s}, pk="id").last_pk
    assert isinstance(timer_id, int)
    return Timer(timer_id, label, seconds, due, paused_s, due_trusted)


def _timer(row: dict[str, Any]) -> Timer:
    due, due_trusted, rang = datetime.fromisoformat(row["due"]), bool(row["due_trusted"]), bool(row["rang"])
    return Timer(row["id"], row["label"], row["seconds"], due, row["paused_s"], due_trusted, rang)
