"""Lines through whole turns to the demo house of a real Home Assistant, and how it is then: `make home-test`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from rig import Board
from running_bridge import RunningBridge

from appliance.body.clock import SystemClock
from appliance.bridge.client import SocketBridge
from appliance.bridge.home_assistant import HomeAssistant
from appliance.settings import Settings
from appliance.simulated import skill_context
from appliance.skills import calendar
from bench.real_home import RealHome

pytestmark = pytest.mark.home
EXPOSED = ["lock.front_door", "lock.kitchen_door", "calendar.calendar_1"]
"""Home Assistant exposes none of these by itself."""
LOOK_S, SEEN_S = 0.05, 5.0


@pytest.fixture(scope="module")
def home(home_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHome]:
    running = RealHome(home_python, tmp_path_factory.mktemp("home") / "config")
    running.ask("homeassistant/expose_entity", assistants=["conversation"], entity_ids=EXPOSED, should_expose=True)
    yield running
    running.kill()


@pytest.fixture
def board(home: RealHome, tmp_path: Path) -> Iterator[Board]:
    settings = Settings.model_validate({"home_assistant": {"url": home.url}})
    provider = HomeAssistant(home.url, lambda: home.token, "en")
    with RunningBridge(tmp_path / "s", provider), SocketBridge(tmp_path / "s", "en") as bridge:
        made = Board(bridge=bridge, settings=settings)
        until(lambda: bool(made.skills.reads("turn on the bed light")))
        yield made


def until(seen: Any) -> None:
    ends_s = time.monotonic() + SEEN_S
    while not seen():
        assert time.monotonic() < ends_s
        time.sleep(LOOK_S)


def state(home: RealHome, id: str) -> dict[str, Any]:
    return next(dict(each) for each in home.ask("get_states") if each["entity_id"] == id)


@pytest.mark.parametrize(
    ("line", "id", "wanted"),
    [
        ("turn on the bed light", "light.bed_light", "on"),
        ("turn the bed light off", "light.bed_light", "off"),
        ("switch off the kitchen lights", "light.kitchen_lights", "off"),
        ("close the hall window", "cover.hall_window", "closed"),
        ("lock the front door", "lock.front_door", "locked"),
        ("turn on the living room fan", "fan.living_room_fan", "on"),
        ("pause the bedroom player", "media_player.bedroom", "paused"),
        ("turn on the ac", "switch.ac", "on"),
    ],
)
def test_an_order_is_done(board: Board, home: RealHome, line: str, id: str, wanted: str) -> None:
    record = board.say(line)
    assert record.lane == "fast", record.said
    until(lambda: state(home, id)["state"] == wanted)


def test_a_number_is_set(board: Board, home: RealHome) -> None:
    board.say("set the bed light to 40 percent")
    until(lambda: state(home, "light.bed_light")["attributes"].get("brightness") == 102)
    board.say("set the heat pump to 22 degrees")
    until(lambda: state(home, "climate.heatpump")["attributes"].get("temperature") in (22, 25))


def test_a_door_waits_for_a_yes(board: Board, home: RealHome) -> None:
    board.say("lock the kitchen door")
    until(lambda: state(home, "lock.kitchen_door")["state"] == "locked")
    assert board.say("unlock the kitchen door").said == "Unlock Kitchen Door?"
    assert state(home, "lock.kitchen_door")["state"] == "locked"
    board.say("yes")
    until(lambda: state(home, "lock.kitchen_door")["state"] == "unlocked")


def test_it_is_taken_back(board: Board, home: RealHome) -> None:
    board.say("turn on the bed light")
    until(lambda: state(home, "light.bed_light")["state"] == "on")
    until(lambda: "Yes" in board.say("is the bed light on").said)
    board.say("turn off the bed light")
    until(lambda: state(home, "light.bed_light")["state"] == "off")
    board.say("undo that")
    until(lambda: state(home, "light.bed_light")["state"] == "on")


def test_killed_it_says_so_and_comes_back(board: Board, home: RealHome) -> None:
    home.kill()
    until(lambda: "cannot reach" in board.say("turn on the bed light").said)
    home.start()
    ends_s = time.monotonic() + 60
    while board.say("turn on the bed light").said != "Bed Light is on.":
        assert time.monotonic() < ends_s
        time.sleep(1)


def test_its_calendars_are_told(home: RealHome, tmp_path: Path) -> None:
    chosen = {"url": home.url, "use_calendars": True}
    settings = Settings.model_validate({"state": tmp_path / "state", "home_assistant": chosen})
    provider = HomeAssistant(home.url, lambda: home.token, "en")
    with RunningBridge(tmp_path / "s", provider), SocketBridge(tmp_path / "s", "en") as bridge:
        skill = calendar.make(
            skill_context(settings=settings, clock=SystemClock(ZoneInfo("Europe/Berlin")), bridge=bridge)
        )
        fetch, file = skill.chore, settings.state / "calendar" / "house.ics"
        assert fetch

        def fetched() -> bool:
            fetch(lambda: True)
            return file.exists() and b"Future Event" in file.read_bytes()

        until(fetched)
        read = next(tool for tool in skill.tools if tool.name == "read_calendar")
        assert read.call({"what": "the future event"}).startswith("Future Event is ")
