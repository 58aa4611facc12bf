"""What is told of the weather, from a real file and from the bridge's news."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from house_bridge import HouseBridge, home_settings
from rig import Board

from appliance.errors import CannotBeDone
from appliance.ports import LINK, Tool
from appliance.settings import Settings
from appliance.simulated import HandSetClock, skill_context
from appliance.skills.weather import make

NOW = datetime(2026, 3, 14, 18, 30, tzinfo=UTC)  # a Saturday
REPORT: dict[str, Any] = {
    "at": NOW.isoformat(),
    "condition": "rainy",
    "temperature": 7.6,
    "days": [
        {"date": "2026-03-14", "condition": "rainy", "low": 3.2, "high": 9.4, "rain_percent": 80},
        {"date": "2026-03-15", "condition": "sunny", "low": -2.4, "high": 11, "rain_percent": 5, "wind_kmh": 55},
        {"date": "2026-03-16", "condition": "snowy", "high": 1, "rain_mm": 4.5},
    ],
}


def from_file(tmp_path: Path, content: str, **more: Any) -> Tool:
    path = tmp_path / "weather.json"
    path.write_text(content)
    settings = Settings.model_validate({"weather": {"file": path}, "place": "Utrecht, Netherlands", **more})
    return make(skill_context(settings=settings, clock=HandSetClock(NOW))).tools[0]


@pytest.fixture
def weather(tmp_path: Path) -> Tool:
    return from_file(tmp_path, json.dumps(REPORT))


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("", "It is 8 degrees and rainy. Today: rainy, 3 to 9 degrees, 80 percent chance of rain."),
        ("tomorrow", "Tomorrow: sunny, minus 2 to 11 degrees, no rain, wind of 55 kilometres an hour."),
        ("on monday", "On Monday: snowy, up to 1 degree, 4.5 millimetres of rain."),
        ("tomorrow evening", "Tomorrow: sunny, minus 2 to 11 degrees, no rain, wind of 55 kilometres an hour."),
    ],
)
def test_a_day_is_told(weather: Tool, when: str, said: str) -> None:
    assert weather.call({"when": when}) == said


def test_a_weekend_is_two_days(weather: Tool) -> None:
    assert weather.call({"when": "the weekend"}).count(":") == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"when": "in two weeks"}, "no forecast"),
        ({"when": "yesterday"}, "over"),
        ({"when": "bananas"}, "which day"),
        ({"place": "Oslo"}, "not in Oslo"),
    ],
)
def test_what_it_does_not_know_is_said(weather: Tool, arguments: dict[str, str], said: str) -> None:
    with pytest.raises(CannotBeDone, match=said):
        weather.call(arguments)


def test_here_is_no_other_place(weather: Tool) -> None:
    assert weather.call({"place": "Utrecht"}) == weather.call({"place": "outside"}) == weather.call({})


def test_an_old_report_is_told_with_its_time(tmp_path: Path) -> None:
    old = from_file(tmp_path, json.dumps(REPORT | {"at": (NOW - timedelta(hours=9)).isoformat()}))
    assert old.call({}).endswith("I was told that at 9:30 AM.")


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"at": "x"}', "x" * 100_000, json.dumps(REPORT | {"days": 5})])
def test_a_file_of_nonsense_is_told_of(tmp_path: Path, content: str) -> None:
    with pytest.raises(CannotBeDone, match="make sense"):
        from_file(tmp_path, content).call({})


def test_a_file_that_is_gone_is_told_of(tmp_path: Path) -> None:
    weather = from_file(tmp_path, "{}")
    (tmp_path / "weather.json").unlink()
    with pytest.raises(CannotBeDone, match="cannot read"):
        weather.call({})


class Station(HouseBridge):
    """A bridge whose house has a weather entity, with a forecast."""

    forecast: Any = ({"datetime": "2026-03-15T00:00:00+00:00", "condition": "fog", "templow": 2, "temperature": 6},)

    def ask(self, provider: str, what: str, timeout_s: float = 5.0, **arguments: Any) -> Any:
        assert (arguments["service"], arguments["response"]) == ("get_forecasts", True)
        return {"response": {"weather.here": {"forecast": self.forecast}}}


def test_home_assistant_has_the_weather() -> None:
    bridge = Station()
    weather = make(skill_context(settings=home_settings(), bridge=bridge, clock=HandSetClock(NOW))).tools[0]
    with pytest.raises(CannotBeDone, match="cannot get"):
        weather.call({})
    entity = {"id": "weather.here", "name": "Here", "state": "fog", "attributes": {"temperature": 4}}
    bridge.tell(LINK, {"up": True, "why": ""})
    bridge.tell("house", {"entities": [entity]})
    assert weather.call({}) == "It is 4 degrees and foggy."
    assert weather.call({"when": "tomorrow"}) == "Tomorrow: foggy, 2 to 6 degrees."
    bridge.tell("states", {"weather.here": {"state": "sunny", "attributes": {"temperature": 5}}})
    assert weather.call({}) == "It is 5 degrees and sunny."


def test_a_forecast_of_nonsense_is_none() -> None:
    bridge = Station()
    bridge.forecast = ({"datetime": "soon"}, {"condition": "fog"}, {"datetime": "2026-03-15", "temperature": 1e9})
    weather = make(skill_context(settings=home_settings(), bridge=bridge, clock=HandSetClock(NOW))).tools[0]
    bridge.tell(LINK, {"up": True, "why": ""})
    bridge.tell("house", {"entities": [{"id": "weather.here", "state": "fog", "attributes": {"temperature": 4}}]})
    with pytest.raises(CannotBeDone, match="no forecast"):
        weather.call({"when": "tomorrow"})


def test_in_german(tmp_path: Path) -> None:
    weather = from_file(tmp_path, json.dumps(REPORT), words={"language": "de"})
    assert weather.call({"when": "morgen"}).startswith("Morgen: sonnig, minus 2 bis 11 Grad, kein Regen")


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("what's the weather", None),
        ("how's the weather tomorrow", "tomorrow"),
        ("will it rain on saturday", "saturday"),
        ("do i need an umbrella tomorrow", "tomorrow"),
        ("what's the forecast for the weekend", "weekend"),
        ("is it raining outside", None),
        ("how cold will it be on monday", "monday"),
    ],
)
def test_whole_sentences_need_no_model(tmp_path: Path, line: str, when: str | None) -> None:
    path = tmp_path / "weather.json"
    path.write_text(json.dumps(REPORT))
    board = Board(settings=Settings.model_validate({"weather": {"file": path}}))
    record = board.say(line)
    [step] = record.steps
    assert (step.tool, step.arguments.get("when")) == ("get_weather", when)
    assert board.canned.prompts == []
