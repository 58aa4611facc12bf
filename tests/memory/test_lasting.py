"""What a memory of years needs: history, sources, people, a diary, and all of it as lines to take away."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from appliance.errors import BadArgument
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.ports import Counts, Diary, Former, MemoryStore
from appliance.simulated import MemoryFacts

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "appliance.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as store:
        yield store


@pytest.fixture(params=["sqlite", "memory"])
def memory(request: pytest.FixtureRequest) -> MemoryStore:
    if request.param == "memory":
        return MemoryFacts()
    return SqliteMemory(request.getfixturevalue("store"))


class TestHistory:
    def test_what_a_fact_said_before_is_kept_newest_first(self, memory: MemoryStore) -> None:
        fact = memory.save("The user lives in Berlin", "user", NOON)
        memory.update(fact.id, "The user lives in Rome", NOON + DAY)
        memory.update(fact.id, "The user lives in Oslo", NOON + 2 * DAY)
        assert memory.history(fact.id) == [
            Former("The user lives in Rome", NOON + DAY, NOON + 2 * DAY),
            Former("The user lives in Berlin", NOON, NOON + DAY),
        ]
        assert [each.text for each in memory.facts()] == ["The user lives in Oslo"]
        assert memory.history(fact.id + 1) == []

    def test_the_same_in_other_letters_is_no_change(self, memory: MemoryStore) -> None:
        fact = memory.save("The user lives in Berlin", "user", NOON)
        memory.update(fact.id, "the user lives in Berlin.", NOON + DAY)
        assert memory.history(fact.id) == []

    def test_an_undo_leaves_no_history(self, memory: MemoryStore) -> None:
        fact = memory.save("The user lives in Berlin", "user", NOON)
        memory.update(fact.id, "The user lives in Rome", NOON + DAY)
        memory.update(fact.id, fact.text, fact.at)
        assert memory.history(fact.id) == []
        assert memory.facts() == [fact]

    def test_who_moves_back_has_a_history_of_both(self, memory: MemoryStore) -> None:
        fact = memory.save("The user lives in Berlin", "user", NOON)
        memory.update(fact.id, "The user lives in Rome", NOON + DAY)
        memory.update(fact.id, "The user lives in Berlin", NOON + 2 * DAY)
        assert [each.text.split()[-1] for each in memory.history(fact.id)] == ["Rome", "Berlin"]

    def test_a_double_that_is_taken_up_brings_its_history(self, memory: MemoryStore) -> None:
        old = memory.save("The user lives in Berlin", "user", NOON)
        memory.update(old.id, "The user lives in Rome", NOON + DAY)
        fact = memory.save("The user lives in Oslo", "user", NOON)
        memory.update(fact.id, "The user lives in Rome", NOON + 2 * DAY)
        assert {each.text.split()[-1] for each in memory.history(fact.id)} == {"Oslo", "Berlin"}
        assert len(memory.facts()) == 1


class TestSource:
    def test_a_fact_knows_where_it_was_said(self, memory: MemoryStore) -> None:
        fact = memory.save("The user likes figs", "user", NOON)
        assert memory.source(fact.id) is None
        number = memory.add_exchange("c-1", "I like figs", "Noted.", NOON, person="Ana", tools=[{"tool": "remember"}])
        memory.set_source([fact.id, 4711], number)
        source = memory.source(fact.id)
        assert source is not None
        assert (source.heard, source.person, source.tools) == ("I like figs", "Ana", ({"tool": "remember"},))
        assert memory.facts()[0].source == number

    def test_a_correction_has_a_source_of_its_own(self, memory: MemoryStore) -> None:
        first, second = (memory.add_exchange("c-1", heard, "Noted.", NOON) for heard in ("I like figs", "no, plums"))
        fact = memory.save("The user likes figs", "user", NOON, source=first)
        memory.update(fact.id, "The user likes plums", NOON + HOUR, source=second)
        source = memory.source(fact.id)
        assert source is not None
        assert source.heard == "no, plums"

    def test_what_is_said_outright_is_surer_than_what_was_gathered(self, memory: MemoryStore) -> None:
        fact = memory.save("The user likes figs", "user", NOON, confidence=0.6)
        assert memory.facts()[0].confidence == 0.6
        assert memory.save("the user likes figs!", "user", NOON + HOUR).confidence == 1
        assert memory.save("The user likes figs", "user", NOON + HOUR, confidence=0.6).confidence == 1
        assert [each.id for each in memory.facts()] == [fact.id]


class TestPeople:
    def test_each_has_their_own_and_the_household_s(self, memory: MemoryStore) -> None:
        for person, drink in (("Ana", "mint tea"), ("Ben", "black tea"), ("", "tea from a blue pot")):
            memory.save(f"The user drinks {drink}", "user", NOON, person=person)
            memory.add_exchange("c-1", f"make {drink}", "Done.", NOON, person=person)
        wanted: list[tuple[str | None, int]] = [("Ana", 2), ("Ben", 2), ("", 1), (None, 3)]
        for asker, count in wanted:
            found = [memory.facts(person=asker), memory.facts("user", person=asker)]
            found.append(memory.nearest("the user drinks tea", 8, asker))
            assert all(asker is None or each.person in (asker, "") for facts in found for each in facts)
            assert [len(facts) for facts in found] == [count] * 3
            assert len(memory.search("tea", 9, person=asker)) == 2 * count
            assert len(memory.search("", 9, NOON, person=asker)) == 2 * count

    def test_two_may_say_the_same(self, memory: MemoryStore) -> None:
        ana, ben = (memory.save("The user likes figs", "user", NOON, person=person) for person in ("Ana", "Ben"))
        assert ana.id != ben.id
        assert memory.facts(person="Ben") == [ben]


class TestDiary:
    def test_a_day_is_written_anew_and_removed(self, memory: MemoryStore) -> None:
        monday, tuesday = NOON.date(), NOON.date() + DAY
        memory.write_diary(tuesday, "Bread.", NOON + DAY)
        memory.write_diary(monday, "Tea.", NOON)
        memory.write_diary(monday, "Tea and figs.", NOON + HOUR)
        assert memory.diary(monday, tuesday) == [
            Diary(monday, "Tea and figs.", NOON + HOUR),
            Diary(tuesday, "Bread.", NOON + DAY),
        ]
        assert memory.diary(tuesday, tuesday + DAY) == [Diary(tuesday, "Bread.", NOON + DAY)]
        memory.write_diary(tuesday, "", NOON)
        assert memory.diary(date.min, date.max) == [Diary(monday, "Tea and figs.", NOON + HOUR)]

    def test_it_is_found_by_its_words_and_its_day(self, memory: MemoryStore) -> None:
        memory.write_diary(NOON.date(), "Ana planned a trip to Lisbon.", NOON + DAY / 2)
        assert [each.at for each in memory.search("Lisbon", 5)] == [NOON]
        midnight = NOON - DAY / 2
        assert len(memory.search("Lisbon", 5, midnight, midnight + DAY)) == 1
        assert memory.search("Lisbon", 5, midnight + DAY) == []
        memory.write_diary(NOON.date(), "Ana stays.", NOON + DAY / 2)
        assert memory.search("Lisbon", 5) == []


class TestByTimeAlone:
    def test_the_days_come_first_then_the_newest(self, memory: MemoryStore) -> None:
        midnight = NOON - DAY / 2
        memory.write_diary(NOON.date(), "Figs.", NOON + DAY)
        memory.write_diary(NOON.date() - DAY, "Before.", NOON)
        memory.save("The user likes plums", "user", NOON + 2.5 * HOUR)
        memory.save("Keep it short", "rule", NOON + HOUR)
        for hours in range(4):
            memory.add_exchange("c-1", f"question {hours}", "Yes.", NOON + hours * HOUR)
        found = [each.text for each in memory.search("", 4, midnight, midnight + DAY)]
        assert sorted(found) == sorted(
            ["Figs.", *(f'User: "question {hours}" Answer: "Yes."' for hours in (3, 2)), "The user likes plums"]
        )
        assert [each.text for each in memory.search(" ", 1, midnight, midnight + DAY)] == ["Figs."]

    def test_without_a_span_nothing_was_asked(self, memory: MemoryStore) -> None:
        memory.save("The user likes plums", "user", NOON)
        assert memory.search("", 4) == []

    def test_exchanges_of_a_span_come_in_order(self, memory: MemoryStore) -> None:
        for hours in (2, 0, 1, 3):
            memory.add_exchange("c-1", f"question {hours}", "Yes.", NOON + hours * HOUR)
        found = memory.exchanges_between(NOON, NOON + 3 * HOUR, 2)
        assert [each.heard for each in found] == ["question 1", "question 2"]


class TestForgetting:
    def test_history_goes_with_its_fact_and_so_does_what_was_said_of_it(self, memory: MemoryStore) -> None:
        number = memory.add_exchange("c-1", "we moved", "To where?", NOON)
        memory.add_exchange("c-1", "I live in Berlin", "Noted.", NOON)
        fact = memory.save("The user lives in Berlin", "user", NOON, source=number)
        memory.update(fact.id, "The user lives in Rome", NOON + DAY, source=number)
        memory.write_diary(NOON.date(), "The user lives in Berlin now. It rained.", NOON)
        assert memory.forget(fact.id) == 2
        assert memory.history(fact.id) == []
        assert [each.text for each in memory.diary(NOON.date(), NOON.date())] == ["It rained."]

    def test_a_topic_goes_from_the_diary_too(self, memory: MemoryStore) -> None:
        memory.write_diary(NOON.date(), "Ana asked for Dr. Wren.", NOON)
        memory.write_diary(NOON.date() + DAY, "Ana asked for the bus.", NOON)
        memory.forget(topic="Wren")
        assert [each.text for each in memory.diary(date.min, date.max)] == ["Ana asked for the bus."]

    def test_all_at_once(self, memory: MemoryStore) -> None:
        fact = memory.save("The user lives in Berlin", "user", NOON)
        memory.update(fact.id, "The user lives in Rome", NOON + DAY)
        memory.write_diary(NOON.date(), "Ana moved.", NOON)
        memory.forget_all()
        assert (memory.history(fact.id), memory.diary(date.min, date.max)) == ([], [])

    def test_no_file_holds_what_was_forgotten(self, path: Path, store: Store) -> None:
        memory = SqliteMemory(store)
        fact = memory.save("The safe says qxzebu", "user", NOON)
        memory.update(fact.id, "The safe says wyyak", NOON + DAY)
        memory.add_exchange("c-1", "yes", "Done.", NOON, tools=[{"tool": "remember", "fact": "The safe says wyyak"}])
        memory.write_diary(NOON.date(), "The safe says qxzebu. It rained.", NOON)
        memory.save("Ana likes figs", "user", NOON)
        assert raw(path).count(b"qxzebu")
        assert raw(path).count(b"wyyak")
        memory.forget(fact.id)
        assert not raw(path).count(b"qxzebu")
        assert not raw(path).count(b"wyyak")
        assert b"rained" in raw(path)
        assert memory.exchanges() == 0

    def test_what_a_fact_said_before_can_be_forgotten_alone(self, path: Path, store: Store) -> None:
        memory = SqliteMemory(store)
        fact = memory.save("The car is a Volvo", "user", NOON)
        memory.update(fact.id, "The car is a Saab", NOON + DAY)
        memory.forget(topic="Volvo")
        assert memory.history(fact.id) == []
        assert b"Volvo" not in raw(path)
        assert len(memory.facts()) == 1

    def test_a_release_before_this_one_forgets_the_history_too(self, path: Path) -> None:
        """It knows of no history: the database itself sees to it."""
        with Store(path) as store:
            memory = SqliteMemory(store)
            fact = memory.save("The car is a Volvo", "user", NOON)
            memory.update(fact.id, "The car is a Saab", NOON + DAY)
        with sqlite3.connect(path) as older:
            older.execute("DELETE FROM facts")
            assert older.execute("SELECT count(*) FROM former_facts").fetchone() == (0,)
        older.close()


def grown(memory: MemoryStore) -> None:
    number = memory.add_exchange("c-1", "I like figs", "Noted.", NOON, person="Ana", tools=[{"tool": "remember"}])
    fact = memory.save("The user likes figs", "user", NOON, person="Ana", confidence=0.5, source=number)
    later = memory.add_exchange("c-1", "no, plums", "Noted.", NOON + HOUR)
    memory.update(fact.id, "The user likes plums", NOON + HOUR, source=later)
    memory.save("Keep it short", "rule", NOON)
    memory.write_diary(NOON.date(), "Figs and plums.", NOON)


class TestTakenAway:
    def test_it_stands_elsewhere_as_it_stood_here(self, memory: MemoryStore, tmp_path: Path) -> None:
        grown(memory)
        lines = [*memory.entries()]
        with Store(tmp_path / "other.db") as store:
            there = MemoryFacts() if isinstance(memory, MemoryFacts) else SqliteMemory(store)
            there.add_exchange("c-0", "here before", "Yes.", NOON)
            assert there.take_in(lines) == Counts(2, 2, 1)
            assert there.take_in(lines) == Counts()
            (fact,) = there.facts("user")
            assert (fact.text, fact.person) == ("The user likes plums", "Ana")
            source = there.source(fact.id)
            assert source is not None
            assert source.heard == "no, plums"
            assert there.history(fact.id) == [Former("The user likes figs", NOON, NOON + HOUR)]
            assert there.diary(NOON.date(), NOON.date()) == [Diary(NOON.date(), "Figs and plums.", NOON)]

    def test_lines_are_json(self, store: Store, tmp_path: Path) -> None:
        grown(SqliteMemory(store))
        lines = [json.dumps(each) for each in SqliteMemory(store).entries()]
        with Store(tmp_path / "other.db") as other:
            SqliteMemory(other).take_in(map(json.loads, lines))
            again = [json.dumps(each) for each in SqliteMemory(other).entries()]
        assert again == lines

    def test_an_older_export_brings_no_superseded_fact_back(self, store: Store) -> None:
        memory = SqliteMemory(store)
        fact = memory.save("The user likes figs", "user", NOON)
        older = [*memory.entries()]
        memory.update(fact.id, "The user likes plums", NOON + HOUR)
        assert memory.take_in(older) == Counts()
        assert [each.text for each in memory.facts()] == ["The user likes plums"]

    def test_a_newer_export_changes_the_older_fact(self, store: Store, tmp_path: Path) -> None:
        memory = SqliteMemory(store)
        fact = memory.save("The user likes figs", "user", NOON)
        with Store(tmp_path / "other.db") as other:
            there = SqliteMemory(other)
            there.take_in([*memory.entries()])
            memory.update(fact.id, "The user likes plums", NOON + HOUR)
            assert there.take_in([*memory.entries()]) == Counts(1)
            assert [each.text for each in there.facts()] == ["The user likes plums"]
            assert [each.text for each in there.history(there.facts()[0].id)] == ["The user likes figs"]

    @pytest.mark.parametrize(
        "entry",
        [
            {},
            {"what": "song"},
            {"what": "day", "day": "2026-02-31", "text": "x", "at": NOON.isoformat()},
            {"what": "fact", "text": "x", "kind": "user", "at": "2026-05-04T12:00:00"},
            {"what": "fact", "text": "x", "kind": "rumour", "at": NOON.isoformat()},
            {"what": "exchange", "id": 1, "heard": "x"},
        ],
    )
    def test_all_or_nothing(self, store: Store, entry: dict[str, str]) -> None:
        memory = SqliteMemory(store)
        good = {"what": "fact", "text": "The user likes figs", "kind": "user", "at": NOON.isoformat()}
        with pytest.raises(BadArgument, match="Entry 2"):
            memory.take_in([good, entry])
        assert memory.facts() == []
        assert memory.take_in([good]) == Counts(1)


def raw(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
