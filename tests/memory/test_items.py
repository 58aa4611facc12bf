from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from appliance.memory.items import SqliteItems
from appliance.memory.store import Store
from appliance.ports import Item, ItemStore
from appliance.simulated import MemoryItems

Open = Callable[[str], ItemStore]
MILK, EGGS, ROOF = {"text": "milk", "count": 2}, {"text": "eggs", "count": None}, {"text": "ask Özlem about the roof"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "appliance.db"


@pytest.fixture(params=["sqlite", "memory"])
def items(request: pytest.FixtureRequest, path: Path) -> Iterator[ItemStore]:
    with ExitStack() as stack:
        sqlite = request.param == "sqlite"
        yield SqliteItems(stack.enter_context(Store(path)), "lists") if sqlite else MemoryItems()


def test_they_come_back_in_the_order_in_which_they_came(items: ItemStore) -> None:
    milk, eggs = items.write(add=[MILK, EGGS])
    (roof,) = items.write(add=[ROOF])
    assert items.all() == [milk, eggs, roof]
    assert [item.body for item in items.all()] == [MILK, EGGS, ROOF]


def test_one_write_adds_changes_and_removes(items: ItemStore) -> None:
    milk, eggs = items.write(add=[MILK, EGGS])
    (roof,) = items.write(add=[ROOF], change=[Item(eggs.id, EGGS | {"count": 12})], remove=[milk.id])
    assert items.all() == [Item(eggs.id, {"text": "eggs", "count": 12}), roof]


def test_what_is_gone_is_passed_over_and_its_number_never_comes_back(items: ItemStore) -> None:
    (milk,) = items.write(add=[MILK])
    items.write(remove=[milk.id])
    items.write(change=[milk], remove=[milk.id])
    (again,) = items.write(add=[MILK])
    assert items.all() == [again]
    assert again.id != milk.id


def test_a_skill_sees_and_touches_its_own_alone(path: Path) -> None:
    with Store(path) as store:
        lists, notes = SqliteItems(store, "lists"), SqliteItems(store, "notes")
        (milk,), (roof,) = lists.write(add=[MILK]), notes.write(add=[ROOF])
        notes.write(change=[Item(milk.id, ROOF)], remove=[milk.id])
        assert (lists.all(), notes.all()) == ([milk], [roof])


def test_all_of_a_write_or_none(path: Path) -> None:
    with Store(path) as store:
        items = SqliteItems(store, "lists")
        (milk,) = items.write(add=[MILK])
        with pytest.raises(TypeError):
            items.write(add=[EGGS, {"text": object()}], remove=[milk.id])
        assert items.all() == [milk]


def test_they_are_there_after_a_restart(path: Path) -> None:
    with Store(path) as store:
        SqliteItems(store, "lists").write(add=[MILK])
    with Store(path) as store:
        assert [item.body for item in SqliteItems(store, "lists").all()] == [MILK]
