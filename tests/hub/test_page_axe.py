"""axe-core finds nothing serious on any view, light or dark; `make page-test` fetches it into the cache."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import DESKTOP, PHONE, Browser, browser, house, serving
from platformdirs import user_cache_path

from appliance.settings import APP
from appliance.simulated.hub_page import PageHub

pytestmark = pytest.mark.axe

TOOLS = Path(os.environ.get("PAGE_TOOLS", user_cache_path(APP) / "page-tools"))
VIEWS = ["now", "rings", "lists", "calendar", "music", "memory", "turns", "skills", "settings", "health", "setup"]
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def axe() -> str:
    script = TOOLS / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        pytest.skip("run: make page-test")
    return script.read_text("utf-8")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture
def hub(chromium: Browser, tmp_path: Path) -> Iterator[PageHub]:
    hub = house(tmp_path)
    hub.carry_out("lists", ["add", "shopping", "milk, eggs"], False)
    hub.carry_out("lists", ["done", "shopping", "milk"], False)
    hub.carry_out("notes", ["add", "the key is under the pot"], False)
    hub.carry_out("timers", ["add", "8m", "pasta"], False)
    hub.carry_out("alarms", ["add", "7:00 on weekdays"], False)
    with serving(hub) as chromium.url:
        yield hub


def violations(chromium: Browser, axe: str) -> list[dict[str, Any]]:
    chromium.driver.execute_script(axe)
    found = chromium.driver.execute_async_script("axe.run().then(arguments[0])")
    return [
        {"id": each["id"], "impact": each["impact"], "where": [node["html"][:200] for node in each["nodes"]]}
        for each in found["violations"]
    ]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_has_nothing_serious(chromium: Browser, hub: PageHub, axe: str, view: str, dark: bool) -> None:
    chromium.sign_in(view, PHONE if dark else DESKTOP, dark)
    assert [each for each in violations(chromium, axe) if each["impact"] in SERIOUS] == []


def test_the_door_has_nothing_serious(chromium: Browser, hub: PageHub, axe: str) -> None:
    chromium.driver.delete_all_cookies()
    chromium.open()
    chromium.field("Token")
    assert [each for each in violations(chromium, axe) if each["impact"] in SERIOUS] == []


def test_what_opens_by_a_click_has_nothing_serious(chromium: Browser, hub: PageHub, axe: str) -> None:
    chromium.sign_in("memory")
    chromium.click("Why it knows: The dentist is called Dr Wren")
    chromium.sees("It was before")
    chromium.click("Correct: The spare key hangs behind the boiler")
    chromium.click("Forget: Temperatures are wanted in Celsius")
    chromium.sees("It cannot be brought back.")
    assert [each for each in violations(chromium, axe) if each["impact"] in SERIOUS] == []


def test_a_label_that_is_missing_is_found(chromium: Browser, hub: PageHub, axe: str) -> None:
    chromium.sign_in("memory")
    chromium.driver.execute_script("document.querySelector('main input').removeAttribute('aria-label')")
    chromium.driver.execute_script("document.querySelector('main input').removeAttribute('placeholder')")
    assert [each["id"] for each in violations(chromium, axe) if each["impact"] in SERIOUS] == ["label"]
