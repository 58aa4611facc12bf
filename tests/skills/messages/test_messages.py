"""Messages through whole turns: read back, asked, sent once."""

from __future__ import annotations

from typing import Any

import pytest
from house_bridge import HouseBridge
from pydantic import ValidationError
from rig import Board

from appliance.settings import Settings

PEOPLE = {"Mia": "notify.mobile_app_mia", "Uncle Ted": "notify.mobile_app_ted"}


def settings(**more: Any) -> Settings:
    return Settings.model_validate(
        {"home_assistant": {"url": "http://127.0.0.1:8123"}, "messages": {"to": PEOPLE}, **more}
    )


@pytest.fixture
def bridge() -> HouseBridge:
    return HouseBridge()


@pytest.fixture
def board(bridge: HouseBridge) -> Board:
    return Board(bridge=bridge, settings=settings())


@pytest.mark.parametrize(
    ("line", "question", "called", "message"),
    [
        ("tell Mia that dinner is ready", "Send Mia this: Dinner is ready?", "mobile_app_mia", "Dinner is ready"),
        ("Text uncle Ted I'm late, sorry.", "Send Uncle Ted this: I'm late, sorry?", "mobile_app_ted",
         "I'm late, sorry"),
        ("send a message to mia saying call me", "Send Mia this: Call me?", "mobile_app_mia", "Call me"),
        ("let mia know the train is at ten to six", "Send Mia this: The train is at ten to six?", "mobile_app_mia",
         "The train is at ten to six"),
    ],
)  # fmt: skip
def test_it_is_read_back_and_sent_after_a_yes(
    board: Board, bridge: HouseBridge, line: str, question: str, called: str, message: str
) -> None:
    assert board.say(line).said == question
    assert bridge.calls == []
    assert board.say("yes").said.startswith("Sent to")
    assert bridge.calls == [(f"notify.{called}", [], {"message": message})]
    board.say("yes")
    assert len(bridge.calls) == 1


def test_a_no_sends_nothing(board: Board, bridge: HouseBridge) -> None:
    board.say("tell mia that dinner is ready")
    board.say("no")
    assert bridge.calls == []


@pytest.mark.parametrize("line", ["tell me a story", "tell the time", "text", "what is mia", "let me know the time"])
def test_other_lines_are_no_messages(board: Board, line: str) -> None:
    assert board.skills.reads(line) == ()


def test_somebody_unknown_is_not_written_to(board: Board, bridge: HouseBridge) -> None:
    [tool] = [tool for tool in board.skills.for_model() if tool.name == "send_message"]
    with pytest.raises(Exception, match="only to Mia, Uncle Ted"):
        tool.question({"to": "Granny", "text": "hello"})


def test_what_was_not_sent_is_said(board: Board, bridge: HouseBridge) -> None:
    board.say("tell mia that dinner is ready")
    bridge.fails = "Home Assistant does not answer"
    assert board.say("yes").said == "Home Assistant does not answer."


def test_in_german(bridge: HouseBridge) -> None:
    board = Board(bridge=bridge, settings=settings(words={"language": "de"}), language="de")
    assert board.say("sag mia, dass das Essen fertig ist").said == "Soll ich Mia schicken: Dass das Essen fertig ist?"


def test_only_what_notifies_can_be_named() -> None:
    with pytest.raises(ValidationError):
        settings(messages={"to": {"Mia": "lock.unlock"}})
