from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import BadArgument
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.ports import Memory, MemoryStore
from appliance.simulated import MemoryFacts

NOON = datetime(2025, 11, 21, 12, 0, tzinfo=ZoneInfo("Europe/Berlin"))
MINUTE = timedelta(minutes=1)
EVERY_CHARACTER = st.text(st.characters())
"""Surrogates and NUL too."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "appliance.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as store:
        yield store


@pytest.fixture
def sqlite(store: Store) -> SqliteMemory:
    return SqliteMemory(store)


@pytest.fixture(params=["sqlite", "memory"])
def memory(request: pytest.FixtureRequest) -> MemoryStore:
    found: MemoryStore = request.getfixturevalue("sqlite") if request.param == "sqlite" else MemoryFacts()
    return found


def fill(memory: MemoryStore, *texts: str) -> None:
    """World facts, a minute apart, the last one at noon."""
    for age, text in enumerate(reversed(texts)):
        memory.save(text, "world", NOON - age * MINUTE)


def texts(found: list[Memory]) -> list[str]:
    return [each.text for each in found]


def exchanges(store: Store) -> int:
    with store.read() as db:
        return int(db.execute("SELECT count(*) FROM exchanges").fetchone()[0])


def check_index(store: Store) -> None:
    """Raises when the full-text index holds another text than the tables: nothing forgotten, nothing left out."""
    with store.write() as db:
        db.execute("INSERT INTO memory_words(memory_words, rank) VALUES ('integrity-check', 1)")


class TestFacts:
    def test_they_come_back_newest_first_whatever_their_zone(self, memory: MemoryStore) -> None:
        noon_in_tokyo = NOON.replace(tzinfo=ZoneInfo("Asia/Tokyo"))
        late = memory.save("Anna plays chess", "world", NOON)
        early = memory.save("The user drinks tea", "user", noon_in_tokyo)
        assert memory.facts() == [late, early]

    def test_one_kind_can_be_asked_for(self, memory: MemoryStore) -> None:
        memory.save("The user drinks tea", "user", NOON)
        rule = memory.save("Keep it short", "rule", NOON)
        assert memory.facts("rule") == [rule]
        assert memory.facts("world") == []

    def test_only_the_newest_can_be_asked_for(self, memory: MemoryStore) -> None:
        early = memory.save("The user drinks tea", "user", NOON)
        late = memory.save("The user plays chess", "user", NOON + MINUTE)
        rule = memory.save("Keep it short", "rule", NOON + 2 * MINUTE)
        assert memory.facts("user", 1) == [late]
        assert memory.facts("user", 5) == [late, early]
        assert memory.facts(limit=2) == [rule, late]
        assert memory.facts(limit=0) == []

    @pytest.mark.parametrize("again", ["the user drinks TEA!", "  The user\ndrinks — tea "])
    def test_the_same_said_again_is_made_new_not_doubled(self, memory: MemoryStore, again: str) -> None:
        first = memory.save("The user drinks tea.", "user", NOON)
        memory.save("Anna plays chess", "world", NOON + MINUTE)
        second = memory.save(again, "user", NOON + 2 * MINUTE)
        assert second.id == first.id
        assert memory.facts()[0] == second
        assert len(memory.facts()) == 2

    @pytest.mark.parametrize("other", ["The user drinks green tea.", "The user drinks teas."])
    def test_what_says_something_else_stands_beside(self, memory: MemoryStore, other: str) -> None:
        memory.save("The user drinks tea.", "user", NOON)
        memory.save(other, "user", NOON)
        assert len(memory.facts()) == 2

    def test_another_kind_and_another_smiley_are_other_facts(self, memory: MemoryStore) -> None:
        memory.save("Tea", "user", NOON)
        memory.save("Tea", "rule", NOON)
        memory.save("🙂", "user", NOON)
        memory.save("🙁", "user", NOON)
        assert len(memory.facts()) == 4

    def test_an_update_keeps_its_id_and_kind(self, memory: MemoryStore) -> None:
        fact = memory.save("Keep it short", "rule", NOON)
        changed = memory.update(fact.id, "Take your time", NOON + MINUTE)
        assert memory.facts() == [changed]
        assert (changed.id, changed.kind, changed.at) == (fact.id, "rule", NOON + MINUTE)

    def test_an_update_that_says_what_another_says_takes_it_up(self, memory: MemoryStore) -> None:
        memory.save("The user lives in Berlin", "user", NOON)
        fact = memory.save("The user lives in Rome", "user", NOON)
        changed = memory.update(fact.id, "the user lives in Berlin", NOON)
        assert memory.facts() == [changed]

    def test_what_is_not_there_can_be_neither_changed_nor_forgotten(self, memory: MemoryStore) -> None:
        fact = memory.save("The user drinks tea", "user", NOON)
        with pytest.raises(BadArgument, match=f"no fact number {fact.id + 1}"):
            memory.update(fact.id + 1, "The user drinks coffee", NOON)
        memory.forget(fact.id)
        with pytest.raises(BadArgument, match=f"no fact number {fact.id}"):
            memory.forget(fact.id)

    def test_an_id_is_never_used_again(self, memory: MemoryStore) -> None:
        first = memory.save("The user drinks tea", "user", NOON)
        memory.forget(first.id)
        assert memory.save("The user drinks tea", "user", NOON).id != first.id


class TestNearest:
    def test_the_most_alike_comes_first(self, memory: MemoryStore) -> None:
        fill(memory, "Anna plays chess", "Anna drinks green tea", "Bob drinks black coffee", "It rains in Oslo")
        found = memory.nearest("does Anna drinks her green tea", 3)
        assert found[0].text == "Anna drinks green tea"
        assert {fact.text for fact in found[1:]} == {"Anna plays chess", "Bob drinks black coffee"}
        assert len(memory.nearest("Anna", 1)) == 1

    def test_rules_and_exchanges_are_not_among_them(self, memory: MemoryStore) -> None:
        memory.save("Speak of tea with respect", "rule", NOON)
        memory.add_exchange("one", "how long does tea steep", "Three minutes.", NOON)
        assert memory.nearest("tea", 3) == []


class TestSearch:
    def test_the_best_are_chosen_and_given_newest_first(self, memory: MemoryStore) -> None:
        memory.save("Bob keeps a green parrot", "world", NOON)
        memory.save("Anna keeps a green parrot and a cat", "user", NOON - MINUTE)
        memory.add_exchange("one", "what do parrots eat", "Green leaves.", NOON + MINUTE)
        memory.add_exchange("one", "how far is the moon", "384,000 kilometres.", NOON + 2 * MINUTE)
        found = memory.search("green parrot", 2)
        assert texts(found) == ["Bob keeps a green parrot", "Anna keeps a green parrot and a cat"]
        assert [each.at for each in found] == [NOON, NOON - MINUTE]

    def test_an_exchange_tells_who_said_what(self, memory: MemoryStore) -> None:
        memory.add_exchange("one", "how far is the moon", "384,000 kilometres.", NOON)
        expected = [Memory(NOON, 'User: "how far is the moon" Answer: "384,000 kilometres."', "exchange")]
        assert memory.search("moon", 8) == expected
        assert memory.search("kilometres", 8) == expected

    def test_what_has_the_same_stem_is_found_where_nothing_else_is(self, memory: MemoryStore) -> None:
        memory.save("Bob is allergic to cats", "world", NOON)
        memory.save("Bob's gate is green", "world", NOON)
        assert texts(memory.search("allergy", 8)) == ["Bob is allergic to cats"]
        assert texts(memory.search("gates", 8)) == ["Bob's gate is green"]
        assert memory.search("allegro", 8) == []

    def test_rules_are_never_found(self, memory: MemoryStore) -> None:
        memory.save("Always answer in Celsius", "rule", NOON)
        assert memory.search("Celsius", 8) == []

    def test_the_span_holds_its_first_moment_and_not_its_last_in_any_zone(self, memory: MemoryStore) -> None:
        memory.save("tea in Berlin", "user", NOON)
        memory.add_exchange("one", "more tea", "Yes.", (NOON + 60 * MINUTE).astimezone(UTC))
        same_moment = NOON.astimezone(timezone(timedelta(hours=-9)))
        assert len(memory.search("tea", 8, since=same_moment)) == 2
        assert texts(memory.search("tea", 8, since=same_moment + MINUTE)) == ['User: "more tea" Answer: "Yes."']
        assert texts(memory.search("tea", 8, until=same_moment + 60 * MINUTE)) == ["tea in Berlin"]
        assert memory.search("tea", 8, since=same_moment + MINUTE, until=same_moment + 59 * MINUTE) == []

    def test_the_span_is_cut_before_the_limit(self, memory: MemoryStore) -> None:
        fill(memory, "tea one", "tea two", "tea three")
        assert texts(memory.search("tea", 1, until=NOON - MINUTE)) == ["tea one"]

    def test_what_was_forgotten_or_changed_is_not_found_by_its_old_words(self, memory: MemoryStore) -> None:
        gone = memory.save("The code of the shed is blue", "world", NOON)
        changed = memory.save("The user lives in Berlin", "user", NOON)
        memory.forget(gone.id)
        memory.update(changed.id, "The user lives in Rome", NOON)
        assert memory.search("shed Berlin", 8) == []
        assert texts(memory.search("Rome", 8)) == ["The user lives in Rome"]


class TestWords:
    """What only the full-text index can do."""

    @pytest.mark.parametrize("query", ["cafe", "CAFÉ", "mu\u0308nchen", "Straße", "москва", "東京"])
    def test_accents_case_and_scripts_do_not_hide_a_word(self, sqlite: SqliteMemory, query: str) -> None:
        sqlite.save("Café in der STRAßE, München, Москва, 東京", "world", NOON)
        assert len(sqlite.search(query, 8)) == 1

    def test_short_words_count_only_when_there_are_no_others(self, sqlite: SqliteMemory) -> None:
        fill(sqlite, "tv is on", "radio is off", "lamp is green")
        assert texts(sqlite.search("is radio on", 8)) == ["radio is off"]
        assert texts(sqlite.search("tv", 8)) == ["tv is on"]

    def test_a_word_in_most_rows_says_nothing(self, sqlite: SqliteMemory) -> None:
        fill(sqlite, *(f"the user likes {what}" for what in ("tea", "chess", "rain", "Oslo", "Anna")))
        assert texts(sqlite.search("what does the user think of chess", 8)) == ["the user likes chess"]
        assert sqlite.search("how far is the moon", 8) == []

    def test_a_word_in_most_rows_is_found_when_nothing_else_is_asked(self, sqlite: SqliteMemory) -> None:
        fill(sqlite, *(f"tea with {what}" for what in ("milk", "lemon", "sugar", "rum", "honey")))
        assert len(sqlite.search("tea", 8)) == 5

    def test_no_word_is_common_among_a_few_rows(self, sqlite: SqliteMemory) -> None:
        fill(sqlite, "Anna drinks tea", "Bob drinks tea", "Eve drinks tea")
        assert len(sqlite.search("tea and biscuits", 8)) == 3

    def test_what_is_common_among_facts_is_judged_by_facts_alone(self, sqlite: SqliteMemory) -> None:
        fill(sqlite, *(f"the user likes {what}" for what in ("tea", "chess", "rain", "Oslo", "Anna")))
        for number in range(20):
            sqlite.add_exchange("one", f"question {number}", "Yes.", NOON)
        assert [fact.text for fact in sqlite.nearest("the user and chess", 8)] == ["the user likes chess"]

    @pytest.mark.parametrize(
        "query",
        [
            *("", " ", '"', '"tea', "tea*", "tea OR", "NOT tea", "NEAR(tea, 2)", "text:tea", "-tea ^tea", "a\0tea"),
            *("'; DROP TABLE facts; --", "\ud800", "___", "tea " * 25_000, "x" * 100_000),
            " ".join(f"word{number}" for number in range(12_000)),
        ],
        ids=lambda query: repr(query[:20]),
    )
    def test_no_query_is_an_expression(self, sqlite: SqliteMemory, query: str) -> None:
        fill(sqlite, "Anna drinks tea", "Bob plays chess", "It rains in Oslo", "Eve sings", "Mars is red")
        assert len(sqlite.search(query, 8)) == ("tea" in query)
        assert len(sqlite.nearest(query, 8)) == ("tea" in query)

    def test_any_query_is_answered(self, sqlite: SqliteMemory) -> None:
        fill(sqlite, "Anna drinks tea", "Bob drinks tea", "It rains", "9 to 5", "a_b", "ǅ ﬁ ß")

        @given(EVERY_CHARACTER)
        def answered(query: str) -> None:
            assert len(sqlite.search(query, 8)) <= 6
            assert len(sqlite.nearest(query, 2)) <= 2

        answered()

    def test_any_text_is_kept_found_and_forgotten(self, store: Store, sqlite: SqliteMemory) -> None:
        @given(st.text(), st.text())
        def kept(text: str, other: str) -> None:
            fact = sqlite.save(text, "user", NOON)
            sqlite.add_exchange("one", text, other, NOON)
            assert sqlite.facts() == [fact]
            check_index(store)
            sqlite.forget(sqlite.update(fact.id, other, NOON).id)
            check_index(store)

        kept()


class TestFile:
    def test_all_of_it_is_there_after_a_restart(self, path: Path) -> None:
        with Store(path) as store:
            memory = SqliteMemory(store)
            fact = memory.save("Anna drinks tea", "user", NOON)
            memory.add_exchange("one", "is there tea", "Yes.", NOON + MINUTE)
            memory.forget(memory.save("Bob drinks tea", "user", NOON).id)
        with Store(path) as store:
            memory = SqliteMemory(store)
            assert memory.facts() == [fact]
            assert texts(memory.search("tea", 8)) == ['User: "is there tea" Answer: "Yes."', "Anna drinks tea"]
            check_index(store)

    def test_the_owner_can_read_and_edit_it_with_any_sqlite_tool(self, path: Path) -> None:
        with Store(path) as store:
            memory = SqliteMemory(store)
            memory.save("Anna drinks tea", "user", NOON)
            memory.add_exchange("one", "is there tea", "Yes.", NOON)
        with sqlite3.connect(path) as owner:
            assert owner.execute("SELECT text, kind, at FROM facts").fetchall() == [
                ("Anna drinks tea", "user", "2025-11-21T12:00:00+01:00")
            ]
            owner.execute("UPDATE facts SET text = 'Anna drinks cocoa'")
            owner.execute("DELETE FROM exchanges")
        owner.close()
        with Store(path) as store:
            assert texts(SqliteMemory(store).search("cocoa", 8)) == ["Anna drinks cocoa"]
            assert SqliteMemory(store).search("tea", 8) == []
            check_index(store)

    def test_old_exchanges_go_a_few_at_a_time_and_facts_stay(self, store: Store) -> None:
        memory = SqliteMemory(store)
        memory.save("Anna drinks tea", "user", NOON)
        for number in range(200):
            memory.add_exchange("one", f"question {number}", "Yes.", NOON)
        memory = SqliteMemory(store, exchanges_max=20)
        left = []
        for number in range(6):
            memory.add_exchange("one", f"more {number}", "Yes.", NOON)
            left.append(exchanges(store))
        assert left == [151, 102, 53, 20, 20, 20]
        assert memory.search("180", 8) == []
        assert len(memory.search("199", 8)) == 1
        assert [fact.text for fact in memory.facts()] == ["Anna drinks tea"]
        check_index(store)

    def test_a_look_for_facts_does_not_count_what_was_said(self, store: Store, sqlite: SqliteMemory) -> None:
        sqlite.save("Anna drinks tea", "user", NOON)
        read: list[str] = []
        with store.read() as db:
            db.conn.set_trace_callback(read.append)
            sqlite.nearest("tea", 3)
            db.conn.set_trace_callback(None)
        assert read
        assert not any("exchanges" in query or "memories" in query.split("memory_words")[0] for query in read)

    def test_a_change_that_fails_in_the_middle_is_not_half_done(self, store: Store, sqlite: SqliteMemory) -> None:
        tea = sqlite.save("Anna drinks tea", "user", NOON)
        with pytest.raises(BadArgument):
            sqlite.forget(tea.id, 4711)
        assert sqlite.facts() == [tea]
        check_index(store)


class TestForgettingWhatWasSaid:
    def test_exchanges_that_hold_the_topic_are_gone(self, memory: MemoryStore) -> None:
        memory.add_exchange("c-1", "my knee operation is in april", "Good luck.", NOON)
        memory.add_exchange("c-1", "my knee hurts", "Sorry.", NOON)
        assert memory.forget(topic="Knee operation") == 1
        assert [found.text for found in memory.search("knee", 8)] == ['User: "my knee hurts" Answer: "Sorry."']

    def test_topic_without_words_forgets_nothing(self, memory: MemoryStore) -> None:
        memory.add_exchange("c-1", "my knee hurts", "Sorry.", NOON)
        assert memory.forget(topic="?!") == 0
        assert memory.search("knee", 8)

    @pytest.mark.parametrize(
        ("fact", "told"),
        [
            ("The user's dog is called Rex", "my dog is named Rex by the way"),
            ("The user likes figs", "I like figs"),
            ("Der Benutzer wohnt in Emden", "ich wohne in Emden"),
        ],
    )
    def test_what_was_said_of_a_fact_goes_with_it(self, memory: MemoryStore, fact: str, told: str) -> None:
        memory.add_exchange("c-1", told, "I will remember that.", NOON)
        memory.add_exchange("c-1", "what do dogs eat, or emden geese", "Neither.", NOON)
        memory.add_exchange("c-1", "how is the user interface of the radio", "Plain.", NOON)
        kept = memory.save(fact, "user", NOON)
        memory.forget(kept.id)
        assert not any(told in found.text for found in memory.search(told, 8))
        assert len(memory.search("neither radio", 8)) == 2

    def test_all_that_is_kept_can_go_at_once(self, memory: MemoryStore) -> None:
        memory.save("The user likes figs", "user", NOON)
        memory.save("Keep it short", "rule", NOON)
        memory.add_exchange("c-1", "how far is the moon", "384,000 kilometres.", NOON)
        assert memory.exchanges() == 1
        memory.forget_all()
        assert (memory.facts(), memory.exchanges(), memory.search("moon figs", 8)) == ([], 0, [])

    def test_all_or_nothing(self, memory: MemoryStore) -> None:
        fact = memory.save("The user likes figs", "user", NOON)
        memory.add_exchange("c-1", "I like figs", "I will remember that.", NOON)
        with pytest.raises(BadArgument):
            memory.forget(fact.id, fact.id + 1, topic="figs")
        assert memory.facts() == [fact]
        assert len(memory.search("figs", 8)) == 2

    def test_no_file_holds_what_was_forgotten(self, path: Path, store: Store, sqlite: SqliteMemory) -> None:
        """Neither the tables, nor the index, nor the journal; over many pages and after edits that move rows about."""
        for number in range(300):
            sqlite.add_exchange("one", f"my safe says qx{number:03}zebu {'and so on ' * (number % 40)}", "Good.", NOON)
            sqlite.save(f"The user's code {number} is wy{number:03}yak", "user", NOON)
        assert hits(path, "qx007zebu", "wy008yak")
        for fact in [each for each in sqlite.facts() if each.text.endswith(("3yak", "8yak"))]:
            sqlite.forget(fact.id)
        for number in range(0, 300, 7):
            assert sqlite.forget(topic=f"qx{number:03}zebu") == 1
        gone = [f"qx{number:03}zebu" for number in range(0, 300, 7)]
        gone += [f"wy{number:03}yak" for number in range(300) if number % 10 in (3, 8)]
        assert hits(path, *gone) == []
        assert hits(path, *(word[2:] for word in gone[1:] if len(word) > 9)) == [], "the index shares first letters"
        assert hits(path, "qx001zebu", "wy001yak") == ["qx001zebu", "wy001yak"]
        check_index(store)
        sqlite.forget_all()
        assert hits(path, "qx", "zebu", "wy", "yak") == []
        check_index(store)


def test_forgetting_does_not_wear_the_index_out(sqlite: SqliteMemory, store: Store) -> None:
    """Its structure, row 10 of the data (sqlite.org/fts5.html), stays as long as it was."""

    def length() -> int:
        with store.read() as db:
            found: int = db.execute("SELECT length(block) FROM memory_words_data WHERE id = 10").fetchone()[0]
        return found

    lengths = set[int]()
    for number in range(40):
        sqlite.forget(sqlite.save(f"The user has {number} hens.", "user", NOON).id)
        lengths.add(length())
    assert len(lengths) == 1


def hits(path: Path, *words: str) -> list[str]:
    """Those of `words` that stand in the files of the database as they are on disk now."""
    raw = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*")).lower()
    return [word for word in words if word.encode() in raw]
