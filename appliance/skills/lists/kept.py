"""The lists as they are kept: each is one item of the store, so that every change of a list is on disk whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from appliance.ports import Item, ItemStore, undoable


@dataclass(frozen=True)
class Entry:
    text: str
    """As it was said, with its amount."""
    done: bool = False


Entries = Sequence[Entry]


class Lists:
    def __init__(self, store: ItemStore) -> None:
        self._store = store

    def all(self) -> dict[str, Entries]:
        """Name -> what is on it, the oldest list first. Raises StoreUnusable."""
        return {item.body["name"]: _entries(item) for item in self._store.all()}

    def put(self, name: str, entries: Entries | None) -> None:
        """Let `entries` be what is on the list of that name; None takes the list away. Can be undone.

        Raises StoreUnusable, and Cancelled in a call that nobody waits for; the list is then as it was.
        """
        before = self._put(name, entries)
        undoable(lambda: self._put(name, before))

    def _put(self, name: str, entries: Entries | None) -> Entries | None:
        """Gives what was there: None where there was no such list."""
        item = next((item for item in self._store.all() if item.body["name"] == name), None)
        body = None if entries is None else {"name": name, "entries": [asdict(each) for each in entries]}
        if body and item:
            self._store.write(change=[Item(item.id, body)])
        elif body:
            self._store.write(add=[body])
        elif item:
            self._store.write(remove=[item.id])
        return _entries(item) if item else None


def _entries(item: Item) -> Entries:
    return tuple(Entry(each["text"], each["done"]) for each in item.body["entries"])
