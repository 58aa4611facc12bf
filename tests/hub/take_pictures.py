"""Takes the two pictures of the page in docs/pictures/: `PYTHONPATH=. python tests/hub/take_pictures.py`."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from browsing import DESKTOP, Browser, browser, house, serving
from page_data import TURNS
from PIL import Image
from selenium.webdriver.common.keys import Keys

from appliance.simulated.hub_page import PageHub

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
PHONE = (390, 780)
COLOURS = 64
"""Of a palette: enough for a page of flat colours, at a fourth of the bytes."""


def main() -> None:
    with browser() as chromium, tempfile.TemporaryDirectory() as folder:
        hub = house(Path(folder))
        hub.turns = TURNS[:1]
        hub.status["next_ring_s"] = 480
        with serving(hub) as chromium.url:
            now(chromium, hub)
            memory(chromium)


def now(chromium: Browser, hub: PageHub) -> None:
    hub.replies = [{"assistant_message": "17 times 23 is 391."}]
    chromium.sign_in("now", PHONE, dark=True)
    chromium.field("What you say to the box").send_keys("what is seventeen times twenty three", Keys.ENTER)
    chromium.sees("391")
    keep(chromium, "page-now.png")


def memory(chromium: Browser) -> None:
    chromium.sign_in("memory", DESKTOP)
    chromium.click("Why it knows: The dentist is called Dr Wren")
    chromium.sees("It was before")
    keep(chromium, "page-memory.png")


def keep(chromium: Browser, name: str) -> None:
    chromium.driver.execute_script("document.activeElement.blur(); scrollTo(0, 0)")
    taken = Image.open(io.BytesIO(chromium.driver.get_screenshot_as_png())).convert("RGB")
    taken.quantize(COLOURS).save(PICTURES / name, optimize=True)


if __name__ == "__main__":
    main()
