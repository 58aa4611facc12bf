"""What was said is written up once a conversation is over: a batch at a time, once, and not at all if broken off."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from rig import NOW, Rig

from appliance.audio import Stale, never
from appliance.errors import ModelLost, PromptTooLong
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.memory.values import SqliteValues
from appliance.ports import MemoryStore
from appliance.reply.merge import CONFIDENCE
from appliance.reply.reflect import BATCH_CHARS, BATCH_MOST, TRIES
from appliance.simulated import CannedModel, MemoryValues

NOTE = 'note(text="The user paints the shed green.")'
FACT = 'user_fact(fact="The user\'s brother Tom is a carpenter.")'
LINES = ["we like the shed in green paint", "my brother Tom is a carpenter"]
WRITTEN = 'The user paints the shed green.\nThe user said: "my brother Tom is a carpenter."'
"""What the model notes of the first line, and beside it the second one, of which it noted nothing."""


class House:
    """A rig in which exchanges were kept, and time goes by."""

    def __init__(self, *writes: str, memory: MemoryStore | None = None, **parts: Any) -> None:
        self.canned = parts.pop("model", None) or CannedModel(writes)
        own = {"values": MemoryValues()} | ({"memory": memory} if memory else {})
        self.rig = Rig(model=self.canned, parts=own | parts)
        self.memory = memory or self.rig.memory
        self.clock = self.rig.clock

    def hears(self, *lines: str, conversation: str = "c-1", person: str = "") -> None:
        for line in lines:
            self.memory.add_exchange(conversation, line, "I see.", self.clock.now(), person=person)
            self.clock.pass_time(10)

    def rests(self, stale: Stale = never, minutes: float = 10) -> int:
        """How many batches are thought over."""
        self.clock.pass_time(minutes * 60)
        batches = 0
        while self.rig.engine.reflect(stale):
            batches += 1
        return batches

    @property
    def days(self) -> list[str]:
        today = self.clock.now().date()
        return [each.text for each in self.memory.diary(today - timedelta(days=30), today)]

    @property
    def facts(self) -> list[str]:
        return [fact.text for fact in self.memory.facts()]


def test_a_conversation_that_is_over_becomes_notes_and_facts() -> None:
    house = House(NOTE, FACT)
    house.hears(*LINES)
    assert house.rests(minutes=1) == 0, "somebody may still go on with it"
    assert house.rests() == 1
    assert house.days == [WRITTEN]
    assert house.facts == ["The user's brother Tom is a carpenter."]
    (fact,) = house.memory.facts()
    source = house.memory.source(fact.id)
    assert source
    assert (source.heard, fact.confidence) == (LINES[1], CONFIDENCE)


def test_it_is_thought_over_once() -> None:
    house = House(NOTE, FACT)
    house.hears(*LINES)
    house.rests()
    assert house.rests() == 0
    assert len(house.canned.prompts) == 2


def test_the_model_reads_what_was_said_and_of_facts_only_what_the_user_stated() -> None:
    house = House(NOTE, FACT)
    house.hears("is my brother called Ned?", *LINES)
    house.rests()
    notes, facts = (prompt[-1].text for prompt in house.canned.prompts)
    assert f"The user: {LINES[0]}\nJarvis: I see." in notes
    assert "I see." not in facts
    assert "Ned" not in facts
    assert all(len(prompt) == 4 for prompt in house.canned.prompts), "behind the shortest head"


def test_a_day_grows_with_its_conversations_and_each_day_has_its_own() -> None:
    house = House(NOTE, FACT, 'note(text="The user asked for a lentil soup.")')
    house.hears(*LINES)
    house.rests()
    house.hears("which lentil soup is quick")
    house.rests()
    assert house.days == [f"{WRITTEN}\nThe user asked for a lentil soup."]
    house.canned.more('note(text="The user has a cold.")')
    house.clock.pass_time(86_400)
    house.hears("which tea helps when I have a cold")
    house.rests()
    assert len(house.days) == 2


def test_a_long_conversation_is_thought_over_in_batches() -> None:
    house = House()
    house.hears(*(f"the heron number {number} nests by the river" for number in range(BATCH_MOST + 1)))
    assert house.rests() == 2


def test_long_lines_make_short_batches() -> None:
    house = House()
    house.hears(*(f"the heron number {number} {'stands by the river ' * 12}" for number in range(BATCH_MOST)))
    assert house.rests() == 2
    assert all(len(prompt[-1].text) < BATCH_CHARS + 400 for prompt in house.canned.prompts)


def test_what_was_stated_is_put_to_the_model_a_few_sentences_at_a_time() -> None:
    house = House(NOTE, "nothing()", 'user_fact(fact="My cousin Vic mends clocks.")')
    house.hears(*LINES, "our shed has a green door", "my cousin Vic mends clocks")
    house.rests()
    assert len(house.canned.prompts) == 3
    assert house.facts == ["My cousin Vic mends clocks."]


def test_two_conversations_are_two_batches() -> None:
    house = House()
    house.hears("the heron nests by the river", conversation="c-1")
    house.hears("the stork nests on the roof", conversation="c-2")
    assert house.rests() == 2


def test_what_follows_an_open_conversation_waits_for_it() -> None:
    house = House()
    house.hears("the heron nests by the river", conversation="c-1")
    house.clock.pass_time(600)
    house.hears("the heron is grey", conversation="c-1")
    assert house.rests(minutes=0) == 0


@pytest.mark.parametrize("after", [0, 1])
def test_broken_off_it_is_as_if_never_begun(after: int) -> None:
    """after: the passes that it got through."""
    house = House(*[NOTE, FACT][:after])
    house.hears(*LINES)
    house.canned.more("")
    passes = house.canned.prompts
    assert house.rests(stale=lambda: len(passes) > after) == 0
    assert (house.days, house.facts) == ([], [])
    house.canned._texts[:] = [NOTE, FACT]
    assert house.rests() == 1
    assert (len(house.days), len(house.facts)) == (1, 1)


class Failing(CannedModel):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error, self.calls = error, 0

    def generate(self, *given: Any) -> Iterator[str]:
        self.calls += 1
        raise self._error
        yield ""


def test_without_a_model_the_users_own_words_stand_in_the_end() -> None:
    model = Failing(ModelLost("it crashed", remedy="wait"))
    house = House(model=model)
    house.hears(*LINES)
    for _ in range(TRIES - 1):
        assert house.rests() == 0
        assert house.days == []
    assert house.rests() == 1
    assert [line for day in house.days for line in day.splitlines()] == [f'The user said: "{line}."' for line in LINES]
    assert house.facts == []


def test_what_the_model_cannot_read_is_not_tried_again() -> None:
    house = House(model=Failing(PromptTooLong("it is too long")))
    house.hears(*LINES)
    assert house.rests() == 1
    assert "my brother Tom" in house.days[0]


def test_notes_that_the_words_do_not_hold_are_not_kept() -> None:
    house = House('note(text="The user went to Rome with 3 friends.")', "nothing()")
    house.hears(*LINES)
    house.rests()
    assert house.days == [
        'The user said: "we like the shed in green paint."\nThe user said: "my brother Tom is a carpenter."'
    ]


def test_greetings_cost_no_pass_and_are_no_topic() -> None:
    house = House()
    house.hears("hello", "thank you")
    assert house.rests() == 1
    assert (house.days, house.canned.prompts) == ([], [])


def test_a_contradiction_is_put_to_the_model_and_the_newest_wins() -> None:
    wrote = 'user_fact(fact="The user\'s brother Tom lives in York.")'
    house = House('note(text="The user\'s brother Tom lives in York.")', wrote, "update_memory(id=1)")
    house.memory.save("The user's brother Tom lives in Leeds.", "user", NOW - timedelta(days=3))
    house.hears("my brother Tom lives in York now")
    house.rests()
    assert house.facts == ["The user's brother Tom lives in York."]
    assert [former.text for former in house.memory.history(1)] == ["The user's brother Tom lives in Leeds."]
    assert "1: The user's brother Tom lives in Leeds." in house.canned.prompts[-1][-1].text


def test_facts_belong_to_who_said_them() -> None:
    house = House(NOTE, FACT)
    house.hears(*LINES, person="Ana")
    house.rests()
    assert [fact.person for fact in house.memory.facts()] == ["Ana"]
    assert f"Ana: {LINES[0]}" in house.canned.prompts[0][-1].text


def test_in_private_mode_nothing_is_thought_over() -> None:
    house = House(NOTE, FACT, private=lambda: True)
    house.hears(*LINES)
    assert house.rests() == 0
    assert house.days == []


def test_what_was_said_long_ago_stays_as_it_is() -> None:
    house = House(NOTE, FACT)
    house.hears(*LINES)
    assert house.rests(minutes=9 * 24 * 60) == 0


def test_the_words_are_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "appliance")
    house = House(NOTE, FACT)
    house.hears(*LINES)
    house.rests()
    assert "thought 2 exchanges over" in caplog.text
    assert "shed" not in caplog.text
    assert "Tom" not in caplog.text


def test_in_a_real_store_it_goes_on_where_it_was_after_a_restart(tmp_path: Path) -> None:
    def house(store: Store, *writes: str) -> House:
        return House(*writes, memory=SqliteMemory(store), values=SqliteValues(store))

    with Store(tmp_path / "appliance.db") as store:
        first = house(store, NOTE, FACT)
        first.hears(*LINES)
        first.hears("the heron nests by the river", conversation="c-2")
        first.clock.pass_time(600)
        assert first.rig.engine.reflect(never)
    with Store(tmp_path / "appliance.db") as store:
        then = house(store, 'note(text="A heron nests by the river.")')
        then.clock.pass_time(1_000)
        assert then.rests() == 1
        assert then.days == [f"{WRITTEN}\nA heron nests by the river."]
        assert len(then.canned.prompts) <= 2


def test_a_topic_that_is_forgotten_is_not_thought_over_again() -> None:
    house = House(NOTE, FACT)
    house.hears(*LINES)
    house.rests()
    house.memory.forget(topic="shed")
    assert house.rests() == 0
    assert "shed" not in "".join(house.days)


def test_who_speaks_in_the_middle_of_a_pass_does_not_wait_for_it() -> None:
    house = House(model=CannedModel(hangs=True))
    house.hears(*LINES)
    speaks_s = time.monotonic() + 0.2
    assert house.rests(stale=lambda: time.monotonic() > speaks_s) == 0
    assert house.canned.prompts != []
    assert time.monotonic() - speaks_s < 5
    assert house.days == []
