"""What one voice may be told of what is remembered, on a real database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.memory.by_voice import ByVoice
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.simulated import MemoryFacts

NOON = datetime(2026, 11, 28, 12, 0, tzinfo=ZoneInfo("Europe/Berlin"))
HOUR = timedelta(hours=1)
NAMES = ("", "Ana", "Ben")


class Home:
    """A memory of two people and their household; `hears` is whose voice is heard."""

    def __init__(self, store: Store) -> None:
        self.hears: str | None = None
        self.all = SqliteMemory(store)
        self.told = ByVoice(self.all, lambda: self.hears)
        for person in NAMES:
            exchange = self.all.add_exchange("c-1", f"{person or 'we'} keep the safe code", "Yes.", NOON, person=person)
            self.all.save(f"The safe code of {person or 'all'} is 12.", "user", NOON, person=person, source=exchange)
            self.all.save(f"Speak to {person or 'all'} softly.", "rule", NOON, person=person)
        self.all.write_diary(NOON.date(), "Ana told the safe code.", NOON)

    def whose(self) -> set[str]:
        """Whose anything is that is told of the safe code, by any way of asking."""
        told, since, until = self.told, NOON - HOUR, NOON + HOUR
        texts = [fact.text for who in (None, *NAMES) for fact in told.facts(person=who)]
        texts += [fact.text for who in (None, *NAMES) for fact in told.nearest("the safe code", 9, who)]
        texts += [each.text for who in (None, *NAMES) for each in told.search("the safe code", 9, person=who)]
        texts += [each.text for who in (None, *NAMES) for each in told.search("", 9, since, until, who)]
        texts += [each.heard for each in told.exchanges_between(since, until, 9)]
        texts += [each.text for each in told.diary(date.min, date.max)]
        texts += [each.heard for fact in self.all.facts() if (each := told.source(fact.id))]
        return {name or "household" for name in NAMES for text in texts if (name or "all") in text}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with Store(tmp_path / "appliance.db") as store:
        yield Home(store)


@pytest.mark.parametrize(
    ("hears", "whose"),
    [
        (None, {"household", "Ana", "Ben"}),
        ("Ana", {"household", "Ana"}),
        ("Ben", {"household", "Ben"}),
        ("", {"household"}),
        ("Cleo", {"household"}),
    ],
)
def test_a_voice_is_told_its_own_and_the_households(home: Home, hears: str | None, whose: set[str]) -> None:
    home.hears = hears
    assert home.whose() == whose


def test_whose_it_is_is_known_where_what_it_is_is_not_told(home: Home) -> None:
    assert home.told.withheld("the safe code", 9) == []
    home.hears = "Ben"
    assert {fact.person for fact in home.told.withheld("the safe code", 9)} == {"Ana"}
    assert home.told.persons() == {"Ana", "Ben"}


def test_what_a_fact_said_before_is_kept_from_others_too(home: Home) -> None:
    hers = next(fact for fact in home.all.facts("user") if fact.person == "Ana")
    home.all.update(hers.id, "The safe code of Ana is 13.", NOON + HOUR)
    assert len(home.told.history(hers.id)) == 1
    home.hears = ""
    assert home.told.history(hers.id) == []


@given(
    st.lists(st.tuples(st.sampled_from(["tea", "tea cup", "cup"]), st.sampled_from(NAMES)), max_size=6),
    st.sampled_from(NAMES),
    st.sampled_from([None, *NAMES]),
)
def test_nothing_of_anothers_is_ever_found(kept: list[tuple[str, str]], hears: str, asked: str | None) -> None:
    memory = MemoryFacts()
    for number, (text, person) in enumerate(kept):
        memory.save(f"{text} {number} of {person or 'all'}", "user", NOON, person=person)
    told = ByVoice(memory, lambda: hears)
    found = [fact.text for fact in [*told.facts(person=asked), *told.nearest("tea cup", 9, asked)]]
    found += [each.text for each in told.search("tea cup", 9, person=asked)]
    assert {text.split()[-1] for text in found} <= {hears or "all", "all"}


@pytest.mark.parametrize(
    ("hears", "left", "said"),
    [("", {"Ana", "Ben"}, {"Ana", "Ben"}), ("Ben", {"Ana"}, {"Ana"}), (None, set[str](), set[str]())],
)
def test_everything_is_what_may_be_told(home: Home, hears: str | None, left: set[str], said: set[str]) -> None:
    for person in ("Ana", "Ben"):
        home.all.add_exchange("c-2", f"nice weather, says {person}", "Yes.", NOON, person=person)
    home.all.add_exchange("c-2", "nice weather, says nobody", "Yes.", NOON)
    home.hears = hears
    home.told.forget_all()
    assert {fact.person for fact in home.all.facts()} == left
    rest = home.all.exchanges_between(NOON - HOUR, NOON + HOUR, 99)
    assert {each.person for each in rest if "weather" in each.heard} - {""} == said


@pytest.mark.parametrize(("hears", "gone"), [("", set[str]()), ("Ben", {"Ben"}), (None, {"Ana", "Ben", ""})])
@pytest.mark.parametrize("real", [True, False])
def test_of_a_topic_goes_what_was_said_with_that_voice(
    home: Home, real: bool, hears: str | None, gone: set[str]
) -> None:
    memory = home.all if real else MemoryFacts()
    for person in NAMES:
        memory.add_exchange("c-2", "the wedding is in May", "Yes.", NOON, person=person)
    memory.write_diary(NOON.date(), "They talk of the wedding.", NOON)
    assert ByVoice(memory, lambda: hears).forget(topic="wedding") == len(gone)
    rest = memory.exchanges_between(NOON - HOUR, NOON + HOUR, 99)
    assert {each.person for each in rest if "wedding" in each.heard} == {*NAMES} - gone
    assert bool(memory.diary(NOON.date(), NOON.date())) == (hears is not None)


def test_what_a_fact_of_anothers_said_before_stays(home: Home) -> None:
    hers = next(fact for fact in home.all.facts("user") if fact.person == "Ana")
    home.all.update(hers.id, "The safe code of Ana is 13.", NOON + HOUR)
    home.hears = "Ben"
    home.told.forget(topic="safe code")
    assert len(home.all.history(hers.id)) == 1


@pytest.mark.parametrize(("hears", "count"), [(None, 3), ("Ana", 1), ("", 0)])
def test_as_many_exchanges_are_counted_as_may_go(home: Home, hears: str | None, count: int) -> None:
    home.hears = hears
    assert home.told.exchanges() == count
