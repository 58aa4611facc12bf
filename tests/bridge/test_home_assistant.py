"""The provider "home" on a real Home Assistant: `make home-test`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from running_bridge import UP, Ear, RunningBridge, names

from appliance.bridge.client import SocketBridge
from appliance.bridge.home_assistant import HomeAssistant
from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import LINK
from bench.real_home import RealHome

pytestmark = pytest.mark.home


@pytest.fixture(scope="module")
def home(home_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHome]:
    running = RealHome(home_python, tmp_path_factory.mktemp("home") / "config")
    yield running
    running.kill()


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def bridge(home: RealHome, ear: Ear, tmp_path: Path) -> Iterator[SocketBridge]:
    provider = HomeAssistant(home.url, lambda: home.token, "en")
    with RunningBridge(tmp_path / "s", provider), SocketBridge(tmp_path / "s", "en") as made:
        made.follow("home", ear)
        yield made


@pytest.fixture
def house(bridge: SocketBridge, ear: Ear) -> dict[str, Any]:
    ear.until(LINK, lambda link: link == UP)
    return dict(ear.until("house"))


def turn(bridge: SocketBridge, state: str, light: str = "light.bed_light", **data: Any) -> None:
    done = bridge.ask("home", "call", domain="light", service=f"turn_{state}", entities=[light], data=data)
    assert done == {"response": None}


def test_what_nobody_decided_on_is_exposed_as_home_assistant_itself_would(
    home: RealHome, house: dict[str, Any]
) -> None:
    exposed = home.ask("homeassistant/expose_entity/list")["exposed_entities"]
    assert sorted(names(house)) == sorted(name for name, to in exposed.items() if to.get("conversation"))
    assert len(house["entities"]) > 30
    assert not {name.partition(".")[0] for name in names(house)} & {"camera", "update", "person", "zone"}


def test_a_light_that_is_turned_on_is_seen_within_a_second(
    bridge: SocketBridge, house: dict[str, Any], ear: Ear
) -> None:
    for brightness in (99, 120):
        turn(bridge, "on", brightness=brightness)
        told = ear.until("states", lambda states: "light.bed_light" in states, 1)
        assert _light(told, "light.bed_light") == {"state": "on", "brightness": brightness}
    turn(bridge, "off")
    ear.until("states", lambda states: _light(states, "light.bed_light")["state"] == "off", 1)


def _light(states: dict[str, Any], name: str) -> dict[str, Any]:
    light = states.get(name, {"state": None, "attributes": {}})
    return {"state": light["state"], "brightness": light["attributes"].get("brightness")}


def test_an_entity_that_is_hidden_goes_and_never_comes(
    home: RealHome, bridge: SocketBridge, house: dict[str, Any], ear: Ear
) -> None:
    hidden = "light.kitchen_lights"
    assert hidden in names(house)
    expose = {"assistants": ["conversation"], "entity_ids": [hidden]}
    home.ask("homeassistant/expose_entity", should_expose=False, **expose)
    assert hidden not in names(ear.until("house"))
    with pytest.raises(BadArgument):
        turn(bridge, "off", hidden)
    home.ask("call_service", domain="light", service="toggle", target={"entity_id": [hidden, "light.bed_light"]})
    assert hidden not in ear.until("states", lambda states: "light.bed_light" in states)
    home.ask("homeassistant/expose_entity", should_expose=True, **expose)
    assert hidden in names(ear.until("house"))


def test_floors_areas_aliases_and_the_area_of_a_device(home: RealHome, house: dict[str, Any], ear: Ear) -> None:
    assert {"kitchen", "bedroom"} <= {*names(house, "areas")}
    has_floors = "floor_id" in home.ask("config/area_registry/list")[0]
    floor = home.ask("config/floor_registry/create", name="Upstairs", aliases=["top"]) if has_floors else {}
    on = {"floor_id": floor["floor_id"]} if floor else {}
    area = home.ask("config/area_registry/create", name="Attic", aliases=["loft"], **on)["area_id"]
    entries = {each["entity_id"]: each for each in home.ask("config/entity_registry/list")}
    home.ask(
        "config/entity_registry/update",
        entity_id="light.bed_light",
        aliases=["reading lamp"],
        name="Lamp",
        area_id=area,
    )
    told = ear.until("house", lambda house: _thing(house, "light.bed_light")["aliases"] == ["reading lamp"])
    assert {"id": area, "name": "Attic", "aliases": ["loft"], "floor": on.get("floor_id")} in told["areas"]
    assert told["floors"] == ([{"id": floor["floor_id"], "name": "Upstairs", "aliases": ["top"]}] if floor else [])
    lamp = _thing(told, "light.bed_light")
    assert (lamp["name"], lamp["area"]) == ("Lamp", area)
    of_devices = {entry["device_id"]: name for name, entry in entries.items() if name in names(told)}
    device, name = next((device, name) for device, name in of_devices.items() if device)
    home.ask("config/device_registry/update", device_id=device, area_id=area)
    ear.until("house", lambda house: _thing(house, name)["area"] == area)


def _thing(house: dict[str, Any], name: str) -> dict[str, Any]:
    return next(each for each in house["entities"] if each["id"] == name)


def test_what_it_refuses_is_refused_with_its_reason(bridge: SocketBridge, house: dict[str, Any]) -> None:
    with pytest.raises(BadArgument, match="brightness"):
        turn(bridge, "on", brightness="very")
    call: dict[str, Any] = {"domain": "light", "service": "fly", "entities": ["light.bed_light"]}
    with pytest.raises(BadArgument, match="not found"):
        bridge.ask("home", "call", **call)


def test_killed_it_is_down_within_three_seconds_and_back_by_itself(
    home: RealHome, bridge: SocketBridge, house: dict[str, Any], ear: Ear
) -> None:
    began_s = time.monotonic()
    home.kill()
    assert ear.until(LINK)["why"] == "no_server"
    assert time.monotonic() - began_s < 3
    with pytest.raises(CannotBeDone, match="cannot reach Home Assistant"):
        turn(bridge, "on")
    home.start()
    ear.until(LINK, lambda link: link == UP, 60)
    ear.until("house", lambda house: "light.bed_light" in names(house), 60)
    turn(bridge, "on", brightness=50)
    ear.until("states", lambda states: states["light.bed_light"]["attributes"].get("brightness") == 50, 1)


def test_a_token_that_is_revoked_is_refused(home: RealHome, tmp_path: Path) -> None:
    ear = Ear()
    provider = HomeAssistant(home.url, lambda: f"{home.token}x", "en")
    with RunningBridge(tmp_path / "s", provider), SocketBridge(tmp_path / "s", "en") as bridge:
        bridge.follow("home", ear)
        ear.until(LINK, lambda link: link["why"] == "refused")
