from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import BadArgument, CannotBeDone
from appliance.memory.facts import SqliteMemory
from appliance.memory.store import Store
from appliance.ports import FactKind, Spoken
from appliance.simulated import HandSetClock, MemoryFacts
from appliance.skills.memory.tools import JUST_NOW, MemoryTools
from appliance.skills.schema import tool

NOON = datetime(2025, 11, 21, 12, 0, tzinfo=ZoneInfo("Europe/Berlin"))
DAY_S = 24 * 3_600


class Box:
    def __init__(self, store: SqliteMemory) -> None:
        self.clock = HandSetClock(NOON)
        self.store = store
        self.tools = MemoryTools(store, self.clock, found_max=8)

    def knows(self, *texts: str, kind: FactKind = "user") -> None:
        """Each said a minute after the one before."""
        for text in texts:
            self.store.save(text, kind, self.clock.now())
            self.clock.pass_time(60)

    def texts(self) -> list[str]:
        return [fact.text for fact in self.store.facts()]


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with Store(tmp_path / "appliance.db") as store:
        yield Box(SqliteMemory(store))


class TestRemembering:
    def test_a_fact_and_a_rule_are_kept_apart(self, box: Box) -> None:
        said = box.tools.remember("The user's sister is called Anna.")
        assert isinstance(said, Spoken)
        assert said == "I will remember that."
        assert box.tools.set_preference("Keep it short.") == "I will keep to that."
        assert [fact.text for fact in box.store.facts("user")] == ["The user's sister is called Anna."]
        assert [fact.text for fact in box.store.facts("rule")] == ["Keep it short."]

    def test_an_update_replaces_the_text(self, box: Box) -> None:
        box.knows("The user lives in Berlin")
        number = box.store.facts()[0].id
        assert box.tools.update_memory(number, "The user lives in Rome") == "I will remember it that way."
        assert box.texts() == ["The user lives in Rome"]

    def test_an_update_of_what_is_not_there_can_be_corrected(self, box: Box) -> None:
        with pytest.raises(BadArgument, match="no fact number 7"):
            box.tools.update_memory(7, "The user lives in Rome")

    @pytest.mark.parametrize("nothing", ["", "...", "🙂"])
    def test_nothing_is_asked_for_and_not_stored(self, box: Box, nothing: str) -> None:
        box.knows("The user lives in Berlin")
        calls: list[Callable[[], str]] = [
            lambda: box.tools.remember(nothing),
            lambda: box.tools.set_preference(nothing),
            lambda: box.tools.update_memory(box.store.facts()[0].id, nothing),
            lambda: box.tools.recall(nothing),
            lambda: box.tools.forget(nothing),
        ]
        for call in calls:
            with pytest.raises(BadArgument, match=r"^What should I .*\?"):
                call()
        assert box.texts() == ["The user lives in Berlin"]


class TestRecall:
    def test_each_entry_is_a_line_with_its_day_newest_first(self, box: Box) -> None:
        box.knows("Anna drinks tea")
        box.clock.pass_time(DAY_S)
        box.store.add_exchange("one", "is there\ntea", "Yes.", box.clock.now())
        found = box.tools.recall("tea")
        assert not isinstance(found, Spoken), "it is data for the model"
        assert found == '[2025-11-22] User: "is there tea" Answer: "Yes."\n[2025-11-21] Anna drinks tea'

    def test_the_day_is_the_one_of_the_box(self, box: Box) -> None:
        box.store.save("Anna drinks tea", "user", datetime(2025, 11, 20, 23, 30, tzinfo=UTC))
        assert box.tools.recall("tea") == "[2025-11-21] Anna drinks tea"

    def test_it_stays_short(self, box: Box) -> None:
        box.knows(*(f"tea number {number}" for number in range(20)))
        assert len(box.tools.recall("tea").splitlines()) == 8

    def test_nothing_found_is_said_so(self, box: Box) -> None:
        box.knows("Anna drinks tea")
        assert box.tools.recall("the moon?").startswith("Nothing is stored about the moon.")
        assert "Anna drinks tea" in box.tools.recall("the moon?"), "the word may be another than the one stored"
        assert box.tools.recall("tea", until="2025-11-20") == "Nothing is stored about tea from that time."

    @pytest.mark.parametrize(
        ("since", "until", "days"),
        [
            ("", "", [23, 22, 21]),
            ("2025-11-22", "", [23, 22]),
            ("", "2025-11-22", [22, 21]),
            ("2025-11-22", "2025-11-22", [22]),
            ("2025-11-24", "", []),
            ("0001-01-01", "9999-12-30", [23, 22, 21]),
        ],
    )
    def test_both_days_count(self, box: Box, since: str, until: str, days: list[int]) -> None:
        for day in (21, 22, 23):
            last_minute = datetime(2025, 11, day, 23, 59, tzinfo=NOON.tzinfo)
            box.store.add_exchange("one", "tea", "Yes.", last_minute.astimezone(UTC))
        lines = box.tools.recall("tea", since, until).splitlines()
        assert [line[:12] for line in lines if line[0] == "["] == [f"[2025-11-{day}]" for day in days]

    @pytest.mark.parametrize("day", ["yesterday", "2025-02-30", "21.11.2025", "9999-12-31"])
    def test_a_day_that_is_none_can_be_corrected(self, box: Box, day: str) -> None:
        with pytest.raises(BadArgument, match="could not tell which day"):
            box.tools.recall("tea", until=day)

    def test_any_topic_is_answered(self, box: Box) -> None:
        box.knows("Anna drinks tea", "9 to 5")

        @given(st.text(st.characters()))
        def answered(topic: str) -> None:
            assert box.tools.recall(f"tea {topic}")

        answered()


class TestForget:
    @pytest.mark.parametrize(
        ("what", "gone"),
        [
            ("Anna", "My sister Anna plays chess."),
            ("my sister", "My sister Anna plays chess."),
            ("that I keep the keys in the blue drawer", "The keys are in the blue drawer"),
            ("green tea", "I like green tea"),
            ("I like the tea from China", "The tea from China is the best"),
            ("the CAFÉ", "The cafe opens at nine"),
            ("Celsius", "Use Celsius"),
            ("muller", "Call me Müller"),
        ],
    )
    def test_the_one_that_is_meant_goes(self, box: Box, what: str, gone: str) -> None:
        box.knows(
            *("My sister Anna plays chess.", "The keys are in the blue drawer", "The bike is blue", "I like green tea"),
            *("The tea from China is the best", "The cafe opens at nine"),
        )
        box.knows("Use Celsius", "Keep it short", "Call me Müller", kind="rule")
        before = box.texts()
        said = box.tools.forget(what)
        assert isinstance(said, Spoken)
        assert said == f"Forgotten: {gone.rstrip('.')}."
        assert set(before) - set(box.texts()) == {gone}
        assert gone not in box.tools.recall(what)

    def test_several_are_asked_about_and_kept(self, box: Box) -> None:
        box.knows("Green tea is fine", "Black tea is strong", "The tea is in the jar", "Tea before bed is bad")
        with pytest.raises(BadArgument) as asked:
            box.tools.forget("tea")
        question = asked.value.what
        assert question.startswith("Which one do you mean: ")
        assert question.count(";") == 2, "three can be kept in mind"
        assert len(box.texts()) == 4

    def test_the_few_that_are_all_about_it_go_together(self, box: Box) -> None:
        box.knows("The user's lodger is called Piet.", "The lodger pays on the first.", "The attic is dry.")
        assert box.tools.whether_to_forget("lodger") == (
            "Shall I forget this: The lodger pays on the first; Your lodger is called Piet?"
        )
        assert box.tools.forget("lodger") == "Forgotten: The lodger pays on the first; Your lodger is called Piet."
        assert box.texts() == ["The attic is dry."]

    def test_only_those_that_are_nearly_as_good_are_asked_about(self, box: Box) -> None:
        box.knows("Anna drinks green tea", "Anna drinks green juice", "The tea pot is green")
        with pytest.raises(BadArgument, match=r": The tea pot is green; Anna drinks green tea\?"):
            box.tools.forget("Anna drinks tea pot")

    def test_one_word_tells_two_apart_that_are_alike_otherwise(self, box: Box) -> None:
        box.knows("The old green cup with milk stains", "The old green cup with cracks")
        assert box.tools.forget("the old green cup with milk") == "Forgotten: The old green cup with milk stains."

    def test_its_own_words_mean_that_one(self, box: Box) -> None:
        box.knows("Tea", "Green tea", "Green tea with milk")
        assert box.tools.forget("green tea!") == "Forgotten: Green tea."
        assert box.texts() == ["Green tea with milk", "Tea"]

    def test_what_is_kept_as_fact_and_as_rule_goes_altogether(self, box: Box) -> None:
        box.knows("Use Celsius")
        box.knows("Use Celsius", kind="rule")
        assert box.tools.forget("use Celsius") == "Forgotten: Use Celsius."
        assert box.texts() == []

    def test_what_is_not_stored_is_said_so(self, box: Box) -> None:
        box.knows("Anna drinks tea")
        box.knows("Keep it short", kind="rule")
        with pytest.raises(CannotBeDone, match=r"I have nothing stored about the moon\."):
            box.tools.forget("the moon.")
        assert box.texts() == ["Keep it short", "Anna drinks tea"]

    def test_what_was_only_talked_about_goes(self, box: Box) -> None:
        box.knows("The user's boat is red")
        box.store.add_exchange("one", "how far is the moon", "384,000 kilometres.", box.clock.now())
        assert box.tools.forget("the moon.") == "Forgotten: what was said about the moon."
        assert box.store.search("moon", 8) == []
        assert box.texts() == ["The user's boat is red"]

    def test_what_was_said_of_the_fact_goes_with_it(self, box: Box) -> None:
        box.store.add_exchange("one", "my dog is called Rex", "I will remember that.", box.clock.now())
        box.store.add_exchange("one", "what does Rex mean as a name", "King.", box.clock.now())
        box.knows("The user's dog is called Rex")
        assert box.tools.forget("my dog") == "Forgotten: Your dog is called Rex."
        assert "called" not in box.tools.recall("dog called Rex")

    def test_a_question_which_is_meant_forgets_nothing_yet(self, box: Box) -> None:
        box.knows("Green tea is fine", "Black tea is strong", "Red tea is sour", "White tea is dear")
        box.store.add_exchange("one", "is tea healthy", "It is.", box.clock.now())
        with pytest.raises(BadArgument, match="Which one"):
            box.tools.forget("tea")
        assert len(box.store.search("tea", 8)) == 5


class TestWhetherToForget:
    """The question before it."""

    @pytest.mark.parametrize(
        ("what", "asked"),
        [
            ("my sister's birthday", "Shall I forget this: Your birthday is on the third of May?"),
            ("my dog", "Shall I forget this: Your dog is called Rex?"),
            ("Celsius", "Shall I forget this: Use Celsius?"),
            ("my dentist", "Shall I forget what was said about your dentist?"),
            (
                "everything you know about me",
                "Shall I forget all 3 things that I know about you and the one thing that you said to me?",
            ),
        ],
    )
    def test_it_reads_what_would_go(self, box: Box, what: str, asked: str) -> None:
        box.knows("The user's birthday is on the third of May.", "The user's dog is called Rex")
        box.knows("Use Celsius", kind="rule")
        box.store.add_exchange("one", "when does my dentist open", "I do not know.", box.clock.now())
        assert box.tools.whether_to_forget(what) == asked
        assert len(box.texts()) == 3
        assert box.tools.forget(what).startswith("Forgotten: ")
        with pytest.raises(CannotBeDone):
            box.tools.whether_to_forget(what)

    @pytest.mark.parametrize(
        ("what", "said"),
        [
            ("my dentist", "I have nothing stored about your dentist."),
            ("my sister's boat", "I have nothing stored about your sister's boat."),
            ("everything", "I have nothing to forget."),
        ],
    )
    def test_nothing_is_asked_where_nothing_would_go(self, box: Box, what: str, said: str) -> None:
        if what != "everything":
            box.store.add_exchange("one", "is that a boat", "It is.", box.clock.now())
        with pytest.raises(CannotBeDone) as told:
            box.tools.whether_to_forget(what)
        assert told.value.what == said

    def test_of_several_it_is_asked_first_which_is_meant(self, box: Box) -> None:
        box.knows("The user's cat is old", "The user's cat is called Tom", "Our cat eats fish", "A cat sleeps late")
        with pytest.raises(BadArgument, match=r"Which one do you mean: (.*); (.*); (.*)\?"):
            box.tools.whether_to_forget("cat")

    def test_everything_goes_at_once(self, box: Box) -> None:
        box.knows("The user likes figs", "The user's boat is red")
        box.knows("Keep it short.", kind="rule")
        assert box.tools.forget("everything") == "Forgotten: all 3 things that I know about you."
        assert box.texts() == []

    def test_everything_is_also_what_was_only_talked_about(self, box: Box) -> None:
        for _ in range(2):
            box.store.add_exchange("one", "how far is the moon", "384,000 kilometres.", box.clock.now())
        assert box.tools.whether_to_forget("everything") == "Shall I forget all 2 things that you said to me?"
        assert box.tools.forget("everything") == "Forgotten: all 2 things that you said to me."
        assert box.tools.recall("moon") == "Nothing is stored about moon."


class TestForgetLast:
    def test_only_what_was_remembered_just_now_goes_unasked(self, box: Box) -> None:
        box.knows("The user's dog is called Rex.")
        assert box.tools.whether_to_forget_last() == ""
        box.clock.pass_time(JUST_NOW.total_seconds())
        assert box.tools.whether_to_forget_last() == "Shall I forget this: Your dog is called Rex?"
        box.clock.set(NOON - timedelta(days=1))
        assert box.tools.whether_to_forget_last(), "a clock that was set back makes nothing new"

    def test_there_is_nothing_to_ask_about(self, box: Box) -> None:
        with pytest.raises(CannotBeDone, match="nothing to forget"):
            box.tools.whether_to_forget_last()

    def test_what_was_said_of_it_goes_with_it(self, box: Box) -> None:
        box.store.add_exchange("one", "remember that I like figs", "I will remember that.", box.clock.now())
        box.knows("The user likes figs")
        box.tools.forget_last()
        assert box.store.search("figs", 8) == []

    def test_the_newest_goes_whatever_its_kind(self, box: Box) -> None:
        box.knows("Anna drinks tea")
        box.knows("Keep it short.", kind="rule")
        assert box.tools.forget_last() == "Forgotten: Keep it short."
        assert box.tools.forget_last() == "Forgotten: Anna drinks tea."
        with pytest.raises(CannotBeDone, match="nothing to forget"):
            box.tools.forget_last()

    def test_a_fact_said_again_is_the_newest(self, box: Box) -> None:
        box.knows("Anna drinks tea", "Bob drinks coffee", "anna drinks tea")
        box.tools.forget_last()
        assert box.texts() == ["Bob drinks coffee"]


def test_as_tools_they_take_what_the_model_writes() -> None:
    memory = MemoryTools(MemoryFacts(), HandSetClock(NOON + timedelta(days=1)), found_max=8)
    remember, recall = tool(memory.remember, "act"), tool(memory.recall, "read")
    assert recall.schema["required"] == ["topic"]
    remember.call({"fact": " Anna drinks tea "})
    assert recall.call({"topic": "tea", "since": None}) == "[2025-11-22] Anna drinks tea"
    for method in (memory.set_preference, memory.forget, memory.forget_last, memory.update_memory, memory.recall):
        description = tool(method, "act").description
        assert description.endswith(".")
        assert len(description) <= 80, "the catalogue is in every prompt"


@pytest.mark.parametrize("topic", ["everything", "me", "the user", "Everything you know about me"])
def test_everything_that_is_known_is_told_newest_first(box: Box, topic: str) -> None:
    box.knows("The user likes figs.", "The user's boat is red.")
    box.knows("Answer briefly.", kind="rule")
    told = box.tools.recall(topic)
    assert isinstance(told, Spoken)
    assert told == "Your boat is red. You like figs. And you asked for this: Answer briefly."


def test_of_much_that_is_known_only_some_is_told(box: Box) -> None:
    box.knows(*(f"The user owns {number} boats." for number in range(12)))
    assert box.tools.recall("everything").endswith('You own 7 boats. There are 7 more: say "go on".')


def test_nothing_is_known_yet(box: Box) -> None:
    assert box.tools.recall("me") == "You have not told me anything about yourself."
