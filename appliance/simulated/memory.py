"""Stores that forget everything when they go."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from appliance.errors import BadArgument, StoreUnusable
from appliance.ports import Fact, FactKind, Item, Memory, Timer
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


class MemoryFacts:
    """A `MemoryStore` that keeps them as long as it lives. The more words of three letters are shared, the better."""

    def __init__(self) -> None:
        self._facts: dict[int, Fact] = {}
        self._exchanges: list[Memory] = []
        self._last = 0

    def save(self, text: str, kind: FactKind, at: datetime) -> Fact:
        same = self._same(text, kind)
        self._last += not same
        fact = Fact(same[0] if same else self._last, text, kind, at)
        self._facts[fact.id] = fact
        return fact

    def update(self, fact_id: int, text: str, at: datetime) -> Fact:
        known = self._known(fact_id)
        for double in self._same(text, known.kind):
            del self._facts[double]
        self._facts[fact_id] = replace(known, text=text, at=at)
        return self._facts[fact_id]

    def forget(self, *fact_ids: int, topic: str = "") -> int:
        facts, before = [self._known(fact_id) for fact_id in fact_ids], len(self._exchanges)
        if re.search(r"\w", topic):
            about = set(_words(topic))
            self._exchanges = [each for each in self._exchanges if not about <= set(_words(each.text))]
        for fact in facts:
            about = {word[:4] for word in _words(fact.text) if len(word) > 2} - {"the", "user"}
            least = max(min(2, len(about)), (len(about) + 1) // 2)
            self._exchanges = [each for each in self._exchanges if _held(about, each.text) < least or not about]
            del self._facts[fact.id]
        return before - len(self._exchanges)

    def forget_all(self) -> None:
        self._facts.clear()
        self._exchanges.clear()

    def facts(self, kind: FactKind | None = None, limit: int | None = None) -> list[Fact]:
        newest = sorted(self._facts.values(), key=lambda fact: (fact.at, fact.id), reverse=True)
        return [fact for fact in newest if kind in (None, fact.kind)][:limit]

    def nearest(self, query: str, limit: int) -> list[Fact]:
        found = [fact for fact in self.facts() if fact.kind != "rule" and _shared(query, fact.text)]
        return sorted(found, key=lambda fact: -_shared(query, fact.text))[:limit]

    def add_exchange(self, conversation: str, heard: str, said: str, at: datetime) -> None:
        self._exchanges.append(Memory(at, f'User: "{heard}" Answer: "{said}"'))

    def exchanges(self) -> int:
        return len(self._exchanges)

    def search(
        self, query: str, limit: int, since: datetime | None = None, until: datetime | None = None
    ) -> list[Memory]:
        known = self._exchanges + [Memory(fact.at, fact.text) for fact in self.facts() if fact.kind != "rule"]
        found = [each for each in known if (not since or since <= each.at) and (not until or each.at < until)]
        alike = _shared if any(_shared(query, each.text) for each in found) else _akin
        best = sorted(found, key=lambda memory: -alike(query, memory.text))[:limit]
        return sorted((each for each in best if alike(query, each.text)), key=lambda each: each.at, reverse=True)

    def _known(self, fact_id: int) -> Fact:
        if fact_id not in self._facts:
            raise BadArgument(f"There is no fact number {fact_id}.")
        return self._facts[fact_id]

    def _same(self, text: str, kind: FactKind) -> list[int]:
        return [fact.id for fact in self.facts(kind) if _words(fact.text) == _words(text)]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower()) or [text]


def _held(stems: set[str], text: str) -> int:
    return len(stems & {word[:4] for word in _words(text)})


def _akin(query: str, text: str) -> int:
    stems = {word[: -2 if len(word) > 6 else -1] if len(word) > 4 else word for word in _words(query)}
    return sum(any(word.startswith(stem) for word in _words(text)) for stem in stems)


def _shared(query: str, text: str) -> int:
    return sum(len(word) > 2 for word in set(_words(query)) & set(_words(text)))
