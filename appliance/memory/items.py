"""What the skills keep, in one table."""

from __future__ import annotations

import json
from collections.abc import Sequence

from appliance.memory.store import Store, tried_again
from appliance.ports import Item
from appliance.ports.items import Body


class SqliteItems:
    """Implements ports.ItemStore."""

    def __init__(self, store: Store, skill: str) -> None:
        self._store, self._skill = store, skill

    @tried_again
    def all(self) -> list[Item]:
        with self._store.read() as db:
            rows = db.execute("SELECT id, body FROM items WHERE skill = ? ORDER BY id", [self._skill]).fetchall()
        return [Item(number, json.loads(body)) for number, body in rows]

    @tried_again
    def write(self, add: Sequence[Body] = (), change: Sequence[Item] = (), remove: Sequence[int] = ()) -> list[Item]:
        added = list[Item]()
        with self._store.write() as db:
            for number in remove:
                db.execute("DELETE FROM items WHERE id = ? AND skill = ?", [number, self._skill])
            for item in change:
                values = [_json(item.body), item.id, self._skill]
                db.execute("UPDATE items SET body = ? WHERE id = ? AND skill = ?", values)
            for body in add:
                last = db.table("items").insert({"skill": self._skill, "body": _json(body)}, pk="id").last_pk
                assert isinstance(last, int)
                added.append(Item(last, body))
        return added


def _json(body: Body) -> str:
    return json.dumps(dict(body), ensure_ascii=False)
