"""The frame of the page in a real browser: who is let in, what the box does now, talking to it, what may not leave."""

from __future__ import annotations

import io
import json
import wave
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from browsing import PHONE, Browser, browser, house, serving
from page_data import HOSTILE
from selenium.webdriver.common.keys import Keys

from appliance.ports import Answer
from appliance.simulated.hub_page import CODE, TOKEN, PageHub


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture
def hub(chromium: Browser, tmp_path: Path) -> Iterator[PageHub]:
    hub = house(tmp_path)
    with serving(hub) as chromium.url:
        yield hub


def say(page: Browser, line: str) -> None:
    page.field("What you say to the box").send_keys(line, Keys.ENTER)


def test_a_wrong_token_is_refused_with_a_remedy(chromium: Browser, hub: PageHub) -> None:
    chromium.driver.delete_all_cookies()
    chromium.open("memory")
    chromium.field("Token").send_keys("guessed", Keys.ENTER)
    chromium.sees("that token is not known")
    chromium.sees("sudo appliance hub token add")
    assert "Dr Wren" not in chromium.text()
    assert not chromium.all("#views:not([hidden])")


def test_who_has_signed_in_stays_so_until_signing_out(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("settings")
    chromium.driver.refresh()
    chromium.sees("Whoever uses this browser")
    assert chromium.driver.execute_script("return document.cookie") == ""
    chromium.click("Sign out")
    chromium.sees("With a token")
    chromium.driver.refresh()
    chromium.sees("With a token")


def test_a_session_that_ends_leads_to_the_door(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("now")
    chromium.sees("Waiting for its name")  # nothing else is asked for now
    hub.expire()
    chromium.click("Memory")
    chromium.sees("With a token")
    assert "Dr Wren" not in chromium.text()


def test_a_browser_is_paired_by_a_code(chromium: Browser, hub: PageHub) -> None:
    chromium.driver.delete_all_cookies()
    chromium.open()
    chromium.fill("Code", "00000000")
    chromium.fill("Name of this device", "tablet")
    chromium.click("Pair")
    chromium.sees("nobody pairs now")
    chromium.fill("Code", CODE)
    chromium.click("Pair")
    chromium.sees("Talk by typing")
    assert hub.said("/api/v0/pair")[-1] == {"code": CODE, "name": "tablet"}
    assert hub.said("/api/v0/login")[-1] == {"token": TOKEN}


@pytest.mark.parametrize(
    ("state", "told"),
    [("thinking", "Thinking"), ("ringing", "Ringing"), ("muted", "Muted"), ("follow_up", "Listening on")],
)
def test_the_page_follows_the_state(chromium: Browser, hub: PageHub, state: str, told: str) -> None:
    chromium.sign_in("now", PHONE)
    chromium.sees("Waiting for its name")
    hub.status["state"] = state
    hub.tell("state", {"state": state})
    chromium.until(lambda: len(chromium.all(f".light[data-state={state}]")) == 2)
    assert chromium.text().count(told) >= 2


def test_trouble_and_the_next_ring_are_told(chromium: Browser, hub: PageHub) -> None:
    hub.status |= {"trouble": "the speaker plays nothing; plug it in", "next_ring_s": 90}
    chromium.sign_in("now")
    chromium.sees("What is wrong: the speaker plays nothing; plug it in")
    chromium.sees("Rings next:")
    assert chromium.all("main .light[data-state=faulted]")


def test_a_box_that_is_gone_is_told_and_found_again(chromium: Browser, tmp_path: Path) -> None:
    hub = house(tmp_path)
    with serving(hub) as chromium.url:
        chromium.sign_in("now")
        chromium.sees("Waiting for its name")
    chromium.sees("The box does not answer; trying again")
    chromium.click("Stop")
    chromium.sees("See that it is on")
    with serving(hub, int(chromium.url.rpartition(":")[2])):
        chromium.misses("The box does not answer; trying again")


def test_a_device_comes_in_by_the_button(chromium: Browser, hub: PageHub) -> None:
    chromium.driver.delete_all_cookies()
    chromium.open()
    chromium.sees("Press it shortly, then at once again")
    hub.broken["/api/v0/pair/button"] = (403, "the button of the box lets nobody in now", "hold it")
    names = [each for each in chromium.all("input[name=name]") if each.is_displayed()]
    names[-1].send_keys("tablet")
    chromium.click("Ask to come in")
    chromium.sees("the button of the box lets nobody in now – hold it")
    hub.broken.clear()
    chromium.click("Ask to come in")
    chromium.sees("This browser is paired.")
    chromium.sees("Waiting for its name")
    assert [body["name"] for body in hub.said("/api/v0/pair/button")] == ["tablet"]


def test_stop_and_mute_are_done_and_said_to_be(chromium: Browser, hub: PageHub) -> None:
    done = list[tuple[str, ...]]()

    def carry_out(skill: str, words: Sequence[str], yes: bool) -> Answer:
        done.append((skill, *words))
        return Answer(said="", tool=words[0], arguments={})

    hub.carry_out = carry_out
    chromium.sign_in("now")
    say(chromium, "tell me a long story")
    chromium.sees("It is noon.")
    chromium.click("Stop")
    chromium.sees("Stopped.")
    chromium.click("Mute")
    chromium.sees("The microphone is closed.")
    assert (len(hub.said("/api/v0/mute")), done) == (1, []), "it waits behind no command"
    [started] = hub.said("/api/v0/conversation/start")
    assert hub.said("/api/v0/stop") == [{"conversation_id": started["conversation_id"]}]
    hub.status["state"] = "muted"
    hub.tell("state", {"state": "muted"})
    chromium.sees("only the button of the box opens it")
    assert not [each for each in chromium.all("main button") if each.text == "Mute"]


def test_an_order_that_is_refused_is_said_to_be(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("now")
    hub.broken["/api/v0/mute"] = (403, "I have no button", "press it once")
    chromium.click("Mute")
    chromium.until(lambda: chromium.all("#failed p"))
    assert "microphone is closed." not in chromium.text()
    chromium.click("Close")
    chromium.until(lambda: not chromium.all("#failed p"))


def test_a_line_is_answered_in_its_conversation(chromium: Browser, hub: PageHub) -> None:
    hub.replies = [{"assistant_message": "It is noon."}, {"assistant_message": "In Tokyo it is eight."}]
    chromium.sign_in("now")
    say(chromium, "what time is it")
    chromium.sees("It is noon.")
    chromium.click("Memory")
    chromium.click("Now")
    chromium.sees("It is noon.")
    say(chromium, "and in Tokyo")
    chromium.sees("In Tokyo it is eight.")
    [started] = hub.said("/api/v0/conversation/start")
    lines = hub.said("/api/v0/voice/command")
    assert [line["voice_command"] for line in lines] == ["what time is it", "and in Tokyo"]
    assert {line["conversation_id"] for line in lines} == {started["conversation_id"]}


def test_what_the_box_asks_is_answered_by_a_button(chromium: Browser, hub: PageHub) -> None:
    asks = {"question": "Shall I clear the shopping list?", "options": ["yes", "no"]}
    hub.replies = [
        {"stop_reason": "validation_required", "validation_request": asks},
        {"assistant_message": "Cleared."},
    ]
    chromium.sign_in("now")
    say(chromium, "clear the shopping list")
    chromium.sees("Shall I clear the shopping list?")
    chromium.click("yes")
    chromium.sees("Cleared.")
    [answer] = hub.said("/api/v0/voice/command/continue")
    assert answer["validation_response"] == "yes"
    assert not chromium.all(".talk button")


def test_a_conversation_that_has_expired_begins_anew_with_the_same_line(chromium: Browser, hub: PageHub) -> None:
    gone = {"status": 404, "title": "no such conversation", "remedy": "start one"}
    hub.replies = [{"assistant_message": "Hello."}, gone, {"assistant_message": "It is noon."}]
    chromium.sign_in("now")
    say(chromium, "hello")
    chromium.sees("Hello.")
    say(chromium, "what time is it")
    chromium.sees("It is noon.")
    assert len(hub.said("/api/v0/conversation/start")) == 2
    assert "no such conversation" not in chromium.text()


def test_a_line_that_fails_shows_why_and_what_to_do(chromium: Browser, hub: PageHub) -> None:
    hub.replies = [{"status": 503, "title": "the box is busy", "remedy": "try again in a moment"}]
    chromium.sign_in("now")
    say(chromium, "what time is it")
    chromium.sees("the box is busy")
    chromium.sees("try again in a moment")


def test_an_answer_is_shown_while_it_is_made(chromium: Browser, hub: PageHub) -> None:
    clauses = [{"text": "Once there was a fox."}, {"text": "It was “sly”."}]
    hub.replies = [{"clauses": clauses, "assistant_message": "Once there was a fox. It was “sly”. The end."}]
    chromium.sign_in("now")
    say(chromium, "tell me a story")
    chromium.sees("Once there was a fox.")
    assert "sly" not in chromium.text()
    chromium.sees("Once there was a fox. It was “sly”.")
    assert "The end." not in chromium.text()
    assert chromium.all("[role=log][aria-busy]"), "a screen reader waits until it is whole"
    chromium.sees("The end.")
    assert not chromium.all("[role=log][aria-busy]")
    assert chromium.text().count("Once there was a fox.") == 1


@pytest.mark.parametrize("last", [{"error": {"detail": "the turn broke", "remedy": "try again", "status": 500}}, None])
def test_an_answer_that_breaks_off_is_not_taken_for_whole(
    chromium: Browser, hub: PageHub, last: dict[str, Any] | None
) -> None:
    """last: what is told in place of the end; None is nothing, as where the hub is killed."""
    cut = last or {"error": None}
    hub.replies = [{"clauses": [{"text": "Once there was"}, cut]}]
    chromium.sign_in("now")
    say(chromium, "tell me a story")
    chromium.sees("Once there was")
    chromium.sees("the turn broke" if last else "Look under Turns whether it was done")
    assert chromium.all(".talk .problem")


def test_what_is_spoken_to_the_browser_reaches_the_box_as_a_wav(chromium: Browser, hub: PageHub) -> None:
    hub.heard, hub.replies = "what time is it", [{"assistant_message": "It is noon."}]
    chromium.sign_in("now")
    chromium.click("Speak into this device")
    chromium.until(lambda: chromium.all("button[aria-pressed=true]"))
    chromium.driver.execute_async_script("setTimeout(arguments[0], 1200)")
    chromium.click("Send what was spoken")
    chromium.sees("It is noon.")
    with wave.open(io.BytesIO(hub.wav)) as recording:
        assert (recording.getframerate(), recording.getnchannels(), recording.getsampwidth()) == (16_000, 1, 2)
        assert recording.getnframes() > 8_000
        assert any(recording.readframes(recording.getnframes()))


def test_hostile_text_is_shown_as_text(chromium: Browser, hub: PageHub) -> None:
    hub.replies = [{"assistant_message": HOSTILE}]
    hub.status["trouble"] = HOSTILE
    chromium.sign_in("now")
    say(chromium, HOSTILE)
    chromium.until(lambda: chromium.text().count(HOSTILE) >= 3)
    chromium.click("Turns")
    hub.tell("turn", hub.turns[1] | {"turn": 43, "said": HOSTILE})
    chromium.until(lambda: chromium.text().count(HOSTILE) >= 3)
    assert not chromium.all("img, body script")
    assert chromium.driver.title == "Turns – Voice appliance"


def test_it_is_used_by_keys_alone(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("now", PHONE)
    menu = chromium.driver.find_element("id", "menu")
    menu.send_keys(Keys.ENTER)
    assert menu.get_attribute("aria-expanded") == "true"
    menu.send_keys(Keys.ESCAPE)
    assert menu.get_attribute("aria-expanded") == "false"
    menu.send_keys(Keys.ENTER)
    menu.send_keys(Keys.TAB)
    link = chromium.driver.switch_to.active_element
    assert link.accessible_name == "Now"
    link.send_keys(Keys.TAB)
    chromium.driver.switch_to.active_element.send_keys(Keys.ENTER)
    chromium.sees("How long")
    assert chromium.driver.switch_to.active_element.text == "Timers and alarms"
    assert menu.get_attribute("aria-expanded") == "false"


def test_a_page_that_is_left_holds_no_connection(chromium: Browser, hub: PageHub) -> None:
    """A browser has six to a host: a page kept for going back to it held one, and the seventh view waited a minute."""
    chromium.sign_in("now")
    for _ in range(8):
        chromium.open("now")
        chromium.sees("Waiting for its name")
    chromium.until(lambda: hub.watching <= 1)


def test_no_request_leaves_the_host_and_nothing_is_refused(chromium: Browser, hub: PageHub) -> None:
    for kind in ("performance", "browser"):
        chromium.log(kind)
    chromium.sign_in("now")
    names = [link.accessible_name for link in chromium.all("#views a")]
    for name in names:
        chromium.click(name)
        chromium.settled()
    events = [json.loads(each["message"])["message"] for each in chromium.log("performance")]
    asked = [each["params"]["request"]["url"] for each in events if each["method"] == "Network.requestWillBeSent"]
    assert len(names) == 11
    assert len(asked) > 20
    assert [url for url in asked if not url.startswith((f"{chromium.url}/", "about:", "data:"))] == []
    complaints = [each["message"] for each in chromium.log("browser") if each["level"] == "SEVERE"]
    expected = ("/api/v0/session", "/api/v0/commands")  # nobody was signed in; this house has no calendar and no music
    assert [each for each in complaints if not any(path in each for path in expected)] == []


def test_first_paint(chromium: Browser, hub: PageHub, capsys: pytest.CaptureFixture[str]) -> None:
    chromium.sign_in("now", PHONE)
    chromium.driver.refresh()
    chromium.sees("Waiting for its name")
    script = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    chromium.until(lambda: chromium.driver.execute_script(script))
    ms = chromium.driver.execute_script(script)
    with capsys.disabled():
        print(f"\nfirst paint after {ms:.0f} ms")
    assert ms < 10_000
