"""Lines about the house through whole turns of the real engine: none of them reaches the model."""

from __future__ import annotations

import pytest
from house_bridge import HouseBridge, home_settings
from rig import Board, Evening, outcomes


@pytest.fixture
def bridge() -> HouseBridge:
    return HouseBridge()


@pytest.fixture
def board(bridge: HouseBridge) -> Board:
    board = Board(bridge=bridge, settings=home_settings(room="Kitchen"))
    bridge.up()
    return board


def test_an_order_needs_no_model(board: Board, bridge: HouseBridge) -> None:
    record = board.say("Jarvis, turn on the kettle, please.")
    assert (record.said, record.lane) == ("Kettle is on.", "fast")
    assert bridge.calls == [("homeassistant.turn_on", ["switch.kettle"], {})]
    assert board.canned.prompts == []


def test_a_door_is_unlocked_after_a_yes_only(board: Board, bridge: HouseBridge) -> None:
    assert board.say("unlock the front door").said == "Unlock Front Door?"
    assert bridge.calls == []
    assert board.say("no").said
    assert bridge.calls == []
    board.say("unlock the front door")
    assert board.say("yes").said == "Unlocking Front Door."
    assert bridge.calls == [("lock.unlock", ["lock.front"], {})]


def test_which_is_asked_and_answered(bridge: HouseBridge) -> None:
    board = Board(bridge=bridge, settings=home_settings())
    bridge.up()
    assert board.say("lock the door").said == "Which do you mean: Front Door or Back Door?"
    assert board.say("the back one").said
    assert bridge.calls == [("lock.lock", ["lock.back"], {})]
    board.say("lock the door")
    board.say("both")
    assert bridge.calls[1:] == [("lock.lock", ["lock.front", "lock.back"], {})]


def test_what_is_to_be_unlocked_is_asked_twice(bridge: HouseBridge) -> None:
    board = Board(bridge=bridge, settings=home_settings())
    bridge.up()
    board.say("unlock the door")
    assert board.say("the front door").said == "Unlock Front Door?"
    assert bridge.calls == []
    board.say("yes")
    assert bridge.calls == [("lock.unlock", ["lock.front"], {})]


def test_it_can_be_taken_back(board: Board, bridge: HouseBridge) -> None:
    board.say("turn off the kitchen ceiling")
    board.say("undo that")
    assert bridge.calls[1:] == [
        ("scene.apply", [], {"entities": {"light.ceiling": {"state": "on", "brightness": 120}}})
    ]


def test_it_can_wait(board: Board, bridge: HouseBridge) -> None:
    record = board.say("turn off the kitchen ceiling in ten minutes")
    assert outcomes(record) == [("do_later", "ok")]
    assert bridge.calls == []


def test_of_what_waited_only_the_door_is_asked_about(bridge: HouseBridge) -> None:
    evening = Evening(bridge=bridge, settings=home_settings())
    bridge.up()
    evening.say("in ten minutes turn off the kettle and unlock the front door")
    assert "Unlock Front Door?" in evening.wait(minutes=10)
    evening.say("yes")
    assert [service for service, _, _ in bridge.calls] == ["homeassistant.turn_off", "lock.unlock"]


def test_the_house_and_the_box_in_one_breath(board: Board, bridge: HouseBridge) -> None:
    record = board.say("turn on the kettle and set a timer for five minutes")
    assert [tool for tool, _ in outcomes(record)] == ["home_do", "set_timer"]


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("set a timer for five minutes", "set_timer"),
        ("set the volume to 40 percent", "set_volume"),
        ("add milk to the shopping list", "add_to_list"),
        ("what time is it", "get_time"),
        ("stop", "stop"),
    ],
)
def test_what_is_the_boxs_own_stays_so(board: Board, bridge: HouseBridge, line: str, tool: str) -> None:
    assert [each for each, _ in outcomes(board.say(line))] == [tool]
    assert bridge.calls == []


def test_a_player_of_the_house_plays_where_the_box_has_none(board: Board, bridge: HouseBridge) -> None:
    assert board.say("pause the music").said == "Paused."
    assert bridge.calls == [("media_player.media_pause", ["media_player.hall"], {})]


def test_without_a_house_nothing_is_read(bridge: HouseBridge) -> None:
    assert Board().skills.reads("turn on the kettle") == ()
