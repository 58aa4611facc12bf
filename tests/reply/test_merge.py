"""Facts of the diary into a real store: nothing twice, the newest wins, history stays, and so does what is grave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.ports import Exchange, Fact, FactKind
from appliance.reply.gather import Candidate, Told
from appliance.reply.merge import CONFIDENCE, Became, Merger

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[SqliteMemory]:
    with Store(tmp_path / "appliance.db") as store:
        yield SqliteMemory(store)


class Box:
    def __init__(self, memory: SqliteMemory) -> None:
        self.memory, self._merger = memory, Merger(memory, "en", 3)
        self.asked: list[list[str]] = []

    def knows(self, text: str, days: int = 0, kind: FactKind = "user", person: str = "") -> int:
        return self.memory.save(text, kind, NOON + timedelta(days=days), person=person).id

    def hears(
        self,
        text: str,
        replaces: bool = False,
        kind: FactKind = "user",
        person: str = "",
        days: int = 1,
        said: str = "",
    ) -> Became:
        """A fact a day later.  replaces: whether the model takes it for the newer one of the first that is alike.

        said: the sentence that it was written from; by default the same.
        """
        at = NOON + timedelta(days=days)
        number = self.memory.add_exchange("c-1", text, "I see.", at, person=person)
        told = Told(said or text, Exchange(number, "c-1", said or text, "I see.", at, person))

        def which(new: str, alike: Sequence[Fact]) -> Fact | None:
            self.asked.append([fact.text for fact in alike])
            return alike[0] if replaces else None

        return self._merger.take(Candidate(text, kind, told), which)

    @property
    def facts(self) -> list[str]:
        return sorted(fact.text for fact in self.memory.facts())


@pytest.fixture
def box(memory: SqliteMemory) -> Box:
    return Box(memory)


def test_a_new_fact_tells_its_source_and_that_nobody_asked_for_it(box: Box) -> None:
    assert box.hears("The user's sister Lena lives in York.") is Became.NEW
    (fact,) = box.memory.facts()
    source = box.memory.source(fact.id)
    assert source
    assert source.heard == fact.text
    assert (fact.confidence, fact.at) == (CONFIDENCE, NOON + timedelta(days=1))


@pytest.mark.parametrize("again", ["The user's sister Lena lives in York.", "Lena lives in York"])
def test_what_is_known_is_not_kept_twice(box: Box, again: str) -> None:
    box.knows("The user's sister Lena lives in York.")
    assert box.hears(again) is Became.KNOWN
    (fact,) = box.memory.facts()
    assert (fact.confidence, fact.at) == (1.0, NOON)


@pytest.mark.parametrize(
    "written",
    [
        "The striped thimble is in the pantry room.",
        "The user's striped thimble is in the pantry.",
        "The striped thimble is kept in the pantry.",
    ],
)
def test_a_rewrite_that_only_grows_leaves_what_was_told_as_it_is(box: Box, written: str) -> None:
    box.knows("the striped thimble is in the pantry")
    assert box.hears(written, said="the striped thimble is in the pantry") is Became.KNOWN
    assert box.facts == ["the striped thimble is in the pantry"]


def test_what_says_more_takes_the_place_of_what_says_a_part_of_it(box: Box) -> None:
    number = box.knows("The user's sister lives in York.")
    assert box.hears("The user's sister Lena lives in York.") is Became.NEWER
    assert box.facts == ["The user's sister Lena lives in York."]
    assert [former.text for former in box.memory.history(number)] == ["The user's sister lives in York."]
    assert box.asked == []


def test_the_newest_wins_and_what_was_before_is_history(box: Box) -> None:
    number = box.knows("The user's sister Lena lives in Leeds.")
    assert box.hears("The user's sister Lena lives in York.", replaces=True) is Became.NEWER
    assert box.facts == ["The user's sister Lena lives in York."]
    assert [former.text for former in box.memory.history(number)] == ["The user's sister Lena lives in Leeds."]
    assert box.memory.facts()[0].confidence == CONFIDENCE


def test_what_is_about_something_else_is_kept_beside_it(box: Box) -> None:
    box.knows("The user's sister Lena lives in Leeds.")
    assert box.hears("The user's sister Lena plays the oboe.") is Became.NEW
    assert len(box.facts) == 2


@pytest.mark.parametrize("new", ["The user's brother Tom likes jazz.", "The user's brother Tom is a singer."])
def test_what_can_be_true_beside_it_replaces_nothing_whatever_the_model_says(box: Box, new: str) -> None:
    known = "The user's brother Tom is a carpenter."
    box.knows(known)
    assert box.hears(new, replaces=True) is Became.NEW
    assert box.facts == sorted([known, new])


def test_what_was_said_before_the_known_fact_changes_nothing(box: Box) -> None:
    box.knows("The user's sister Lena lives in Leeds.", days=2)
    assert box.hears("The user's sister Lena lives in York.", replaces=True) is Became.KNOWN
    assert box.facts == ["The user's sister Lena lives in Leeds."]


@pytest.mark.parametrize(
    "new", ["The user's son is not allergic to peanuts.", "The user's son is allergic to almonds."]
)
def test_what_a_life_may_hang_on_stays(box: Box, new: str) -> None:
    grave = "The user's son is allergic to peanuts."
    box.knows(grave)
    assert box.hears(new, replaces=True) is Became.NEW
    assert box.facts == sorted([grave, new])
    assert box.asked == []


def test_the_opposite_is_not_the_same(box: Box) -> None:
    box.knows("The user eats meat.")
    assert box.hears("The user does not eat meat.") is not Became.KNOWN


def test_one_persons_fact_is_not_anothers(box: Box) -> None:
    box.knows("The user's cello teacher is Mrs Okafor.", person="Ana")
    assert box.hears("The user's cello teacher is Mr Hale.", replaces=True, person="Ben") is Became.NEW
    assert sorted(fact.person for fact in box.memory.facts()) == ["Ana", "Ben"]


def test_what_the_household_knows_is_not_kept_for_one_of_them_again(box: Box) -> None:
    box.knows("The user's bins are collected on Monday.")
    assert box.hears("The bins are collected on Monday.", person="Ben") is Became.KNOWN


def test_a_rule_is_held_against_rules(box: Box) -> None:
    box.knows("The user always wants Celsius.", kind="rule")
    assert box.hears("The user always wants Celsius.", kind="rule") is Became.KNOWN
    assert box.hears("The user always wants short answers.", kind="rule") is Became.NEW
    assert len(box.memory.facts("rule")) == 2
