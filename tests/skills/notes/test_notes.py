"""Notes on a real database, and whole turns about them by sentences alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from rig import Board

from appliance.errors import BadArgument, CannotBeDone
from appliance.memory.items import SqliteItems
from appliance.memory.store import Store
from appliance.settings import Settings, Words
from appliance.simulated import HandSetClock, skill_context
from appliance.skills import notes
from appliance.skills.notes.tools import PART
from appliance.skills.written import written

FOLDER = Path(notes.__file__).parent
DAY_S = 24 * 3_600
START = datetime.fromisoformat("2026-03-14T18:30:00+00:00")
"""A Saturday."""

Do = Callable[..., str]


def tools_on(store: Store, clock: HandSetClock, language: str = "en") -> Do:
    context = skill_context(
        settings=Settings(words=Words(language=language)), clock=clock, items=lambda skill: SqliteItems(store, skill)
    )
    tools = {tool.name: tool for tool in notes.make(context).all_tools}

    def do(name: str, **arguments: Any) -> str:
        return tools["delete_note"].question(arguments) if name == "question" else tools[name].call(arguments)

    return do


@pytest.fixture
def clock() -> HandSetClock:
    return HandSetClock(START)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "box.sqlite") as made:
        yield made


@pytest.fixture
def do(store: Store, clock: HandSetClock) -> Do:
    return tools_on(store, clock)


def test_a_note_is_kept_word_for_word_and_told_to_whom_it_is_of(do: Do) -> None:
    assert do("add_note", text="I lent Gary my drill.") == "Noted: you lent Gary your drill."
    assert do("read_notes") == "Today: you lent Gary your drill."


def test_notes_are_read_by_day_and_by_words_newest_first(do: Do, clock: HandSetClock) -> None:
    do("add_note", text="the boiler drips")
    clock.pass_time(DAY_S)
    do("add_note", text="boiler man comes at 7:30")
    do("add_note", text="paint is pebble grey")
    assert do("read_notes", about="the boiler") == "Today: boiler man comes at 7:30. Yesterday: the boiler drips."
    assert do("read_notes", day="yesterday") == "Yesterday: the boiler drips."
    assert do("read_notes", day="Saturday") == "Yesterday: the boiler drips."
    assert do("read_notes", about="last") == "Today: paint is pebble grey."
    with pytest.raises(CannotBeDone, match="no note about roof"):
        do("read_notes", about="roof")
    with pytest.raises(CannotBeDone, match="no notes from that day"):
        do("read_notes", day="Monday")


def test_many_are_read_in_part(do: Do) -> None:
    for each in range(PART + 2):
        do("add_note", text=f"note number {each}")
    said = do("read_notes")
    assert said.count("note number") == PART
    assert said.endswith("And 2 more; ask for a day, or what it is about.")


def test_deleting_names_the_note_and_asks_which_of_several(do: Do) -> None:
    do("add_note", text="the boiler drips")
    do("add_note", text="the boiler man is Declan")
    with pytest.raises(BadArgument, match="2 such notes"):
        do("question", about="boiler")
    assert do("question", about="boiler drips") == "Shall I delete this note: the boiler drips?"
    assert do("delete_note", about="boiler drips") == "Deleted: the boiler drips."
    assert do("read_notes") == "Today: the boiler man is Declan."
    with pytest.raises(CannotBeDone, match="no note about roof"):
        do("delete_note", about="roof")
    do("add_note", text="something else")
    assert do("question", about="all my notes") == "Shall I delete all 2 notes?"
    do("delete_note", about="all my notes")
    with pytest.raises(CannotBeDone, match="You have no notes"):
        do("read_notes")


def test_notes_survive_a_restart(tmp_path: Path, clock: HandSetClock) -> None:
    with Store(tmp_path / "box.sqlite") as store:
        tools_on(store, clock)("add_note", text="the boiler drips")
    with Store(tmp_path / "box.sqlite") as store:
        assert tools_on(store, clock)("read_notes") == "Today: the boiler drips."


def test_a_note_without_words_is_asked_for(do: Do) -> None:
    for text in ("it", "...", "that"):
        with pytest.raises(BadArgument, match="What shall I write down"):
            do("add_note", text=text)


def test_whole_turns_are_done_without_the_model() -> None:
    box = Board("say I made this up.")
    assert box.say("make a note that the plumber comes at 7:30").said == "Noted: the plumber comes at 7:30."
    assert box.say("make a note").said == "What shall I write down?"
    assert box.say("the tap drips").said == "Noted: the tap drips."
    assert "plumber" in box.say("what did I note about the plumber").said
    assert box.say("delete the note about the plumber").said == "Shall I delete this note: the plumber comes at 7:30?"
    assert box.say("yes").said == "Deleted: the plumber comes at 7:30."
    assert "taken" not in box.say("undo that").said
    assert "plumber" in box.say("read me my notes").said


def test_an_order_behind_a_note_is_no_part_of_it() -> None:
    box = Board("say I made this up.")
    record = box.say("make a note that the milk is off and set a timer for five minutes")
    assert [step.tool for step in record.steps] == ["add_note", "set_timer"]
    assert box.say("make a note that the plumber came and fixed the tap").said.endswith("fixed the tap.")


def test_german_turns_are_german(store: Store, clock: HandSetClock) -> None:
    box = Board("say Das habe ich erfunden.", language="de")
    assert box.say("Neue Notiz: der Klempner kommt am Freitag").said == "Notiert: der Klempner kommt am Freitag."
    assert box.say("Lies mir die Notizen von heute vor").said == "Heute: der Klempner kommt am Freitag."
    assert box.say("Lösche die Notiz zum Klempner").said == (
        "Soll ich diese Notiz löschen: der Klempner kommt am Freitag?"
    )
    with pytest.raises(CannotBeDone, match="keine Notizen"):
        tools_on(store, clock, "de")("read_notes")


@pytest.mark.parametrize("part", ["phrases", "words"])
def test_german_has_all_that_english_has(part: str) -> None:
    assert written(FOLDER, part, "de").keys() >= written(FOLDER, part, "en").keys()


def test_no_secret_and_nothing_off_the_record_is_noted() -> None:
    box = Board("say I keep nothing of that.")
    box.say("make a note, my password is marigold77")
    assert "marigold" not in box.say("read me my notes").said
    box.say("off the record, make a note that the gate sticks")
    assert "gate" not in box.say("read me my notes").said
