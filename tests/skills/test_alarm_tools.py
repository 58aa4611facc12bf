"""Alarms and reminders in the words of a conversation."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from appliance.errors import BadArgument, CannotBeDone
from appliance.ports import Skill, Tool
from appliance.settings import Settings, Words
from appliance.simulated import HandSetClock, skill_context
from appliance.skills.entry_tools import MOST
from appliance.skills.loader import load

FRIDAY = datetime(2026, 11, 27, 15, 0, tzinfo=ZoneInfo("Europe/London"))


class Room:
    def __init__(self, language: str = "en") -> None:
        self.clock = HandSetClock(FRIDAY)
        settings = Settings(words=Words(language=language))
        self.skills = load(skill_context(clock=self.clock, settings=settings))
        self.tools: dict[str, Tool] = {tool.name: tool for tool in (*self.skills.for_model(), *self.skills.commands())}

    def skill(self, name: str) -> Skill:
        return next(skill for skill in self.skills.on if skill.name == name)

    def say(self, tool: str, **arguments: object) -> str:
        return self.tools[tool].call(arguments)

    def ring(self) -> list[str]:
        due = self.skills.rings.alarms.due()
        return [self.skills.rings.telling.sentence(each) for each in due]

    def stop(self) -> None:
        self.skills.rings.alarms.done(*self.skills.rings.alarms.ringing())


@pytest.fixture
def room() -> Room:
    return Room()


@pytest.mark.parametrize(
    ("when", "told"),
    [
        ("seven", "Alarm set for 7 PM today."),
        ("at 7 am", "Alarm set for 7 AM tomorrow."),
        ("wake me at seven", "Alarm set for 7 AM tomorrow."),
        ("wake me at six every weekday", "Alarm set for every weekday at 6 AM."),
        ("half past three", "Alarm set for 3:30 PM today."),
        ("in 20 minutes", "Alarm set for 3:20 PM today."),
        ("20 minutes", "Alarm set for 3:20 PM today."),
        ("on Monday at 8 am", "Alarm set for 8 AM on Monday."),
        ("every second Monday at 9 am", "Alarm set for every second Monday at 9 AM."),
        ("7 am for the dentist", "Alarm for the dentist set for 7 AM tomorrow."),
    ],
)
def test_it_says_back_when(room: Room, when: str, told: str) -> None:
    assert room.say("set_alarm", when=when) == told


def test_a_day_without_a_time_asks(room: Room) -> None:
    with pytest.raises(BadArgument, match="At what time") as asked:
        room.say("set_alarm", when="on Monday")
    assert (asked.value.asks_for, asked.value.adds) == ("when", True)
    assert room.say("set_alarm", when="on Monday nine in the morning") == "Alarm set for 9 AM on Monday."


@pytest.mark.parametrize("when", ["whenever", "the usual time", "today at 9 am", "every day except holidays at 7"])
def test_what_is_not_understood_or_over_is_asked(room: Room, when: str) -> None:
    with pytest.raises(BadArgument):
        room.say("set_alarm", when=when)
    assert room.say("list_alarms") == "You have no alarms."


def test_the_same_alarm_is_set_once(room: Room) -> None:
    room.say("set_alarm", when="7 am")
    assert room.say("set_alarm", when="tomorrow at 7 am") == "You already have an alarm for 7 AM tomorrow."
    assert room.say("list_alarms") == "You have the alarm for 7 AM tomorrow."


def test_there_are_no_more_than_fifty(room: Room) -> None:
    for minute in range(MOST):
        room.say("set_alarm", when=f"in {minute + 1} minutes")
    with pytest.raises(CannotBeDone):
        room.say("set_alarm", when="7 am")


def test_an_untrusted_clock_is_told_of(room: Room) -> None:
    room.clock.trusted = False
    assert "I do not know the time for certain" in room.say("set_alarm", when="7 am")


@pytest.mark.parametrize(
    ("which", "gone"),
    [
        ("7 am", "7 AM tomorrow"),
        ("the 7 o'clock", "7 AM tomorrow"),
        ("tomorrow's", "7 AM tomorrow"),
        ("on Monday", "8:30 AM on Monday"),
        ("the dentist", "dentist"),
        ("the first", "7 AM tomorrow"),
        ("my last", "every weekday"),
        ("weekday", "every weekday"),
    ],
)
def test_one_is_named_by_time_day_label_or_order(room: Room, which: str, gone: str) -> None:
    room.say("set_alarm", when="7 am tomorrow")
    room.say("set_alarm", when="on Monday at 8:30 am", label="dentist")
    room.say("set_alarm", when="every weekday at 9 am")
    if which == "on Monday":
        with pytest.raises(BadArgument, match="dentist"):
            room.say("cancel_alarm", which=which)  # the one of every weekday is on Monday as well
        room.say("cancel_alarm", which="every weekday")
    said = room.say("cancel_alarm", which=which)
    assert gone in said or gone.replace("8:30 AM on Monday", "dentist") in said


def test_all_of_them_go_at_once(room: Room) -> None:
    room.say("set_alarm", when="7 am")
    room.say("set_alarm", when="8 am")
    assert room.say("cancel_alarm", which="all my") == "2 alarms are cancelled."
    with pytest.raises(CannotBeDone, match="You have no alarms"):
        room.say("cancel_alarm")


def test_several_that_may_be_meant_are_asked_about(room: Room) -> None:
    room.say("set_alarm", when="7 am")
    room.say("set_alarm", when="8 am")
    with pytest.raises(BadArgument, match="You have 2 of them") as asked:
        room.say("cancel_alarm", which="the")
    assert asked.value.asks_for == "which"
    with pytest.raises(BadArgument, match="no such alarm"):
        room.say("cancel_alarm", which="pasta")


def test_of_many_a_few_are_named_to_somebody_who_did_not_ask_for_all(room: Room) -> None:
    for hour in range(1, 10):
        room.say("set_alarm", when=f"{hour} am")
    told = "no such alarm. You have the alarm for 1 AM tomorrow, .*, the alarm for 4 AM tomorrow and 5 more"
    with pytest.raises(BadArgument, match=told):
        room.say("cancel_alarm", which="pasta")
    assert "9 AM" in room.say("list_alarms")


def test_the_next_one_of_a_repeating_alarm_is_left_out(room: Room) -> None:
    room.say("set_alarm", when="every weekday at 7 am")
    assert room.say("skip_next") == "Skipped. The next one is on Tuesday at 7 AM."
    room.say("set_alarm", when="8 am")
    with pytest.raises(CannotBeDone, match="comes only once"):
        room.say("skip_next", which="8 am")


class TestSnooze:
    @pytest.mark.parametrize(
        ("tool", "arguments", "sentence"),
        [
            ("set_alarm", {"when": "in 10 minutes"}, "It is 3:10 PM."),
            ("set_timer", {"minutes": 10, "label": "egg"}, "Your egg timer is done."),
            ("add_reminder", {"what": "to call my mum", "when": "in 10 minutes"}, "Reminder: call your mum."),
        ],
    )
    @pytest.mark.parametrize("stopped", [True, False], ids=["silenced by the wake word", "ringing"])
    def test_whatever_rings_rings_again(
        self, room: Room, tool: str, arguments: dict[str, object], sentence: str, stopped: bool
    ) -> None:
        room.say(tool, **arguments)
        room.clock.pass_time(600)
        assert room.ring() == [sentence]
        if stopped:
            room.stop()
        assert room.tools["snooze"].ready()
        assert room.say("snooze") == "Snoozed for 9 minutes, until 3:19 PM."
        assert room.skills.rings.alarms.ringing() == []
        room.clock.pass_time(539)
        assert room.ring() == []
        room.clock.pass_time(1)
        assert room.ring() == [sentence.replace("3:10", "3:19")]

    def test_the_ears_are_told_what_may_be_said_to_what_rings(self, room: Room) -> None:
        assert room.skills.expected() == ""
        room.say("set_alarm", when="in one minute")
        room.clock.pass_time(60)
        room.ring()
        assert room.skills.expected() == "Snooze."
        room.stop()
        assert room.skills.expected() == "Snooze.", "what was just silenced can be snoozed"

    def test_with_nothing_to_snooze_it_says_so(self, room: Room) -> None:
        assert not room.tools["snooze"].ready()
        with pytest.raises(CannotBeDone, match="Nothing is ringing"):
            room.say("snooze")


def test_turning_off_one_that_rings_keeps_its_next_times(room: Room) -> None:
    room.say("set_alarm", when="every weekday at 4 pm")
    room.clock.pass_time(3_600)
    room.ring()
    room.stop()
    assert room.say("cancel_alarm", which="the") == "It is off."
    assert "every weekday" in room.say("list_alarms")


class TestReminders:
    @pytest.mark.parametrize(
        ("what", "when", "told"),
        [
            ("to call my mum", "in half an hour", "I will remind you at 3:30 PM to call your mum."),
            ("call mum", "tomorrow at 9 am", "I will remind you tomorrow at 9 AM to call mum."),
            ("about the dentist", "on Monday at noon", "I will remind you on Monday at noon: the dentist."),
            (
                "that the bins go out",
                "every Tuesday at 7 pm",
                "I will remind you every Tuesday at 7 PM: the bins go out.",
            ),
        ],
    )
    def test_it_is_read_back(self, room: Room, what: str, when: str, told: str) -> None:
        assert room.say("add_reminder", what=what, when=when) == told

    def test_it_is_listed_by_day_and_cancelled_by_its_words(self, room: Room) -> None:
        room.say("add_reminder", what="call mum", when="today at 6 pm")
        room.say("add_reminder", what="pay the rent", when="tomorrow at 9 am")
        assert room.say("list_reminders", which="for today") == "You have one reminder: call mum, at 6 PM."
        assert (
            room.say("cancel_reminder", which="the rent")
            == "The reminder is cancelled: pay the rent, tomorrow at 9 AM."
        )

    def test_what_was_missed_is_told(self, room: Room) -> None:
        room.say("add_reminder", what="call mum", when="today at 6 pm")
        room.clock.pass_time(timedelta(hours=5).total_seconds())
        assert room.ring() == []
        rings = room.skills.rings
        assert (
            rings.telling.missed(rings.alarms.missed()) == "While nobody could hear me, this was due at 6 PM: call mum."
        )


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("set_alarm", {"when": "morgen um sieben uhr"}, "Wecker gestellt: morgen um 7 Uhr."),
        ("set_alarm", {"when": "weck mich um sechs"}, "Wecker gestellt: morgen um 6 Uhr."),
        (
            "add_reminder",
            {"what": "den Zahnarzt", "when": "morgen um neun"},
            "Ich erinnere dich morgen um 9 Uhr: den Zahnarzt.",
        ),
    ],
)
def test_in_german(tool: str, arguments: dict[str, object], told: str) -> None:
    assert Room("de").say(tool, **arguments) == told
