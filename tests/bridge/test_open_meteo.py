"""Open-Meteo's forecast over a real web server, told by the weather tool, and what is told while it cannot be had."""

from __future__ import annotations

import asyncio
import gzip
import json
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from running_bridge import RunningBridge, eventually
from web_server import Behaviour, WebServer, dead, drops, flood, gives, headers_for_ever, hung, moves_on

from appliance.bridge import open_meteo
from appliance.bridge.client import SocketBridge
from appliance.bridge.open_meteo import OpenMeteo
from appliance.build.bridged import providers
from appliance.errors import CannotBeDone, WrongUse
from appliance.ports import LINK, Tool
from appliance.settings import Settings
from appliance.settings_bridge import OPEN_METEO, Weather
from appliance.simulated import CannedBridge, HandSetClock, skill_context
from appliance.skills.weather import make
from appliance.skills.weather.open_meteo import CODES
from appliance.skills.weather.report import Condition

NOW = datetime(2026, 3, 14, 18, 30, tzinfo=UTC)  # a Saturday
HERE = (52.0907, 5.1214)
FORECAST: dict[str, Any] = {
    "latitude": 52.1, "longitude": 5.12, "generationtime_ms": 0.09, "utc_offset_seconds": 3600,
    "timezone": "Europe/Amsterdam", "timezone_abbreviation": "CET", "elevation": 9.0,
    "current_units": {"time": "iso8601", "interval": "seconds", "temperature_2m": "°C", "weather_code": "wmo code"},
    "current": {"time": "2026-03-14T19:15", "interval": 900, "temperature_2m": 7.6, "weather_code": 0, "is_day": 0},
    "daily_units": {"time": "iso8601", "weather_code": "wmo code", "temperature_2m_min": "°C"},
    "daily": {
        "time": ["2026-03-14", "2026-03-15", "2026-03-16"],
        "weather_code": [61, 0, 73],
        "temperature_2m_min": [3.2, -2.4, None],
        "temperature_2m_max": [9.4, 11.0, 1.0],
        "precipitation_sum": [5.5, 0.0, 4.5],
        "precipitation_probability_max": [80, 5, None],
        "wind_speed_10m_max": [12.0, 55.0, 20.0],
    },
}  # fmt: skip
GOOD = gives(json.dumps(FORECAST).encode(), "application/json")
PLACES = {
    "results": [
        {"name": "Utrecht", "latitude": -27.66, "longitude": 30.32, "country": "South Africa", "country_code": "ZA"},
        {"name": "Utrecht", "latitude": 52.09, "longitude": 5.12, "country": "Netherlands", "country_code": "NL"},
    ]
}


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_meteo, "FETCH_S", 0.6)


def heard(does: Behaviour, place: Any = HERE, found: Behaviour | None = None) -> tuple[dict[str, Any], list[Any]]:
    """What it tells first, and what it was asked for."""

    async def first(provider: OpenMeteo) -> dict[str, Any]:
        news: dict[str, Any] = {}
        running = asyncio.create_task(provider.run(news.__setitem__))
        async with asyncio.timeout(5):
            while LINK not in news:
                await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.wait({running})
        return news

    with WebServer({"/v1/forecast": does, "/v1/search": found or GOOD}) as server:
        provider = OpenMeteo(f"{server.url}/v1/forecast", place, "Europe/Berlin", f"{server.url}/v1/search")
        news = asyncio.run(first(provider))
        return news, [parse_qs(urlsplit(path).query) for path, _ in server.asked]


@contextmanager
def told(folder: Path, does: Behaviour, clock: HandSetClock) -> Iterator[Tool]:
    """The weather tool, with all that is between it and the server."""
    with WebServer({"/v1/forecast": does}) as server:
        provider = OpenMeteo(f"{server.url}/v1/forecast", HERE)
        settings = Settings.model_validate({"weather": {"open_meteo": True}})
        with RunningBridge(folder / "s", provider), SocketBridge(folder / "s", "en") as bridge:
            yield make(skill_context(settings=settings, bridge=bridge, clock=clock)).tools[0]


def says(weather: Tool) -> str:
    try:
        return weather.call({})
    except CannotBeDone as error:
        return error.what


def test_it_is_told_and_with_its_time_once_it_is_old(tmp_path: Path) -> None:
    clock = HandSetClock(NOW)
    with told(tmp_path, GOOD, clock) as weather:
        eventually(lambda: "degrees" in says(weather))
        assert says(weather) == "It is 8 degrees and clear. Today: rainy, 3 to 9 degrees, 80 percent chance of rain."
        assert weather.call({"when": "tomorrow"}) == (
            "Tomorrow: sunny, minus 2 to 11 degrees, no rain, wind of 55 kilometres an hour."
        )
        assert weather.call({"when": "on monday"}) == "On Monday: snowy, up to 1 degree, 4.5 millimetres of rain."
        clock.pass_time(4 * 3_600)
        assert says(weather).endswith("I was told that at 6:15 PM.")


def test_what_is_known_stays_known_while_nobody_can_be_asked() -> None:
    bridge = CannedBridge({})
    settings = Settings.model_validate({"weather": {"open_meteo": True}})
    weather = make(skill_context(settings=settings, bridge=bridge, clock=HandSetClock(NOW))).tools[0]
    assert says(weather) == "I cannot get the weather now."
    bridge.tell("weather", "report", heard(GOOD)[0]["report"])
    bridge.tell("weather", LINK, {"up": False, "why": "no_bridge"})
    assert says(weather).startswith("It is 8 degrees")


def test_it_asks_for_the_place_no_closer_than_a_kilometre() -> None:
    news, [asked] = heard(GOOD)
    assert news[LINK] == {"up": True, "why": ""}
    assert (asked["latitude"], asked["longitude"], asked["timezone"]) == (["52.09"], ["5.12"], ["Europe/Berlin"])
    assert asked["daily"] == [",".join(open_meteo.DAILY)]


@pytest.mark.parametrize(
    ("place", "north"), [("Utrecht, Netherlands", "52.09"), ("Utrecht, za", "-27.66"), ("Utrecht", "-27.66")]
)
def test_a_place_is_looked_up_by_its_name(place: str, north: str) -> None:
    found = gives(json.dumps(PLACES).encode(), "application/json")
    news, [search, forecast] = heard(GOOD, place, found)
    assert (search["name"], forecast["latitude"]) == (["Utrecht"], [north])
    assert news[LINK]["up"]


def test_a_place_that_nobody_knows_is_told() -> None:
    news, _ = heard(GOOD, "Nowhere", gives(b'{"generationtime_ms": 0.5}', "application/json"))
    assert news[LINK] == {"up": False, "why": "no_place"}


def changed(**more: Any) -> Behaviour:
    return gives(json.dumps(FORECAST | more).encode(), "application/json")


BOMB = gzip.compress(bytes(50_000_000))
FAULTS: dict[str, tuple[Behaviour, str]] = {
    "hung": (hung, "no_answer"),
    "drops": (drops, "no_answer"),
    "dead": (dead, "nonsense"),
    "flood": (flood, "nonsense"),
    "headers for ever": (headers_for_ever, "nonsense"),
    "redirects": (moves_on, "nonsense"),
    "400": (gives(b'{"error": true, "reason": "no"}', "application/json", "400 Bad Request"), "nonsense"),
    "no json": (gives(b"<p>Hello</p>"), "nonsense"),
    "other json": (gives(b"[]", "application/json"), "nonsense"),
    "deep json": (gives(b'{"current": ' + b"[" * 100_000, "application/json"), "nonsense"),
    "10 MB": (gives(b" " * 10_000_000, "application/json"), "nonsense"),
    "binary": (gives(bytes(range(256)) * 100, "application/json"), "nonsense"),
    "bomb": (gives(BOMB, "application/json", "200 OK", "Content-Encoding: gzip"), "nonsense"),
    "far too hot": (changed(current=FORECAST["current"] | {"temperature_2m": 1e300}), "nonsense"),
    "no time": (changed(current=FORECAST["current"] | {"time": "soon"}), "nonsense"),
    "many days": (changed(daily={"time": ["2026-03-14"] * 100_000}), "nonsense"),
    "no offset": (changed(utc_offset_seconds=10**9), "nonsense"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_in_time_and_takes_little_memory(fault: str) -> None:
    does, why = FAULTS[fault]
    tracemalloc.start()
    try:
        news, _ = heard(does)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert news == {LINK: {"up": False, "why": why}}
    assert most < 8_000_000


@pytest.mark.parametrize("fault", ["hung", "flood", "other json"])
def test_a_question_never_waits_for_a_fault(tmp_path: Path, fault: str) -> None:
    with told(tmp_path, FAULTS[fault][0], HandSetClock(NOW)) as weather:
        assert says(weather) == "I cannot get the weather now."


@pytest.mark.parametrize(
    "more",
    [
        {"current": {"time": "2026-03-14T19:15", "temperature_2m": 5_000}},
        {"daily": {"time": ["2026-03-14"], "temperature_2m_max": [5_000]}},
        {"daily": {"time": ["2026-03-14"], "weather_code": [1e3]}},
        {"daily": {"time": []}},
    ],
)
def test_a_strange_forecast_is_no_fault_of_the_box(more: dict[str, Any]) -> None:
    news, _ = heard(changed(**more))
    bridge = CannedBridge({})
    settings = Settings.model_validate({"weather": {"open_meteo": True}})
    weather = make(skill_context(settings=settings, bridge=bridge, clock=HandSetClock(NOW))).tools[0]
    bridge.tell("weather", "report", news["report"])
    assert says(weather).endswith(".")


def test_each_code_has_a_condition_with_words() -> None:
    assert {*CODES.values()} <= {*Condition.__args__}  # type: ignore[attr-defined]


def test_the_setting_is_the_publishers_address_or_ones_own() -> None:
    assert Weather().open_meteo == Weather.model_validate({"open_meteo": False}).open_meteo == ""
    assert Weather.model_validate({"open_meteo": True}).open_meteo == OPEN_METEO
    own = "http://nas.lan:8080/v1/forecast"
    assert Weather.model_validate({"open_meteo": own}).open_meteo == own
    for wrong in ({"open_meteo": "nas.lan"}, {"latitude": 3}, {"latitude": 91, "longitude": 0}):
        with pytest.raises(ValueError, match=r"address|both|90"):
            Weather.model_validate(wrong)


def test_it_is_not_started_without_a_place() -> None:
    made = Settings.model_validate({"weather": {"open_meteo": True}})
    with pytest.raises(WrongUse, match=r"weather\.latitude"):
        providers(made)
    assert [each.name for each in providers(made.model_copy(update={"place": "Utrecht"}))] == ["weather"]
