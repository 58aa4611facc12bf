"""Calendars of Home Assistant: copied in the background, and told like any other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from calendar_box import NOW

from appliance.errors import CannotBeDone
from appliance.ports import LINK, News
from appliance.settings import Settings
from appliance.simulated import HandSetClock, skill_context
from appliance.skills.calendar import make

FAMILY = "calendar.family"
DENTIST = {"start": "2026-11-26T15:00:00+01:00", "end": "2026-11-26T16:00:00+01:00", "summary": "Dentist"}
HOLIDAY = {"start": "2026-11-27", "end": "2026-11-28", "summary": "School closed"}


class Calendars:
    """A `Bridge` to a house that has them."""

    def __init__(self) -> None:
        self.answer: Any = {"response": {FAMILY: {"events": [DENTIST, HOLIDAY]}}}
        self.asked: list[dict[str, Any]] = []
        self._followers: list[News] = []

    def ask(self, provider: str, what: str, timeout_s: float = 5.0, **arguments: Any) -> Any:
        self.asked.append(arguments)
        if self.answer is None:
            raise CannotBeDone("it does not answer")
        return self.answer

    def follow(self, provider: str, heard: News) -> None:
        self._followers.append(heard)

    def tell(self, kind: str, value: Any) -> None:
        for heard in self._followers:
            heard(kind, value)


class Home:
    def __init__(self, state: Path, **chosen: Any) -> None:
        home = {"url": "http://127.0.0.1:8123", "use_calendars": True, **chosen}
        settings = Settings.model_validate({"state": state, "home_assistant": home})
        self.calendars, self.clock = Calendars(), HandSetClock(NOW)
        self.skill = make(skill_context(settings=settings, clock=self.clock, bridge=self.calendars))
        self.calendars.tell(LINK, {"up": True, "why": ""})
        self.calendars.tell("house", {"entities": [{"id": FAMILY}, {"id": "light.desk"}]})

    def fetch(self) -> None:
        assert self.skill.chore
        self.skill.chore(lambda: True)

    def told(self, day: str) -> str:
        return str(next(each for each in self.skill.tools if each.name == "read_calendar").call({"day": day}))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_what_the_house_has_is_told(home: Home) -> None:
    home.fetch()
    assert home.told("tomorrow") == "Tomorrow: Dentist at 3 PM."
    assert home.told("on friday") == "On Friday: all day School closed."
    assert home.calendars.asked[0]["entities"] == [FAMILY]


def test_it_is_fetched_again_when_a_calendar_changes_and_not_before(home: Home) -> None:
    home.fetch()
    home.fetch()
    home.calendars.tell("states", {"light.desk": {"state": "on"}})
    home.fetch()
    assert len(home.calendars.asked) == 1
    home.calendars.answer = {"response": {FAMILY: {"events": []}}}
    home.calendars.tell("states", {FAMILY: {"state": "off"}})
    home.fetch()
    assert home.told("tomorrow") == "You have nothing tomorrow."


def test_what_was_fetched_stays_while_the_house_is_away_and_its_age_is_told(home: Home) -> None:
    home.fetch()
    home.calendars.answer = None
    home.calendars.tell("states", {FAMILY: {"state": "on"}})
    home.fetch()
    assert home.told("tomorrow").startswith("Tomorrow: Dentist at 3 PM.")


def test_a_house_that_was_never_read_is_told_so(home: Home) -> None:
    assert "I have not reached the calendar's server yet." in home.told("tomorrow")


def test_nonsense_costs_only_itself(home: Home) -> None:
    events = [{"start": "soon"}, {"summary": 5}, "text", None]
    damaged = {"response": {FAMILY: {"events": [DENTIST, *events[:2]]}}}
    answers: list[Any] = [damaged, {"response": {FAMILY: events}}, [], {}]
    for answer in answers:
        home.calendars.answer = answer
        home.calendars.tell("states", {FAMILY: {"state": "on"}})
        home.fetch()
    home.calendars.answer = {"response": {FAMILY: {"events": [DENTIST, *events[:2]]}, "calendar.other": {"events": 7}}}
    home.calendars.tell("states", {FAMILY: {"state": "on"}})
    home.fetch()
    assert home.told("tomorrow") == "Tomorrow: Dentist at 3 PM."


def test_they_are_not_read_without_the_owner_wanting_it(tmp_path: Path) -> None:
    assert Home(tmp_path, use_calendars=False).skill.chore is None
