"""Whole turns about lists, by sentences alone: nothing here asks the model."""

from __future__ import annotations

from pathlib import Path

import pytest
from rig import Board, outcomes

from appliance.memory.items import SqliteItems
from appliance.memory.store import Store


@pytest.fixture
def box(tmp_path: Path) -> Board:
    store = Store(tmp_path / "box.sqlite")
    return Board("say I made this up.", items=lambda skill: SqliteItems(store, skill))


def test_a_list_is_filled_read_ticked_and_cleared(box: Board) -> None:
    assert "milk, eggs and tea" in box.say("add milk, eggs and tea to the shopping list").said
    assert box.say("is there any tea on the shopping list").said == "Yes, on the shopping list: tea."
    assert "ticked off milk" in box.say("I've got the milk, tick it off the shopping list").said
    assert box.say("what's on the shopping list").said == "On the shopping list: eggs and tea."
    record = box.say("clear the shopping list")
    assert (record.outcome, record.said) == ("asked", "Shall I clear the shopping list, 3 items?")
    assert box.say("no").said
    assert "eggs" in box.say("read me the shopping list").said
    box.say("clear the shopping list")
    assert box.say("yes").said == "The shopping list is cleared."
    assert box.say("what's on the shopping list").said == "The shopping list is empty."


def test_a_list_and_a_timer_in_one_line_are_both_done(box: Board) -> None:
    record = box.say("put oats on the list and set a timer for five minutes")
    assert outcomes(record) == [("add_to_list", "ok"), ("set_timer", "ok")]


def test_what_was_put_on_a_list_is_taken_back(box: Board) -> None:
    box.say("add milk to the shopping list")
    box.say("add tea to the shopping list")
    assert "tea" in box.say("undo that").said
    assert box.say("what's on the shopping list").said == "On the shopping list: milk."
    box.say("take milk off the shopping list")
    box.say("undo that")
    assert box.say("what's on the shopping list").said == "On the shopping list: milk."


def test_a_cleared_list_is_taken_back(box: Board) -> None:
    box.say("add milk and tea to the shopping list")
    box.say("clear the shopping list")
    box.say("yes")
    box.say("undo that")
    assert box.say("what's on the shopping list").said == "On the shopping list: milk and tea."


@pytest.mark.parametrize(
    "line", ["put the kettle on the stove", "add five minutes to the tea", "turn the list over", "take the bins out"]
)
def test_no_other_words_touch_a_list(box: Board, line: str) -> None:
    box.say("add milk to the shopping list")
    box.say(line)
    assert box.say("read me all my lists").said == "You have the shopping list with one item."


def test_what_was_not_said_is_asked_for(box: Board) -> None:
    record = box.say("add something to the party list")
    assert (record.outcome, record.said) == ("asked", "What shall I put on it?")
    assert "candles" in box.say("candles").said
    assert box.say("what's on the party list").said == "On the party list: candles."


def test_german_turns_are_german(tmp_path: Path) -> None:
    box = Board("say Das habe ich erfunden.", language="de")
    assert box.say("Setz Milch und Butter auf die Einkaufsliste").said == (
        "Auf der Einkaufsliste steht jetzt auch: Milch und Butter."
    )
    assert box.say("Was steht auf der Einkaufsliste?").said == "Auf der Einkaufsliste: Milch und Butter."
    assert box.say("Leere die Einkaufsliste").said == "Soll ich die Einkaufsliste leeren, 2 Einträge?"
    assert box.say("ja").said == "Die Einkaufsliste ist gelöscht."
