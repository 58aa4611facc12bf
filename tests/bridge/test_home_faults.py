"""The provider "home" while its server is down, hung, slow, of another opinion, or something else altogether."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from running_bridge import UP, Ear, RunningBridge, eventually, names
from scripted_home import TOKEN, ScriptedHome, light

from appliance.bridge import home_assistant, home_assistant_following, home_assistant_link, wire
from appliance.bridge.client import SocketBridge
from appliance.bridge.home_assistant import HomeAssistant
from appliance.errors import BadArgument, BadSettings, CannotBeDone
from appliance.ports import LINK


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the times."""
    for module in (home_assistant, home_assistant_following, home_assistant_link):
        for name, value in list(vars(module).items()):
            if name.endswith("_S") and name != "REFUSED_S":
                monkeypatch.setattr(module, name, value / 10)


@pytest.fixture
def home() -> Iterator[ScriptedHome]:
    with ScriptedHome() as made:
        yield made


@pytest.fixture
def token() -> list[str]:
    return [TOKEN]


@contextmanager
def connected(tmp_path: Path, url: str, token: list[str]) -> Iterator[tuple[SocketBridge, Ear]]:
    """`token`: its last is the one in the file; empty is a file that cannot be used."""

    def read() -> str:
        if not token[-1]:
            raise BadSettings("it can be read by others", remedy="chmod")
        return token[-1]

    ear = Ear()
    provider = HomeAssistant(url, read, "en")
    with RunningBridge(tmp_path / "s", provider), SocketBridge(tmp_path / "s", "en") as bridge:
        bridge.follow("home", ear)
        yield bridge, ear


@pytest.fixture
def link(tmp_path: Path, home: ScriptedHome, token: list[str]) -> Iterator[tuple[SocketBridge, Ear]]:
    with connected(tmp_path, home.url, token) as made:
        yield made


def down(why: str) -> dict[str, Any]:
    return {"up": False, "why": why}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def test_a_house_is_told_with_what_it_lacks_left_out(link: tuple[SocketBridge, Ear]) -> None:
    link[1].until(LINK, lambda link: link == UP)
    assert link[1].until("house") == {
        "floors": [],
        "areas": [],
        "entities": [
            {"id": "light.desk", "name": "Desk", "aliases": [], "area": None, "state": "off", "attributes": {}}
        ],
    }


def test_a_server_that_is_down_and_comes_up(tmp_path: Path, token: list[str]) -> None:
    port = free_port()
    with connected(tmp_path, f"http://127.0.0.1:{port}", token) as (bridge, ear):
        ear.until(LINK, lambda link: link == down("no_server"))
        with pytest.raises(CannotBeDone, match="cannot reach Home Assistant"):
            bridge.ask("home", "call", domain="light", service="turn_on", entities=["light.desk"])
        with ScriptedHome(port):
            ear.until(LINK, lambda link: link == UP)
            assert names(ear.until("house")) == ["light.desk"]
        ear.until(LINK, lambda link: link == down("no_server"))


def test_one_that_takes_connections_and_never_answers(tmp_path: Path, token: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        with connected(tmp_path, url, token) as (_, ear):
            ear.until(LINK, lambda link: link == down("no_answer"))


@pytest.mark.parametrize("command", ["auth", "get_states", "subscribe_events", "subscribe_entities"])
def test_one_that_stops_answering_and_begins_again(
    home: ScriptedHome, link: tuple[SocketBridge, Ear], command: str
) -> None:
    link[1].until(LINK, lambda link: link == UP)
    home.silent = {command}
    home.hang_up()
    link[1].until(LINK, lambda link: link == down("no_answer"))
    home.silent = set()
    link[1].until(LINK, lambda link: link == UP)


def test_one_that_is_slow_is_waited_for(home: ScriptedHome, link: tuple[SocketBridge, Ear]) -> None:
    link[1].until(LINK, lambda link: link == UP)
    home.slow_s = home_assistant_link.ANSWER_S / 3
    home.hang_up()
    link[1].until(LINK, lambda link: not link["up"])
    link[1].until(LINK, lambda link: link == UP, 20)


def test_a_token_that_is_refused_is_not_tried_again_until_there_is_another(
    home: ScriptedHome, tmp_path: Path, token: list[str]
) -> None:
    token.append("an old one")
    with connected(tmp_path, home.url, token) as (_, ear):
        ear.until(LINK, lambda link: link == down("refused"))
        time.sleep(1)
        assert home.logins == 1
        token.append("")
        time.sleep(0.5)
        token.append(TOKEN)
        ear.until(LINK, lambda link: link == UP)


def test_a_token_file_that_cannot_be_used(home: ScriptedHome, tmp_path: Path, token: list[str]) -> None:
    token.append("")
    with connected(tmp_path, home.url, token) as (_, ear):
        ear.until(LINK, lambda link: link == down("no_token"))
        token.append(TOKEN)
        ear.until(LINK, lambda link: link == UP)


def test_a_token_of_somebody_who_is_no_administrator(
    home: ScriptedHome, link: tuple[SocketBridge, Ear], monkeypatch: pytest.MonkeyPatch
) -> None:
    link[1].until(LINK, lambda link: link == UP)
    refused = {"type": "result", "success": False, "error": {"code": "unauthorized", "message": "Unauthorized"}}
    monkeypatch.setattr(home, "_answer", lambda asked: [refused])
    home.hang_up()
    link[1].until(LINK, lambda link: link == down("refused"))


@pytest.mark.parametrize(
    ("status", "why"),
    [(HTTPStatus.OK, "nonsense"), (HTTPStatus.NOT_FOUND, "nonsense"), (HTTPStatus.BAD_GATEWAY, "no_server")],
)
def test_something_else_that_answers(
    home: ScriptedHome, link: tuple[SocketBridge, Ear], status: HTTPStatus, why: str
) -> None:
    link[1].until(LINK, lambda link: link == UP)
    home.status = status
    home.hang_up()
    link[1].until(LINK, lambda link: link == down(why))
    home.status = None
    link[1].until(LINK, lambda link: link == UP)


@pytest.mark.parametrize(
    "says",
    [
        "nonsense",
        "[]",
        "{}",
        '{"id": "x", "type": "event"}',
        "[" * 100_000,
        '{"id": 0, "type": "result", "result": "' + "x" * 10_000_000 + '"}',
    ],
)
def test_nonsense_and_10_mb_of_it(home: ScriptedHome, link: tuple[SocketBridge, Ear], says: str) -> None:
    link[1].until(LINK, lambda link: link == UP)
    before = _resident_mb()
    home.says = says
    home.hang_up()
    for _ in range(3):
        link[1].until(LINK, lambda link: link == down("nonsense"), 20)
    assert _resident_mb() - before < 60
    home.says = None
    link[1].until(LINK, lambda link: link == UP, 20)


def _resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("get_states", {"light.desk": "on"}),
        ("get_states", [{"entity_id": 7}]),
        ("config/area_registry/list", None),
        ("homeassistant/expose_entity/list", []),
        ("config/entity_registry/get_entries", [None]),
    ],
)
def test_answers_of_another_shape(
    home: ScriptedHome, link: tuple[SocketBridge, Ear], command: str, answer: Any
) -> None:
    link[1].until(LINK, lambda link: link == UP)
    home.answers = {command: answer}
    home.hang_up()
    link[1].until(LINK, lambda link: link == down("nonsense"))
    home.answers = {}
    link[1].until(LINK, lambda link: link == UP)


@pytest.mark.parametrize("event", [None, {"a": 7}, {"c": {"light.desk": "on"}}])
def test_states_of_another_shape(home: ScriptedHome, link: tuple[SocketBridge, Ear], event: Any) -> None:
    link[1].until("house")
    home.say({"id": _subscription(home), "type": "event", "event": event})
    link[1].until(LINK, lambda link: link == down("nonsense"))
    link[1].until(LINK, lambda link: link == UP)


def _subscription(home: ScriptedHome) -> int:
    eventually(lambda: any(asked["type"] == "subscribe_entities" for asked in home.asked))
    return next(int(asked["id"]) for asked in home.asked if asked["type"] == "subscribe_entities")


def test_a_flood_of_states_is_gathered(home: ScriptedHome, link: tuple[SocketBridge, Ear]) -> None:
    link[1].until("house")
    number = _subscription(home)
    for level in range(500):
        changed = {"light.desk": {"+": {"s": "on", "a": {"brightness": level, "entity_picture": "x" * 1_000}}}}
        home.say({"id": number, "type": "event", "event": {"c": changed}})
    heard = [link[1].until("states")]
    while heard[-1]["light.desk"]["attributes"] != {"brightness": 499}:
        heard.append(link[1].until("states"))
    assert len(heard) < 250


def test_a_light_that_is_removed_and_hidden_is_told_of(home: ScriptedHome, link: tuple[SocketBridge, Ear]) -> None:
    link[1].until("house")
    number = _subscription(home)
    home.states = [light("lamp")]
    home.say({"id": number, "type": "event", "event": {"r": ["light.desk"]}})
    assert link[1].until("states") == {"light.desk": {"state": "unavailable", "attributes": {}}}
    assert names(link[1].until("house")) == ["light.lamp"]


def test_where_nothing_is_exposed_nothing_is_subscribed_to(home: ScriptedHome, link: tuple[SocketBridge, Ear]) -> None:
    link[1].until(LINK, lambda link: link == UP)
    _subscription(home)  # of the first connection, or it may still come behind the next line
    home.states = []
    home.asked.clear()
    home.hang_up()
    link[1].until("house", lambda house: house["entities"] == [])
    time.sleep(0.2)
    assert "subscribe_entities" not in [asked["type"] for asked in home.asked]


def test_a_service_that_hangs_ends_in_time_and_harms_nothing(
    home: ScriptedHome, link: tuple[SocketBridge, Ear]
) -> None:
    link[1].until("house")
    home.silent = {"call_service"}
    call: dict[str, Any] = {"domain": "light", "service": "turn_on", "entities": ["light.desk"]}
    with pytest.raises(CannotBeDone, match="took too long"):
        link[0].ask("home", "call", 0.5, **call)
    home.silent = set()
    assert link[0].ask("home", "call", **call) == {"response": None}


@pytest.mark.parametrize(
    "wrong",
    [
        {"entities": ["light.hidden"]},
        {"entities": ["light.desk", "light.hidden"]},
        {"entities": []},
        {"domain": "shell_command"},
        {"domain": "homeassistant", "service": "restart"},
        {"data": {"entity_id": "light.hidden"}},
        {"data": {"area_id": "kitchen"}},
        {"domain": None},
    ],
)
def test_what_is_not_exposed_is_never_touched(
    home: ScriptedHome, link: tuple[SocketBridge, Ear], wrong: dict[str, Any]
) -> None:
    link[1].until("house")
    call = {"domain": "light", "service": "turn_on", "entities": ["light.desk"], **wrong}
    with pytest.raises(BadArgument):
        link[0].ask("home", "call", **call)
    assert "call_service" not in [asked["type"] for asked in home.asked]


def test_a_message_names_no_thing(home: ScriptedHome, link: tuple[SocketBridge, Ear]) -> None:
    link[1].until("house")
    call: dict[str, Any] = {"domain": "notify", "service": "mobile_app_mia", "entities": [], "data": {"message": "hi"}}
    assert link[0].ask("home", "call", **call) == {"response": None}
    assert [asked.get("target") for asked in home.asked if asked["type"] == "call_service"] == [None]
    with pytest.raises(BadArgument):
        link[0].ask("home", "call", **call | {"data": {"entity_id": "light.hidden"}})


def test_things_are_brought_back_to_what_they_were(home: ScriptedHome, link: tuple[SocketBridge, Ear]) -> None:
    link[1].until("house")
    call: dict[str, Any] = {"domain": "scene", "service": "apply", "entities": []}
    was = {"light.desk": {"state": "on"}}
    assert link[0].ask("home", "call", **call, data={"entities": was}) == {"response": None}
    for wrong in ({"light.hidden": {"state": "on"}}, {**was, "light.hidden": "on"}, ["light.hidden"]):
        with pytest.raises(BadArgument):
            link[0].ask("home", "call", **call, data={"entities": wrong})
    with pytest.raises(BadArgument):
        link[0].ask("home", "call", **call, data={"entities": was, "entity_id": "light.hidden"})


@pytest.mark.parametrize(
    ("many", "attributes", "told"), [(2_000, True, 2_000), (6_000, False, 6_000), (12_000, False, 0)]
)
def test_a_house_too_large_for_a_line_loses_its_attributes_first(
    home: ScriptedHome, link: tuple[SocketBridge, Ear], many: int, attributes: bool, told: int
) -> None:
    link[1].until(LINK, lambda link: link == UP)
    """2,000 things with 200 bytes of attributes each fit."""
    home.states = [light(f"lamp_{number:05}", effect="x" * 150) for number in range(many)]
    home.hang_up()
    house = link[1].until("house", lambda house: len(house["entities"]) > 1, 30)
    assert len(wire.line({"of": "home", "kind": "house", "is": house})) < wire.MOST_BYTES
    assert bool(house["entities"][0]["attributes"]) is attributes
    assert len(house["entities"]) == told or told < len(house["entities"]) < many
    assert json.dumps(house)
