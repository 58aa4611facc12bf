"""The page in a real browser on the real hub, before a simulated core: tests/hub/running_hub.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Browser, browser
from page_data import HOSTILE, TURNS
from running_hub import RunningHub
from selenium.webdriver.common.keys import Keys


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture
def hub(chromium: Browser, tmp_path: Path) -> Iterator[RunningHub]:
    with RunningHub(tmp_path) as running:
        chromium.url = running.url
        yield running
        chromium.open()  # its events end before the hub does


def enter(chromium: Browser, token: str) -> None:
    chromium.driver.delete_all_cookies()
    chromium.open("now")
    chromium.field("Token").send_keys(token, Keys.ENTER)


def test_a_line_is_typed_answered_and_stopped(chromium: Browser, hub: RunningHub) -> None:
    enter(chromium, hub.token("owner"))
    chromium.field("What you say to the box").send_keys("hello", Keys.ENTER)
    chromium.sees("You said: hello.")
    chromium.click("Stop")
    chromium.sees("Stopped.")
    assert (hub.core.count("silence"), hub.core.count("stop")) == (1, 1)


def test_what_happens_on_the_box_is_seen(chromium: Browser, hub: RunningHub) -> None:
    enter(chromium, hub.token("owner"))
    chromium.sees("Waiting for its name")
    hub.tell(event="state", state="thinking")
    chromium.sees("It works on an answer.")
    hub.tell(event="turn", record=TURNS[1])
    chromium.sees(HOSTILE)
    chromium.click("Turns")
    chromium.sees("Turn 42, typed")
    chromium.sees(HOSTILE)


def test_what_is_spoken_to_the_browser_is_transcribed(chromium: Browser, hub: RunningHub) -> None:
    enter(chromium, hub.token("owner"))
    chromium.click("Speak into this device")
    chromium.until(lambda: chromium.all("button[aria-pressed=true]"))
    chromium.driver.execute_async_script("setTimeout(arguments[0], 1200)")
    chromium.click("Send what was spoken")
    chromium.sees("samples.")


@pytest.mark.parametrize(
    "view", ["rings", "lists", "calendar", "music", "memory", "turns", "skills", "settings", "health"]
)
def test_each_view_shows_what_the_hub_tells(chromium: Browser, hub: RunningHub, view: str) -> None:
    enter(chromium, hub.token("owner"))
    chromium.sees("Talk by typing")
    chromium.open(view)
    chromium.until(lambda: chromium.all("main .card"))
    chromium.settled()
    assert not chromium.all("main .failure"), chromium.text()


def test_a_household_is_told_what_is_the_owners_alone(chromium: Browser, hub: RunningHub) -> None:
    enter(chromium, hub.token("household"))
    chromium.sees("Talk by typing")
    chromium.click("Memory")
    chromium.until(lambda: chromium.all("main .failure"))
    chromium.sees("owner")
    chromium.sees("Try again")
