"""A house of two providers: Home Assistant, and devices that tell by MQTT what they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from house_bridge import thing
from rig import Board

from appliance.ports import LINK
from appliance.settings import Settings
from appliance.simulated import CannedBridge
from appliance.skills import home
from appliance.skills.home.live import LiveHouse
from appliance.skills.written import Words

UP = {"up": True, "why": ""}
GONE = {"up": False, "why": "no_server"}
HOME = {
    "areas": [{"id": "study", "name": "Study", "floor": None}],
    "entities": [thing("light.desk", "Desk Lamp", "study"), thing("light.attic", "Attic Lamp", "study")],
}
PLAIN = {
    "areas": [{"id": "mqtt_study", "name": "study"}, {"id": "mqtt_shed", "name": "Shed"}],
    "entities": [
        thing("light.mqtt_shelf", "Shelf Lamp", "mqtt_study"),
        thing("light.mqtt_desk", "desk lamp", "mqtt_study"),
        thing("light.mqtt_shed", "Shed Lamp", "mqtt_shed"),
    ],
}


def board_of(bridge: CannedBridge, **more: Any) -> Board:
    settings = {"home_assistant": {"url": "http://127.0.0.1:8123"}, "mqtt": {"host": "127.0.0.1", "devices": True}}
    return Board(bridge=bridge, settings=Settings.model_validate(settings | more))


@pytest.fixture
def bridge() -> CannedBridge:
    made = CannedBridge({("home", "call"): {}, ("mqtt", "call"): {}})
    for provider, house in (("home", HOME), ("mqtt", PLAIN)):
        made.tell(provider, LINK, UP)
        made.tell(provider, "house", house)
    return made


@pytest.fixture
def board(bridge: CannedBridge) -> Board:
    return board_of(bridge)


def called(bridge: CannedBridge) -> list[tuple[str, list[str]]]:
    return [(provider, given["entities"]) for provider, what, given in bridge.asked if what == "call"]


def test_each_is_told_to_switch_its_own(board: Board, bridge: CannedBridge) -> None:
    assert board.say("turn on the shed lamp").said == "Shed Lamp is on."
    assert board.say("turn on the attic lamp").said == "Attic Lamp is on."
    assert called(bridge) == [("mqtt", ["light.mqtt_shed"]), ("home", ["light.attic"])]


def test_what_both_have_is_one_thing_and_a_room_is_one_room(board: Board, bridge: CannedBridge) -> None:
    assert board.say("turn on the desk lamp").said == "Desk Lamp is on."
    assert called(bridge) == [("home", ["light.desk"])]
    board.say("turn on the lights in the study")
    assert called(bridge)[1:] == [("home", ["light.desk", "light.attic"]), ("mqtt", ["light.mqtt_shelf"])]


def test_what_both_did_is_taken_back_at_both(board: Board, bridge: CannedBridge) -> None:
    board.say("turn on the lights in the study")
    board.say("undo that")
    calls = [(provider, given["data"]) for provider, what, given in bridge.asked if what == "call"]
    assert [(provider, [*data["entities"]]) for provider, data in calls[2:]] == [
        ("home", ["light.desk", "light.attic"]),
        ("mqtt", ["light.mqtt_shelf"]),
    ]


def test_one_that_is_down_leaves_the_other(board: Board, bridge: CannedBridge) -> None:
    bridge.tell("home", LINK, GONE)
    assert board.say("turn on the shed lamp").said == "Shed Lamp is on."
    assert "does not answer" in board.say("turn on the attic lamp").said
    bridge.tell("mqtt", LINK, GONE)
    assert board.say("turn on the shed lamp").said == "I cannot reach Home Assistant now."
    bridge.tell("home", LINK, UP)
    assert board.say("turn on the attic lamp").said == "Attic Lamp is on."


def test_the_broker_alone_is_a_house(bridge: CannedBridge) -> None:
    board = board_of(bridge, home_assistant={}, mqtt={"host": "127.0.0.1"})
    board.say("turn on the desk lamp")
    assert called(bridge) == [("mqtt", ["light.mqtt_desk"])]
    bridge.tell("mqtt", LINK, GONE)
    assert board.say("turn on the desk lamp").said == "I cannot reach the MQTT broker now."


def test_a_home_assistant_knows_the_same_devices_unless_the_owner_says_otherwise() -> None:
    url = {"url": "http://127.0.0.1:8123"}
    chosen = [
        Settings.model_validate({"mqtt": mqtt, "home_assistant": home}).has_mqtt_devices
        for mqtt in ({}, {"host": "b"}, {"host": "b", "devices": True}, {"host": "b", "devices": False})
        for home in ({}, url)
    ]
    assert chosen == [False, False, True, False, True, True, False, False]


def test_a_changed_state_leaves_the_rooms_the_same_so_that_no_names_are_read_again(bridge: CannedBridge) -> None:
    live = LiveHouse(bridge, Words(Path(home.__file__).parent, "en"), str, providers=("home", "mqtt"))
    rooms = live.known().areas
    bridge.tell("mqtt", "states", {"light.mqtt_shed": {"state": "on", "attributes": {}}})
    assert live.known().things["light.mqtt_shed"].state == "on"
    assert live.known().areas is rooms
    bridge.tell("mqtt", "house", {**PLAIN, "areas": []})
    assert live.known().areas is not rooms
