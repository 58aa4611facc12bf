"""What is said to another device is for its loudspeaker and its timers, not for those of the box that thinks for it."""

from __future__ import annotations

from typing import Any

import pytest
from rig import Board

from appliance.audio import never
from appliance.build.client_tools import client_tools
from appliance.node.functions import functions
from appliance.ports.hub import ClientTool, Continue, Function, Outcome, Result, Start, TurnAsked
from appliance.tts.text import TextMouth

CANNOT = "I cannot do that on this device."


class Device:
    """A conversation of another device on the skills of the board."""

    def __init__(self, board: Board, *tools: ClientTool, channel: str = "satellite") -> None:
        self.board, self.clients = board, board.engine.clients
        asked = Start(conversation="kitchen", channel=channel, tools=[*tools])
        self.clients.start(asked, client_tools(asked.tools, self.clients.irreplaceable, "en"))

    def say(self, text: str) -> Outcome:
        return self.clients.turn(TurnAsked(conversation="kitchen", text=text), 1, TextMouth(), never)

    def bring(self, outcome: Outcome, message: str) -> Outcome:
        result = Result(id=outcome.calls[0].id, message=message)
        return self.clients.go_on(Continue(conversation="kitchen", results=[result]), 2, TextMouth(), never)


def brought(board: Board, *skills: str) -> list[ClientTool]:
    """The tools of those skills, as a node brings them."""
    tools = [tool for skill in board.skills.on if skill.name in skills for tool in skill.tools]
    return [ClientTool.model_validate(each) for each in functions(tools)]


def called(outcome: Outcome) -> list[tuple[str, dict[str, Any]]]:
    return [(call.name, call.arguments) for call in outcome.calls]


def test_a_whole_sentence_is_done_by_the_device_that_can() -> None:
    board = Board("say It is louder there.")
    device = Device(board, *brought(board, "sound", "timers"))
    louder = device.say("a bit louder")
    assert called(louder) == [("set_volume", {"direction": "up"})]
    assert device.bring(louder, "Volume 60 percent.").said == "It is louder there."
    assert called(device.say("set a timer for nine minutes")) == [("set_timer", {"minutes": 9.0})]
    assert called(device.say("stop")) == [("stop", {})]
    assert board.volume.level == 50
    assert board.skills.rings.alarms.all() == []


def test_the_model_calls_the_one_of_the_device_and_reads_what_it_takes() -> None:
    level = {"type": "object", "properties": {"loudness": {"type": "integer"}}, "required": ["loudness"]}
    board = Board("set_volume(loudness=70)")
    device = Device(board, ClientTool(function=Function(name="set_volume", description="Loudness.", parameters=level)))
    asked = device.say("for my old ears put the volume of yours at 70 would you")
    assert called(asked) == [("set_volume", {"loudness": 70})]
    assert "loudness" in board.canned.prompts[0][-1].text
    assert board.volume.level == 50


def test_a_sentence_whose_arguments_the_device_does_not_take_is_left_to_the_model() -> None:
    level = {"type": "object", "properties": {"loudness": {"type": "integer"}}, "required": ["loudness"]}
    board = Board("set_volume(loudness=70)")
    device = Device(board, ClientTool(function=Function(name="set_volume", description="Loudness.", parameters=level)))
    assert called(device.say("set the volume to 70 percent")) == [("set_volume", {"loudness": 70})]
    assert len(board.canned.prompts) == 1
    assert board.volume.level == 50


def test_a_device_hears_again_what_was_said_to_it() -> None:
    device = Device(Board())
    time = device.say("what time is it").said
    assert device.say("say that again").said == time


@pytest.mark.parametrize("line", ["a bit louder", "mute yourself", "turn the volume up by 20 percent", "stop"])
def test_what_a_device_cannot_do_is_not_done_on_the_box_that_thinks(line: str) -> None:
    closed = list[bool]()
    board = Board(close_microphone=lambda: closed.append(True), silence=lambda: closed.append(True))
    device = Device(board)
    outcome = device.say(line)
    assert (outcome.said, outcome.stop_reason) == (CANNOT, "complete")
    assert (board.volume.level, closed) == (50, [])
    assert board.canned.prompts == []


def test_neither_does_the_model_do_it() -> None:
    board = Board("set_volume(level=70)")
    assert Device(board).say("for my old ears put the volume of yours at 70 would you").said == CANNOT
    assert board.volume.level == 50


def test_of_several_requests_the_others_are_done() -> None:
    board = Board()
    said = Device(board).say("add milk to the shopping list and turn the volume up").said
    assert CANNOT in said
    assert "milk" in said


@pytest.mark.parametrize("skills", [(), ("sound",)])
def test_nor_is_it_put_off_until_nobody_knows_whose_it_was(skills: tuple[str, ...]) -> None:
    board = Board()
    device = Device(board, *brought(board, *skills))
    assert device.say("turn the volume up in ten minutes").said == CANNOT
    board.clock.pass_time(700)
    assert [order for each in board.skills.orders for order in each.due()] == []


def test_who_is_at_the_page_and_the_box_itself_go_on_as_before() -> None:
    board = Board()
    assert Device(board, channel="chat").say("a bit louder").said == "Volume 60 percent."
    assert Device(board, channel="household").say("a bit louder").said == "Volume 70 percent."
    assert board.say("a bit louder", "voice").said == "Volume 80 percent."


def test_the_boxs_own_is_its_own_again_in_every_other_conversation() -> None:
    board = Board()
    assert called(Device(board, *brought(board, "sound")).say("a bit louder"))
    assert board.say("a bit louder", "voice").said == "Volume 60 percent."
    assert board.volume.level == 60


def test_in_place_of_what_is_remembered_nothing_comes() -> None:
    board = Board()
    names = {tool.name for tool in board.skills.for_model() if tool.memory == "keep"}
    given = [ClientTool(function=Function(name=name)) for name in sorted(names)]
    made = {tool.name for tool in client_tools(given, board.engine.clients.irreplaceable, "en")}
    assert made == {f"node_{name}" for name in names}
