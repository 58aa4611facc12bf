"""What is found in other words than its own; and that vectors come and go with what they are of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from appliance.language.meanings import meanings
from appliance.memory import vectors
from appliance.memory.causes import Cause
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import State, Store
from appliance.memory.vectors import SCALE
from appliance.ports import Meanings

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)
TABLE = meanings("en")


class Renamed:
    """The same vectors, as another table would give them."""

    name = "another"

    def of(self, text: str) -> NDArray[np.float32]:
        assert TABLE
        return TABLE.of(text)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "appliance.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as store:
        yield store


@pytest.fixture
def memory(store: Store) -> SqliteMemory:
    return remembering(store)


def remembering(store: Store, table: Meanings | None = TABLE, most: int | None = None) -> SqliteMemory:
    assert table
    return SqliteMemory(store, most, table)


def kept(store: Store) -> Mapping[int, str]:
    """Id in the full-text index -> table of meanings."""
    with store.read() as db:
        return dict(db.execute("SELECT id, made_by FROM vectors"))


def texts_of(store: Store) -> set[int]:
    with store.read() as db:
        return {number for (number,) in db.execute("SELECT id FROM memories")}


def several(memory: SqliteMemory) -> None:
    memory.save("The user's car is a green Peugeot.", "user", NOON)
    memory.save("The user's dentist is Doctor Pell.", "user", NOON)
    memory.save("The dustbins are collected on Thursday.", "world", NOON)
    memory.save("Keep it short.", "rule", NOON)
    memory.add_exchange("c-1", "how deep do whales dive", "Down to two kilometres.", NOON)
    memory.write_diary(NOON.date() - DAY, "The user planned a journey to Lisbon.", NOON)


def test_a_fact_is_found_though_no_word_is_shared(store: Store, memory: SqliteMemory) -> None:
    several(memory)
    assert memory.nearest("which vehicle do I own", 1)[0].text == "The user's car is a green Peugeot."
    assert "Peugeot" not in str(SqliteMemory(store).nearest("which vehicle do I own", 1))
    assert memory.nearest("who looks after my teeth", 1)[0].text == "The user's dentist is Doctor Pell."
    assert "journey" in memory.search("the trip to Portugal", 1)[0].text


def test_what_is_about_something_else_is_not_found(memory: SqliteMemory) -> None:
    several(memory)
    assert memory.nearest("sqrt of eleven", 3) == []
    assert memory.search("?!", 3) == []


def test_rules_and_others_facts_are_not_found(memory: SqliteMemory) -> None:
    memory.save("Speak of vehicles with respect.", "rule", NOON)
    memory.save("The user's car is a green Peugeot.", "user", NOON, person="Ana")
    assert memory.nearest("automobile", 3, "Ben") == []
    assert memory.search("automobile", 3, person="Ben") == []
    assert len(memory.search("automobile", 3, person="Ana")) == 1


def test_the_span_holds_for_meanings_too(memory: SqliteMemory) -> None:
    several(memory)
    assert not any("journey" in each.text for each in memory.search("a voyage", 3, NOON - DAY / 2))
    assert len(memory.search("a voyage", 3, NOON - 2 * DAY, NOON - DAY / 2)) == 1


def test_of_equals_the_newest_comes_first(memory: SqliteMemory) -> None:
    for days, name in enumerate(("Ann", "Bea", "Cleo", "Dora")):
        memory.save("The car was washed.", "user", NOON + days * DAY, person=name)
    assert [fact.person for fact in memory.nearest("who washed the car", 4)] == ["Dora", "Cleo", "Bea", "Ann"]


def test_what_is_otherwise_now_is_not_told_by_an_old_exchange(memory: SqliteMemory) -> None:
    told = memory.add_exchange("c-1", "my car is a green Peugeot", "Noted.", NOON)
    fact = memory.save("The user's car is a green Peugeot.", "user", NOON, source=told)
    later = memory.add_exchange("c-2", "I sold the car and bought a blue Kia", "Noted.", NOON + DAY)
    memory.update(fact.id, "The user's car is a blue Kia.", NOON + DAY, source=later)
    assert not any("Peugeot" in each.text for each in memory.search("what car do I have", 5))
    assert any("Peugeot" in each.text for each in memory.search("car", 5, NOON, NOON + DAY / 2)), "it was so then"


def test_every_text_has_one_whatever_happens_to_it(store: Store, memory: SqliteMemory) -> None:
    several(memory)
    (fact,) = (each for each in memory.facts() if "Peugeot" in each.text)
    memory.update(fact.id, "The user's car is a blue Kia.", NOON + DAY)
    memory.save("the user's dentist is doctor pell", "user", NOON + DAY)
    assert kept(store).keys() == texts_of(store)
    assert memory.nearest("automobile", 1)[0].text == "The user's car is a blue Kia."
    memory.write_diary(NOON.date() - DAY, "", NOON)
    memory.forget(fact.id, topic="whales")
    assert kept(store).keys() == texts_of(store)
    assert memory.nearest("automobile", 1) == []
    memory.forget_all()
    assert kept(store) == {}


def test_old_exchanges_take_theirs_along(store: Store) -> None:
    memory = remembering(store, most=3)
    for number in range(8):
        memory.search("whales", 5)
        memory.add_exchange("c-1", f"how deep do {number} whales dive", "Deep.", NOON)
    assert len(kept(store)) == memory.exchanges() == 3
    assert len(memory.search("diving dolphins", 9)) == 3


@pytest.mark.parametrize("at_once", [1, 2, 8_192])
def test_the_same_is_found_after_a_restart(path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(vectors, "_AT_ONCE", at_once)
    queries = ("which vehicle do I own", "who looks after my teeth", "diving dolphins", "a voyage to Portugal")
    with Store(path) as store:
        memory = remembering(store)
        memory.search("diving dolphins", 5)  # they are in memory from now on
        several(memory)
        found = [memory.search(query, 5) for query in queries]
    with Store(path) as store:
        assert [remembering(store).search(query, 5) for query in queries] == found
        assert all(found)


def test_those_that_are_missing_are_made(path: Path, store: Store) -> None:
    """Of a release that knew of none, of an import, and of another table of meanings."""
    several(SqliteMemory(store))
    assert kept(store) == {}
    memory = remembering(store)
    memory.fill_vectors(lambda: False)
    assert kept(store) == {}
    memory.fill_vectors()
    assert kept(store).keys() == texts_of(store)
    renewed = remembering(store, Renamed())
    assert renewed.nearest("automobile", 1) == []
    renewed.fill_vectors()
    assert set(kept(store).values()) == {"another"}
    assert renewed.nearest("automobile", 1)


def test_an_import_gets_its_vectors_and_the_chore_looks_no_more_than_it_has_to(store: Store, tmp_path: Path) -> None:
    with Store(tmp_path / "other.db") as other:
        several(SqliteMemory(other))
        lines = [*SqliteMemory(other).entries()]
    memory = remembering(store)
    memory.fill_vectors()
    memory.take_in(lines)
    memory.fill_vectors()
    assert kept(store).keys() == texts_of(store)
    assert memory.nearest("automobile", 1)
    read: list[str] = []
    with store.read() as db:
        db.conn.set_trace_callback(read.append)
        memory.fill_vectors()
        db.conn.set_trace_callback(None)
    assert read == []


def test_a_release_before_this_one_leaves_no_wrong_one(store: Store, memory: SqliteMemory) -> None:
    several(memory)
    with store.write() as db:
        db.execute("UPDATE facts SET text = 'The bicycle is red.' WHERE text LIKE '%Peugeot%'")
        db.execute("DELETE FROM exchanges")
    assert len(kept(store)) == len(texts_of(store)) - 1
    remembering(store).fill_vectors()
    assert kept(store).keys() == texts_of(store)


def test_no_byte_of_a_vector_stays_once_its_text_is_forgotten(path: Path, store: Store, memory: SqliteMemory) -> None:
    assert TABLE
    for number in range(200):
        memory.save(f"The user's code of the {number} safe is qx{number:03}zebu.", "user", NOON)
        memory.add_exchange("c-1", f"what is in safe {number}", f"Gold and wy{number:03}yak.", NOON)
    secret = memory.save("The will lies under the stone in the orchard.", "user", NOON)
    traces = [np.round(TABLE.of(text) * SCALE).astype(np.int8).tobytes() for text in (secret.text, "orchard will")]
    assert traces[0] in raw(path)
    memory.forget(secret.id)
    assert traces[0] not in raw(path)
    assert b"orchard" not in raw(path)
    memory.forget_all()
    assert not any(traces[0][at : at + 16] in raw(path) for at in range(0, 112, 16))


def test_on_a_bad_day_it_is_found_by_words_until_the_chore_ran(store: Store, memory: SqliteMemory) -> None:
    several(memory)
    store._leave(Cause.READ_ONLY)
    assert store.state is State.MEMORY_ONLY
    assert memory.nearest("automobile", 1) == []
    assert memory.nearest("Peugeot", 1)
    memory.save("The bicycle is red.", "user", NOON)
    memory.fill_vectors()
    assert memory.nearest("automobile", 1)[0].text == "The user's car is a green Peugeot."
    assert store.come_back()
    memory.fill_vectors()
    assert kept(store).keys() == texts_of(store)
    assert memory.nearest("which bike", 1)[0].text == "The bicycle is red."


def raw(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
