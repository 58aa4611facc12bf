"""The page in a real browser: its server on a port of loopback, and Chromium, driven by Selenium."""

from __future__ import annotations

import copy
import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import uvicorn
from page_data import CHECKS, FACTS, INSTALLED, NETWORKS, REASONS, SETTINGS, SKILLS, TURNS
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

import appliance
from appliance import build
from appliance.ports import Answer
from appliance.settings import Settings
from appliance.simulated import HandSetClock
from appliance.simulated.hub_page import TOKEN, PageHub

PAGE = Path(appliance.__file__).parent / "hub" / "page"
WAIT_S = 20.0
"""For what a click brings about, on a machine that is busy with other things."""
PHONE, DESKTOP = (320, 700), (1280, 900)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)
NOW = datetime(2026, 11, 28, 15, 0, tzinfo=ZoneInfo("Europe/Amsterdam"))


class Browser:
    """Chromium with the words in which a test asks of it."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver
        self.url = ""

    def open(self, view: str = "", size: tuple[int, int] = DESKTOP, dark: bool = False) -> None:
        """The page, at that view."""
        screen = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        self.driver.get("about:blank")
        self.driver.get(f"{self.url}/#{view}")

    def sign_in(self, view: str = "now", size: tuple[int, int] = DESKTOP, dark: bool = False) -> None:
        self.driver.delete_all_cookies()
        self.open(view, size, dark)
        self.field("Token").send_keys(TOKEN)
        self.click("Sign in")
        self.until(lambda: self.driver.find_element(By.ID, "views").get_attribute("hidden") is None)
        self.settled()

    def settled(self) -> None:
        """Nothing is being loaded."""
        self.until(lambda: not self.all("[aria-busy]"))

    def until(self, condition: Callable[[], object]) -> None:
        """What is replaced while it is looked at is looked at again."""
        ends_s = time.monotonic() + WAIT_S

        def met() -> bool:
            with suppress(StaleElementReferenceException):
                return bool(condition())
            return False

        while not met():
            if time.monotonic() > ends_s:
                pytest.fail(f"not in {WAIT_S:.0f} s; the page says:\n{self.text()}")
            time.sleep(0.03)

    def sees(self, text: str) -> None:
        self.until(lambda: text in self.text())

    def misses(self, text: str) -> None:
        self.until(lambda: text not in self.text())

    def log(self, kind: str) -> list[dict[str, Any]]:
        """What came since it was read last: "performance" are the messages of its network, "browser" its complaints."""
        return list(self.driver.get_log(kind))  # type: ignore[no-untyped-call]

    def text(self) -> str:
        return str(self.driver.execute_script("return document.body.innerText"))

    def all(self, selector: str) -> Sequence[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def field(self, label: str) -> WebElement:
        """The control whose label or accessible name is that."""
        found = list[WebElement]()

        def there() -> bool:
            every = self.all("input, select, textarea")
            found[:] = [each for each in every if each.is_displayed() and each.accessible_name == label]
            return bool(found)

        self.until(there)
        return found[0]

    def fill(self, label: str, text: str) -> None:
        control = self.field(label)
        control.clear()
        control.send_keys(text)

    def click(self, name: str) -> None:
        """The first button, link or box of that accessible name that is shown."""

        def clicked() -> bool:
            for each in self.all("dialog button, button, a, input[type=checkbox]"):
                if each.is_displayed() and each.accessible_name == name:
                    self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", each)
                    each.click()
                    return True
            return False

        self.until(clicked)


@contextmanager
def browser() -> Iterator[Browser]:
    """Skips where there is no Chromium, and fails so in CI."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not program or not driver:
        told = "no Chromium here: sudo apt-get install chromium chromium-driver"
        if os.environ.get("CI") == "true":
            pytest.fail(told)
        pytest.skip(told)
    options = ChromeOptions()
    options.binary_location = program
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    made = Chrome(options, ChromeService(driver))
    try:
        yield Browser(made)
    finally:
        made.quit()


@contextmanager
def serving(hub: PageHub, port: int = 0) -> Iterator[str]:
    """Its address."""
    listener = socket.create_server(("127.0.0.1", port))
    config = uvicorn.Config(
        hub.app, log_level="warning", timeout_graceful_shutdown=1, lifespan="off", interface="asgi3"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        hub.close()
        server.should_exit = True
        thread.join(WAIT_S)
        listener.close()


def house(folder: Path, **rooms: Any) -> PageHub:
    """A hub whose skills are the real ones, on a real file in `folder`; the rest is written in page_data.py.

    rooms: tables of the settings.
    """
    settings = Settings(state=folder, place="Utrecht, Netherlands", timezone="Europe/Amsterdam", **rooms)

    def carry_out(skill: str, words: Sequence[str], yes: bool) -> Answer:
        return build.command(settings, HandSetClock(NOW), skill, words, yes)

    hub = PageHub(PAGE, carry_out)
    hub.status["set_up"] = True
    hub.installed = copy.deepcopy(INSTALLED)
    hub.turns = [*TURNS]
    hub.facts = [dict(fact) for fact in FACTS]
    hub.reasons, hub.checks = {**REASONS}, [dict(check) for check in CHECKS]
    hub.settings = copy.deepcopy(SETTINGS)
    hub.skills = [dict(skill) for skill in SKILLS]
    hub.networks = [dict(network) for network in NETWORKS]
    return hub
