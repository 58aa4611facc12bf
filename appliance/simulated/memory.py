"""Stores that forget everything when they go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from appliance.errors import StoreUnusable
from appliance.ports import Item, Timer
from appliance.ports.items import Body


class MemoryTimers:
    """A `TimerStore` that keeps them as long as it lives."""

    def __init__(self) -> None:
        self._timers: dict[int, Timer] = {}
        self._last = 0

    def add(
        self, label: str, seconds: float, due: datetime, due_trusted: bool = True, paused_s: float | None = None
    ) -> Timer:
        self._last += 1
        self._timers[self._last] = Timer(self._last, label, seconds, due, paused_s, due_trusted)
        return self._timers[self._last]

    def replace(
        self, old: Timer, seconds: float, due: datetime, due_trusted: bool = True, paused_s: float | None = None
    ) -> Timer:
        self.remove(old.id)
        return self.add(old.label, seconds, due, due_trusted, paused_s)

    def move(self, timer_id: int, due: datetime, due_trusted: bool = True) -> None:
        self._timers[timer_id] = replace(self._timers[timer_id], due=due, paused_s=None, due_trusted=due_trusted)

    def pause(self, timer_id: int, left_s: float) -> None:
        self._timers[timer_id] = replace(self._timers[timer_id], paused_s=left_s)

    def rang(self, *timer_ids: int) -> None:
        for timer_id in timer_ids:
            self._timers[timer_id] = replace(self._timers[timer_id], rang=True)

    def remove(self, *timer_ids: int) -> None:
        for timer_id in timer_ids:
            self._timers.pop(timer_id, None)

    def all(self) -> list[Timer]:
        return sorted(self._timers.values(), key=lambda timer: timer.due)


class MemoryItems:
    """An `ItemStore` that keeps them as long as it lives."""

    def __init__(self) -> None:
        self._items: dict[int, Item] = {}
        self._last = 0

    def all(self) -> list[Item]:
        return list(self._items.values())

    def write(self, add: Sequence[Body] = (), change: Sequence[Item] = (), remove: Sequence[int] = ()) -> list[Item]:
        for number in remove:
            self._items.pop(number, None)
        self._items.update({item.id: item for item in change if item.id in self._items})
        added = [Item(self._last + at, body) for at, body in enumerate(add, 1)]
        self._last += len(added)
        self._items.update({item.id: item for item in added})
        return added


class RefusingItems(MemoryItems):
    """On a disk that takes nothing while it is `full`."""

    full = False

    def write(self, add: Sequence[Body] = (), change: Sequence[Item] = (), remove: Sequence[int] = ()) -> list[Item]:
        if self.full:
            raise StoreUnusable("the disk is full", remedy="free some space")
        return super().write(add, change, remove)


class MemoryValues:
    """A `ValueStore` that keeps them as long as it lives."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    def get(self, key: str) -> str | None:
        return self._values.get(key)

    def set(self, key: str, value: str) -> None:
        self._values[key] = value
