"""The views of the page in a real browser, over the real skills on a real file: tests/hub/browsing.py, `house`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import DESKTOP, NOW, PHONE, Browser, browser, house, serving
from page_data import HOSTILE

from appliance.settings import Calendar, Music
from appliance.simulated.hub_page import TOKEN, PageHub
from bench.music_player import Mpd

VIEWS = ["now", "rings", "lists", "calendar", "music", "memory", "turns", "skills", "settings", "health", "setup"]
SOURCES = {
    "rings": "/api/v0/commands",
    "lists": "/api/v0/commands",
    "calendar": "/api/v0/commands",
    "music": "/api/v0/commands",
    "memory": "/api/v0/memory",
    "turns": "/api/v0/status",
    "skills": "/api/v0/skills",
    "settings": "/api/v0/settings",
    "health": "/api/v0/doctor",
    "setup": "/api/v0/settings",
}
"""View -> where what it shows comes from."""
EVENT = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//test//EN
BEGIN:VEVENT
UID:1
DTSTAMP:20261101T000000Z
SUMMARY:Piano lesson
DTSTART;TZID=Europe/Amsterdam:20261128T170000
DTEND;TZID=Europe/Amsterdam:20261128T180000
END:VEVENT
END:VCALENDAR
"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture
def hub(chromium: Browser, tmp_path: Path) -> Iterator[PageHub]:
    hub = house(tmp_path)
    with serving(hub) as chromium.url:
        yield hub


@pytest.mark.parametrize("view", SOURCES)
def test_what_cannot_be_loaded_says_why_and_is_tried_again(chromium: Browser, hub: PageHub, view: str) -> None:
    chromium.sign_in("now")
    hub.broken[SOURCES[view]] = (503, "the core is still starting", "try again in a moment")
    chromium.open(view)
    chromium.sees("the core is still starting")
    chromium.sees("try again in a moment")
    chromium.settled()
    hub.broken.clear()
    for _ in range(len(chromium.all("main .failure"))):
        chromium.click("Try again")
        chromium.settled()
    assert "the core is still starting" not in chromium.text()


@pytest.mark.parametrize("view", SOURCES)
def test_what_takes_long_says_that_it_is_being_loaded(chromium: Browser, hub: PageHub, view: str) -> None:
    chromium.sign_in("now")
    hub.slow_s[SOURCES[view]] = 1.2
    chromium.open(view)
    chromium.until(lambda: chromium.all("main [aria-busy] .loading"))
    chromium.settled()
    assert not chromium.all(".loading")


@pytest.mark.parametrize(
    ("view", "told"),
    [
        ("now", "Nothing was typed yet."),
        ("rings", "No timer runs."),
        ("rings", "No alarm is set."),
        ("rings", "Nothing to remind anybody of."),
        ("rings", "Nothing is put off."),
        ("lists", "There is no list."),
        ("lists", "There is no note."),
        ("memory", "It knows nothing about you."),
        ("turns", "Nobody has said anything yet."),
        ("skills", "The box tells of no skill."),
        ("health", "The box tells of no model."),
    ],
)
def test_what_is_empty_says_so(chromium: Browser, hub: PageHub, view: str, told: str) -> None:
    hub.facts, hub.turns, hub.skills, hub.installed["models"] = [], [], [], []
    chromium.sign_in(view)
    chromium.sees(told)


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_wider_than_a_small_phone(chromium: Browser, hub: PageHub, view: str) -> None:
    long = "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüssel" * 2
    hub.status["trouble"] = hub.installed["release"] = hub.settings["values"]["place"] = long
    hub.settings["waits"] = ["place", "skills"]
    hub.facts[0]["text"] = hub.checks[0]["found"] = hub.skills[0]["missing"] = long
    hub.turns[0] = hub.turns[0] | {"said": long}
    if view in ("lists", "rings"):
        hub.carry_out("lists", ["add", "shopping", long], False)
        hub.carry_out("notes", ["add", long], False)
        hub.carry_out("timers", ["add", "5m", long[:60]], False)
    chromium.sign_in(view, PHONE)
    wide, shown = chromium.driver.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= shown == 320


def test_the_page_speaks_as_the_box_does_and_fits_a_small_phone(chromium: Browser, hub: PageHub) -> None:
    hub.language = "de"
    chromium.driver.delete_all_cookies()
    chromium.open("now", PHONE)
    chromium.field("Token").send_keys(TOKEN)
    chromium.click("Anmelden")
    chromium.sees("Wartet auf seinen Namen")
    assert chromium.driver.execute_script("return document.documentElement.lang") == "de"
    for view in VIEWS:
        chromium.driver.execute_script("location.hash = arguments[0]", view)
        chromium.until(lambda: chromium.all("main h1") and chromium.driver.title.endswith("– Sprachassistent"))
        chromium.settled()
        wide, shown = chromium.driver.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
        assert wide <= shown == 320, view


def test_timers_are_started_paused_and_cancelled(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("rings")
    chromium.fill("How long", "8m")
    chromium.fill("What for (may be empty)", "pasta")
    chromium.click("Start the timer")
    chromium.sees("Pasta timer set for 8 minutes.")
    chromium.fill("How long", "20m")
    chromium.click("Start the timer")
    chromium.sees("Timer of 20 minutes")
    chromium.sees("19:5")  # it counts down
    chromium.click("Pause pasta")
    chromium.sees("The pasta timer is paused")
    chromium.click("Resume pasta")
    chromium.sees("The pasta timer")
    chromium.click("Cancel Timer of 20 minutes")
    chromium.sees("Cancel “Timer of 20 minutes”?")
    chromium.click("No, leave it")
    chromium.sees("Timer of 20 minutes")
    chromium.click("Cancel Timer of 20 minutes")
    chromium.click("Cancel it")
    chromium.misses("Timer of 20 minutes")
    chromium.sees("pasta")


def test_an_alarm_that_is_not_understood_is_not_set(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("rings")
    when = next(each for each in chromium.all("input[name=when]") if each.is_displayed())
    when.send_keys("7:00 on weekdays")
    chromium.click("Set the alarm")
    chromium.sees("Alarm set for every weekday at 7 AM.")
    chromium.sees("repeats: 7:00 on weekdays")
    chromium.all("input[name=when]")[0].send_keys("when pigs fly")
    chromium.click("Set the alarm")
    chromium.until(lambda: chromium.all("#failed p"))
    assert len(hub.carry_out("alarms", [], False).rows or []) == 1
    assert chromium.all("input[name=when]")[0].get_attribute("value") == "when pigs fly", "it can be corrected"
    chromium.click("Cancel 7:00 on weekdays")
    chromium.click("Cancel it")
    chromium.sees("No alarm is set.")


def test_a_list_is_made_ticked_and_cleared(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("lists", PHONE)
    chromium.fill("Its name", "books")
    chromium.click("Make the list")
    chromium.fill("Add to Books", HOSTILE)
    chromium.click("Add")
    chromium.sees(HOSTILE)
    assert not chromium.all("img, body script")
    chromium.click(HOSTILE)
    chromium.until(lambda: chromium.all(".rows .done"))
    chromium.click(HOSTILE)
    chromium.until(lambda: not chromium.all(".rows .done"))
    chromium.click("Clear the list Books")
    chromium.sees("Take all 1 off “Books”?")
    chromium.click("Clear the list")
    chromium.misses(HOSTILE)
    assert hub.carry_out("lists", [], False).rows in ([], [{"id": 1, "name": "books", "entries": []}])


def test_a_note_is_kept_and_deleted(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("lists")
    chromium.fill("A new note", "the key is under the pot")
    chromium.click("Keep the note")
    chromium.sees("Noted: the key is under the pot.")
    chromium.click("Delete the key is under the pot")
    chromium.sees("Delete the note “the key is under the pot”?")
    chromium.click("Delete")
    chromium.sees("There is no note.")


def test_the_calendar_is_shown_in_the_words_of_the_box(chromium: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "calendars"
    folder.mkdir()
    (folder / "home.ics").write_text(EVENT.replace("\n", "\r\n"))
    assert NOW.strftime("%Y%m%d") in EVENT
    with serving(house(tmp_path / "state", calendar=Calendar(folder=folder))) as chromium.url:
        chromium.sign_in("calendar")
        chromium.sees("Piano lesson")
        chromium.driver.find_element("css selector", "option[value=tomorrow]").click()
        chromium.misses("Piano lesson")
        chromium.all("input[name=what]")[0].send_keys("piano")
        chromium.click("Find")
        chromium.sees("Piano lesson")


def test_music_is_played_by_its_buttons(chromium: Browser, mpd: Mpd, tmp_path: Path) -> None:
    with serving(house(tmp_path, music=Music(player=mpd.socket))) as chromium.url:
        chromium.sign_in("music")
        chromium.fill("Play", "jazz")
        chromium.click("Play it")
        chromium.until(lambda: chromium.all("#told:not(:empty), #failed:not(:empty)"))
        assert chromium.all("#told:not(:empty)"), chromium.text()
        chromium.click("Pause")
        chromium.click("Quieter")
        chromium.until(lambda: not chromium.all("[aria-disabled]"))
        assert not chromium.all("#failed:not(:empty)"), chromium.text()


def test_memory_is_searched_explained_corrected_and_forgotten(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("memory")
    chromium.field("Search the memory").send_keys("dentist\n")
    chromium.misses("boiler")
    chromium.click("Why it knows: The dentist is called Dr Wren")
    chromium.sees("You said: “no, my dentist is Dr Wren”")
    chromium.sees("The dentist is called Dr Finch")
    chromium.click("Correct: The dentist is called Dr Wren")
    chromium.fill("How it is right", "The dentist is called Dr Rook")
    chromium.click("Save")
    chromium.sees("Corrected.")
    assert hub.facts[0]["text"] == "The dentist is called Dr Rook"
    chromium.click("Forget: The dentist is called Dr Rook")
    chromium.sees("It cannot be brought back.")
    chromium.click("No, leave it")
    assert len(hub.facts) == 3
    chromium.click("Forget: The dentist is called Dr Rook")
    chromium.click("Forget")
    chromium.sees("Nothing it knows fits that.")
    assert [fact["id"] for fact in hub.facts] == [5, 3]


def test_a_turn_is_drawn_with_its_stages_to_scale(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("turns", DESKTOP)
    chromium.sees("905 ms")
    script = """return [...document.querySelectorAll(".turn:last-child rect")].map((bar) => {
        const box = bar.getBoundingClientRect(), all = bar.parentElement.getBoundingClientRect();
        return [bar.getAttribute("class"), (box.left - all.left) / all.width, box.width / all.width];
    })"""
    stages = {"endpoint": 420, "stt": 310, "plan": 25, "tools": 11, "voice": 139}
    begin = 0
    for (name, ms), (shown, left, width) in zip(stages.items(), chromium.driver.execute_script(script), strict=True):
        assert shown == f"bar-{name}"
        assert left == pytest.approx(begin / 905, abs=0.01)
        assert width == pytest.approx(ms / 905, abs=0.01)
        begin += ms
    hub.tell("turn", hub.turns[0] | {"turn": 43, "heard": "and half of that"})
    chromium.sees("and half of that")
    assert chromium.all(".turn")[0].accessible_name == "Turn 43, spoken"


def test_a_skill_is_switched_when_the_box_says_so(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("skills")
    chromium.sees("I know no weather station.")
    hub.slow_s["/api/v0/skills/later"] = 1.0
    chromium.click("Later do things later")
    later = chromium.all("input[type=checkbox]")[2]
    assert not later.is_selected()
    chromium.sees("Later is switched once the box has been started again.")
    chromium.sees("On from the next start; still off until then.")
    assert chromium.all("input[type=checkbox]")[2].is_selected()
    assert not chromium.all("input[type=checkbox]")[3].is_enabled(), "the settings file switches it off"
    hub.broken["/api/v0/skills/timers"] = (403, "your token may not do that", "use the owner's")
    chromium.click("Timers timers")
    chromium.sees("your token may not do that – use the owner's")
    assert chromium.all("input[type=checkbox]")[0].is_selected()
    chromium.click("Start it again now")
    chromium.sees("The box has started again.")
    chromium.misses("still off until then")
    assert hub.said("/api/v0/restart") != []


def test_only_what_was_changed_is_set(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("settings")
    chromium.fill("Place", "Ulm, Germany")
    chromium.click("Short sounds when it hears its name")
    chromium.click("Save")
    chromium.sees("Saved. It counts once the box has been started again.")
    chromium.sees("Saved, and not counting yet:")
    assert [put(body) for body in hub.said("/api/v0/settings")] == [{"place": "Ulm, Germany", "cues": False}]
    chromium.fill("Time zone", "Nowhere/Land")
    chromium.click("Save")
    chromium.sees("there is no time zone Nowhere/Land")
    assert chromium.field("Time zone").get_attribute("aria-invalid") == "true"
    chromium.fill("Time zone", "Europe/Berlin")
    chromium.click("Save")
    chromium.until(lambda: hub.settings["values"]["timezone"] == "Europe/Berlin")
    chromium.settled()
    chromium.click("Save")
    chromium.sees("Nothing was changed.")
    chromium.click("Start it again now")
    chromium.sees("The box has started again.")
    chromium.misses("not counting yet")


def put(body: dict[str, Any]) -> dict[str, Any]:
    """As it was sent."""
    return {name: value for name, value in body.items() if name != "cookie"}


def test_the_volume_counts_at_once(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("settings")
    chromium.driver.execute_script("arguments[0].value = 30", chromium.field("Volume"))
    chromium.click("Save")
    chromium.sees("Saved.")
    chromium.settled()
    assert [put(body) for body in hub.said("/api/v0/settings")] == [{"volume": 30}]
    assert "not counting yet" not in chromium.text()


def test_a_network_is_joined_and_kept_as_soon_as_the_box_is_reached(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("setup")
    chromium.sees("Old house: 61 %, joined")
    options = {each.text: each for each in chromium.all("select[name=network] option")}
    assert not options["Office: 30 %, not to be joined from here"].is_enabled()
    options[next(name for name in options if "New house" in name)].click()
    assert chromium.field("Password of the network").get_attribute("type") == "password"
    chromium.fill("Password of the network", " two spaces ")
    hub.broken["/api/v0/wifi/keep"] = (409, "no network waits to be kept", "join one first")
    chromium.click("Join")
    chromium.until(lambda: hub.said("/api/v0/wifi/join"))
    assert put(hub.said("/api/v0/wifi/join")[0]) == {"network": " New house ", "password": " two spaces "}
    hub.broken.clear()
    chromium.sees("The box is in  New house  now.".replace("  ", " "))
    assert len(hub.said("/api/v0/wifi/keep")) == 1
    chromium.settled()
    assert chromium.field("Password of the network").get_attribute("value") == ""


def test_a_network_that_was_kept_is_told_so_though_the_answer_was_lost(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("setup")
    chromium.sees("Old house: 61 %, joined")
    chromium.driver.execute_script(
        "const real = window.fetch; let lost = false;"
        "window.fetch = async (path, options) => {"
        "  const answer = await real(path, options);"
        "  if (path !== '/api/v0/wifi/keep' || lost) return answer;"
        "  lost = true; throw new TypeError('the network is another one now'); };"
    )
    chromium.fill("Password of the network", "the password")
    chromium.click("Join")
    chromium.until(lambda: hub.said("/api/v0/wifi/keep"))
    hub.broken["/api/v0/wifi/keep"] = (409, "no network waits to be kept", "join one first", "wifi_nothing")
    chromium.sees("The box is in Old house now.")


def test_a_password_that_is_not_taken_is_said_and_nothing_kept(chromium: Browser, hub: PageHub) -> None:
    hub.broken["/api/v0/wifi/join"] = (409, "the network does not take that password", "type it again")
    chromium.sign_in("setup")
    chromium.fill("Password of the network", "wrong password")
    chromium.click("Join")
    chromium.sees("the network does not take that password – type it again")
    assert hub.said("/api/v0/wifi/keep") == []


def test_a_box_without_networkmanager_says_what_to_do(chromium: Browser, hub: PageHub) -> None:
    hub.broken["/api/v0/wifi"] = (503, "the box cannot set its Wi-Fi from here", "on the box: sudo nmtui")
    chromium.sign_in("setup")
    chromium.sees("on the box: sudo nmtui")
    chromium.sees("Place")


def test_health_tells_first_what_is_wrong(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("health")
    chromium.sees("0.0.9-aarch64")
    chromium.sees("docs/provisioning.md")
    assert chromium.all(".check")[0].text.split("\n") == ["wrong", "speaker", "there is no device", "plug in a speaker"]
    chromium.sees("whisper-base is damaged; run: make models")
    chromium.sees("every byte found right on 2026-11-27")
    hub.checks = [check | {"fine": True} for check in hub.checks]
    chromium.click("Look again")
    chromium.sees("All is well.")


def test_a_box_that_was_never_set_up_leads_its_owner_there(chromium: Browser, hub: PageHub) -> None:
    hub.settings["values"] |= {"place": "", "timezone": ""}
    hub.settings["set_up"] = hub.status["set_up"] = False
    chromium.sign_in("now", PHONE)
    chromium.sees("This box has not been set up yet.")
    assert chromium.driver.current_url.endswith("#setup")
    chromium.sees("Old house: 61 %, joined")
    zone = chromium.driver.execute_script("return Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert chromium.field("Time zone").get_attribute("value") == zone
    chromium.fill("Place", "Utrecht, Netherlands")
    chromium.fill("Time zone", "Europe/Amsterdam")
    chromium.click("Save")
    chromium.sees("Saved. It counts once the box has been started again.")
    told = {"place": "Utrecht, Netherlands", "timezone": "Europe/Amsterdam"}
    assert [put(body) for body in hub.said("/api/v0/settings")] == [told]
    chromium.misses("This box has not been set up yet.")
    chromium.click("Menu")
    chromium.click("Now")
    chromium.sees("Talk by typing")


def test_what_the_settings_file_makes_is_only_shown(chromium: Browser, hub: PageHub) -> None:
    hub.settings["fixed"] = ["place", "timezone", "language", "wake_word"]
    for view, inputs in (("settings", 7), ("setup", 2)):  # those of the Wi-Fi
        chromium.sign_in(view)
        chromium.sees("These are set in /etc/voice-appliance/config.toml")
        chromium.sees("Utrecht, Netherlands")
        assert len(chromium.all("main input, main select")) == inputs


def test_what_cannot_be_restarted_from_here_says_how(chromium: Browser, hub: PageHub) -> None:
    hub.settings |= {"restarts": False, "waits": ["place"], "taken_back": True}
    chromium.sign_in("settings")
    chromium.sees("sudo systemctl restart va")
    chromium.sees("The last change was taken back")
    assert not [each for each in chromium.all("main button") if each.text == "Start it again now"]


def test_a_box_without_an_owner_reads_out_a_code(chromium: Browser, hub: PageHub) -> None:
    hub.owned = False
    chromium.driver.delete_all_cookies()
    chromium.open()
    chromium.click("Have it read out the code")
    chromium.sees("Listen: it says the code twice.")
    assert len(hub.said("/api/v0/pair/first")) == 1


def test_memory_told_without_its_facts_is_shown_as_told(chromium: Browser, hub: PageHub) -> None:
    hub.facts_said = "You like plums."
    chromium.sign_in("memory")
    chromium.sees("You like plums.")
    chromium.sees("nothing can be changed here")


def test_what_is_said_to_the_box_is_seen_on_the_page(chromium: Browser, hub: PageHub) -> None:
    chromium.sign_in("rings")
    hub.carry_out("timers", ["add", "8m", "pasta"], False)
    hub.tell("turn", hub.turns[0])
    chromium.sees("pasta")
    chromium.sign_in("lists")
    hub.carry_out("lists", ["add", "shopping", "milk"], False)
    hub.tell("turn", hub.turns[0])
    chromium.field("Add to Shopping").send_keys("egg")
    hub.carry_out("lists", ["add", "shopping", "bread"], False)
    hub.carry_out("notes", ["add", "the key is under the pot"], False)
    hub.tell("turn", hub.turns[0])
    chromium.sees("the key is under the pot")
    assert chromium.field("Add to Shopping").get_attribute("value") == "egg", "what is being written stays"
    assert "bread" not in chromium.text()


def test_the_words_of_a_turn_stay_though_the_status_has_none(chromium: Browser, hub: PageHub) -> None:
    whole = [turn | {"turn": 50 + at} for at, turn in enumerate(hub.turns)]
    bare = [{key: turn[key] for key in turn if key not in ("heard", "said")} for turn in [*hub.turns, *whole]]
    hub.turns = bare[:3]
    chromium.sign_in("now")
    for turn in whole:
        hub.tell("turn", turn)
    chromium.sees(HOSTILE)
    chromium.click("Turns")
    chromium.sees("a pasta timer for eight minutes")
    names = [each.accessible_name for each in chromium.all(".turn")]
    assert names == ["Turn 51, typed", "Turn 50, spoken", "Turn 42, typed", "Turn 41, spoken"]
    assert chromium.text().count("Heard") == 2
