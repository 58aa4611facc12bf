"""A box that nobody has set up, as its manager runs it, behind the real hub: set up by a person at the page alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from browsing import PHONE, Browser, browser
from restarted import Restarted
from running_hub import RunningHub
from selenium.webdriver.common.keys import Keys

from appliance.choices_file import FILE
from appliance.hub.access import Role

V0 = "/api/v0"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Restarted]:
    with Restarted(tmp_path_factory.mktemp("unset")) as service:
        yield service


@pytest.fixture
def hub(service: Restarted) -> Iterator[RunningHub]:
    """Another one for each test, on the same folder: as after a restart of it."""
    with RunningHub(service.core.parent, core_socket=service.core) as hub:
        yield hub


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


def heard_code(service: Restarted) -> str:
    service.until(lambda: "The code for my page is" in service.said)
    return re.sub(r"\D", "", service.said.rpartition("The code for my page is:")[2].partition("Once more")[0])


def kept(service: Restarted) -> dict[str, Any]:
    file = service.state / FILE
    return dict(json.loads(file.read_text())["chosen"]) if file.exists() else {}


def test_a_person_sets_up_an_unset_box_from_the_page_alone(
    chromium: Browser, service: Restarted, hub: RunningHub
) -> None:
    service.until(lambda: "I have not been set up yet. Open my page" in service.said)
    chromium.url = hub.url
    chromium.driver.delete_all_cookies()
    chromium.open("", PHONE)
    chromium.click("Have it read out the code")
    chromium.sees("Listen: it says the code twice.")
    code = heard_code(service)
    assert len(code) == 8
    chromium.fill("Code", code)
    chromium.fill("Name of this device", "phone")
    chromium.click("Pair")
    chromium.sees("This box has not been set up yet.")
    chromium.settled()
    chromium.fill("Place", "Ulm, Germany")
    chromium.fill("Time zone", "Europe/Berlin")
    chromium.click("Save")
    chromium.sees("Saved, and not counting yet:")
    assert kept(service)["place"] == "Ulm, Germany"
    chromium.click("Start it again now")
    service.until(lambda: service.codes == [0])
    service.until(lambda: "The box has started again." in chromium.text())
    chromium.misses("not counting yet")
    assert "This box has not been set up yet." not in chromium.text()
    chromium.open("now")
    chromium.field("What you say to the box").send_keys("what is 17 times 23", Keys.ENTER)
    chromium.sees("391")
    assert json.loads((service.state / FILE).read_text())["good"]["place"] == "Ulm, Germany", "it started well"
    assert service.said.count("I have not been set up yet") == 1
    chromium.driver.get("about:blank")


def test_whoever_was_signed_in_is_so_after_a_restart_of_the_hub(chromium: Browser, hub: RunningHub) -> None:
    chromium.url = hub.url
    chromium.open("setup")
    chromium.until(lambda: "Ulm, Germany" in [each.get_attribute("value") for each in chromium.all("input")])
    chromium.driver.get("about:blank")


def test_a_box_that_has_an_owner_reads_out_no_code(hub: RunningHub, service: Restarted) -> None:
    before = service.said
    with hub.client(None) as client:
        assert client.get(f"{V0}/door").json() == {"owned": True, "language": "en"}
        refused = client.post(f"{V0}/pair/first")
        assert (refused.status_code, refused.json()["kind"]) == (403, "owned")
    assert service.said == before


@pytest.mark.parametrize("role", ["household", "satellite", "guest"])
def test_nobody_but_the_owner_chooses_switches_or_restarts(hub: RunningHub, service: Restarted, role: Role) -> None:
    before = (service.state / FILE).read_bytes()
    with hub.client(role) as client:
        for method, path, body in (
            ("PUT", "settings", {"place": "Nowhere"}),
            ("PUT", "settings", {"volume": 100}),
            ("PUT", "skills/later", {"on": False}),
            ("POST", "restart", {}),
        ):
            assert client.request(method, f"{V0}/{path}", json=body).status_code == 403
    assert (service.state / FILE).read_bytes() == before
    assert service.codes == [0]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"timezone": "Nowhere/Land"}, "timezone"),
        ({"speed": 9}, "speed"),
        ({"place": "a\nb"}, "place"),
        ({"log_words": True}, "log_words"),
        ({"skills_off": ["care"]}, "skills_off"),
        ({"hub": {"address": "0.0.0.0"}}, "hub"),
        ({"wake_word": "no_such"}, "wake_word"),
        ({"wake_word": "ok_nabu"}, ""),
    ],
)
def test_what_is_wrong_is_refused_whole_and_named(
    hub: RunningHub, service: Restarted, wrong: dict[str, Any], field: str
) -> None:
    before = kept(service)
    with hub.client("owner") as client:
        told = client.put(f"{V0}/settings", json={"ring_sound": "gong", **wrong})
        assert (told.status_code, told.json()["field"], bool(told.json()["remedy"])) == (422, field, True), told.text
    assert kept(service) == before


def test_the_volume_counts_at_once_and_all_else_from_the_next_start(hub: RunningHub, service: Restarted) -> None:
    with hub.client("owner") as client:
        told = client.put(f"{V0}/settings", json={"volume": 35, "ring_sound": "gong", "quiet_from": "22:30"}).json()
        assert told["values"]["volume"] == 35
        assert {*told["waits"]} == {"ring_sound", "quiet_from"}
        assert (
            client.post(f"{V0}/commands", json={"skill": "sound", "words": ["tell_volume"]}).json()["said"].count("35")
        )
    assert kept(service)["ring_sound"] == "gong"


def test_a_skill_that_is_switched_off_is_off_after_the_next_start(hub: RunningHub, service: Restarted) -> None:
    with hub.client("owner") as client:
        add = {"skill": "lists", "words": ["add", "shopping", "milk"]}
        told = client.put(f"{V0}/skills/lists", json={"on": False}).json()["skills"]
        [lists] = [each for each in told if each["name"] == "lists"]
        assert (lists["on"], lists["waits"]) == (False, True)
        assert client.post(f"{V0}/commands", json=add).status_code == 200, "until then it is on"
        assert client.put(f"{V0}/skills/nothing", json={"on": False}).status_code == 404
        assert client.post(f"{V0}/restart").status_code == 200
        service.until(lambda: service.codes == [0, 0])
        service.until(lambda: client.get(f"{V0}/settings").json().get("waits") == [])
        assert client.get(f"{V0}/settings").json()["values"]["ring_sound"] == "gong"
        refused = client.post(f"{V0}/commands", json=add)
        assert refused.status_code != 200, refused.text


def test_what_is_installed_and_what_the_doctor_finds_is_told(hub: RunningHub) -> None:
    with hub.client("owner") as client:
        told = client.get(f"{V0}/installed").json()
        assert "piper-en-us-joe" in [each["name"] for each in told["models"]]
        assert {each["state"] for each in told["models"]} == {"absent"}
        checks = {each["part"]: each for each in client.get(f"{V0}/doctor").json()["checks"]}
        assert checks["database"]["fine"], checks
        assert not checks["model piper-en-us-joe"]["fine"]
        assert checks["model piper-en-us-joe"]["remedy"]
