"""What the model calls for the house, with the words of the user."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from house_bridge import HouseBridge, home_settings

import appliance.skills.home as home
from appliance.errors import ApplianceError
from appliance.ports import Skill
from appliance.simulated import skill_context


@pytest.fixture
def bridge() -> HouseBridge:
    return HouseBridge()


@pytest.fixture
def skill(bridge: HouseBridge) -> Skill:
    made = home.make(skill_context(settings=home_settings(), bridge=bridge))
    bridge.up()
    return made


def call(skill: Skill, called: str, /, **arguments: Any) -> str:
    [tool] = [tool for tool in skill.all_tools if tool.name == called]
    try:
        return str(tool.call(arguments))
    except ApplianceError as error:
        return error.what


@pytest.mark.parametrize(
    ("arguments", "called"),
    [
        ({"what": "dusty the robot thing", "to": "on"}, ("vacuum.start", ["vacuum.dusty"], {})),
        ({"what": "light.worktop", "to": "on"}, ("homeassistant.turn_on", ["light.worktop"], {})),
        ({"what": "cover.study_blind", "to": "closed"}, ("cover.close_cover", ["cover.blind"], {})),
        ({"what": "the dusty", "to": "on"}, ("vacuum.start", ["vacuum.dusty"], {})),
        ({"what": "hoover", "to": "on"}, ("vacuum.start", ["vacuum.dusty"], {})),
        ({"what": "study lamp", "to": "off"}, ("homeassistant.turn_off", ["light.desk"], {})),
        ({"what": "worktop lamp", "to": "level", "level": 30},
         ("light.turn_on", ["light.worktop"], {"brightness_pct": 30})),
        ({"what": "kitchen lights", "to": "on"}, ("homeassistant.turn_on", ["light.worktop", "light.ceiling"], {})),
        ({"what": "heating in the study", "to": "level", "level": 18},
         ("climate.set_temperature", ["climate.study"], {"temperature": 18})),
        ({"what": "blinds", "to": "closed"}, ("cover.close_cover", ["cover.blind"], {})),
        ({"what": "back door", "to": "locked"}, ("lock.lock", ["lock.back"], {})),
        ({"what": "hall music", "to": "paused"}, ("media_player.media_pause", ["media_player.hall"], {})),
    ],
)  # fmt: skip
def test_it_finds_what_the_words_mean(skill: Skill, bridge: HouseBridge, arguments: Any, called: Any) -> None:
    call(skill, "home_set", **arguments)
    assert bridge.calls == [called]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"what": "swimming pool", "to": "on"}, "I find nothing called swimming pool in the house."),
        ({"what": "kitchen lamp", "to": "on"}, "Which do you mean: Worktop or Kitchen Ceiling?"),
        ({"what": "front door", "to": "off"}, "I find nothing called front door in the house."),
        ({"what": "attic lamp", "to": "on"}, "Attic Lamp does not answer, so I have done nothing."),
        ({"what": "lamp in the pantry", "to": "off"}, "I find nothing called lamp in the pantry in the house."),
        ({"what": "light.pantry_lamp", "to": "on"}, "I find nothing called pantry lamp in the house."),
        ({"what": "nursery heater", "to": "on"}, "I find nothing called nursery heater in the house."),
        ({"what": "kettle in the study", "to": "on"}, "I find nothing called kettle in the study in the house."),
    ],
)
def test_it_does_nothing_that_was_not_meant(skill: Skill, bridge: HouseBridge, arguments: Any, said: str) -> None:
    assert call(skill, "home_set", **arguments) == said
    assert bridge.calls == []


def test_it_asks_before_it_unlocks(skill: Skill) -> None:
    [tool] = [tool for tool in skill.all_tools if tool.name == "home_set"]
    assert tool.question({"what": "front door", "to": "unlocked"}) == "Unlock Front Door?"
    assert tool.question({"what": "kettle", "to": "on"}) == ""


def test_it_tells_how_something_is(skill: Skill) -> None:
    assert call(skill, "home_state", what="back door") == "Back Door is unlocked."
    assert call(skill, "home_state", what="shed window") == "Shed Window is open."
    assert call(skill, "home_state", what="temperature in the hall") == "Hall Thermometer is 17.3 °C."


def test_a_scene_is_set(skill: Skill, bridge: HouseBridge) -> None:
    assert call(skill, "run_scene", name="cosy")
    assert bridge.calls == [("scene.turn_on", ["scene.cosy"], {})]


def test_its_phrases_lie_beside_it() -> None:
    assert (Path(home.__file__).parent / "phrases" / "de.yaml").is_file()
