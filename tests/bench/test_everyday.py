"""The everyday lines can be judged, and the judge tells a right call from a wrong one. No model: canned records."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.records import ModelUse, Step, TurnRecord
from bench import everyday, everyday_judge
from bench.alike import says
from bench.everyday_judge import Everyday
from bench.wanted import CHECKS

CASES = everyday_judge.load()
READS = {
    "get_time",
    "list_timers",
    "list_alarms",
    "read_list",
    "read_calendar",
    "calculate",
    "convert_units",
    "last_deed",
}
NOTHING: dict[str, Any] = {"timers": [], "alarms": [], "reminders": [], "lists": []}
NOT_COMPARED = {("update_memory", "about")}

Given = dict[str, Any]


def case(tool: str, arguments: Given, language: str = "en", **fields: Any) -> Everyday:
    now = {"en": "2026-11-24T09:30:00+00:00[Europe/London]", "de": "2026-11-26T09:30:00+01:00[Europe/Berlin]"}
    made = {"name": "x", "kind": "x", "half": "work", "language": language, "now": now[language], "say": ["x"]}
    return Everyday.model_validate(made | {"tool": tool, "arguments": arguments} | fields)


def record(*calls: tuple[str, Given], said: str = "Done.", outcome: Any = "said", step: Any = "ok") -> TurnRecord:
    steps = [
        Step(kind="tool", tool=name, arguments=given, effect="read" if name in READS else "act", outcome=step)
        for name, given in calls
    ]
    return TurnRecord(turn=1, conversation="c-1", steps=steps, said=said, outcome=outcome, model=ModelUse(calls=1))


def came_to(wanted: Everyday, told: TurnRecord, **kept: Any) -> str:
    return everyday_judge.outcome(wanted, told, NOTHING | kept)


def test_there_are_300_lines_in_two_halves_and_two_languages() -> None:
    assert len({each.name for each in CASES}) == len(CASES) == 300
    assert sum(each.language == "de" for each in CASES) == 40
    assert sum(len(each.say) > 1 for each in CASES) == 30
    assert 0.4 < sum(each.half == "work" for each in CASES) / 300 < 0.6
    assert not [each.name for each in CASES if len(each.before) != len(each.say) - 1]


def test_every_argument_of_a_case_can_be_compared() -> None:
    wanted = {(each.tool, key) for each in CASES for key in each.arguments if each.tool != "convert_units"}
    assert wanted - NOT_COMPARED <= CHECKS.keys()
    units = [each.arguments.keys() for each in CASES if each.tool == "convert_units"]
    assert all(each == {"amount", "from", "to"} for each in units)


RIGHT: list[tuple[str, Given, str, Given]] = [
    ("set_timer", {"seconds": 4200, "label": "roast"}, "set_timer", {"hours": 1, "minutes": 10, "label": "the roast"}),
    ("adjust_timer", {"seconds": -120}, "adjust_timer", {"minutes": 2, "direction": "subtract"}),
    ("adjust_timer", {"seconds": 300}, "adjust_timer", {"minutes": 5}),
    ("cancel_timer", {"seconds": 600}, "cancel_timer", {"label": "ten minute timer"}),
    ("cancel_timer", {"all": True}, "cancel_timer", {"label": "all"}),
    ("cancel_timer", {"which": 2}, "cancel_timer", {"label": "second"}),
    ("set_alarm", {"when": "2026-11-27T05:30"}, "set_alarm", {"when": "half five on Friday morning"}),
    ("set_alarm", {"rrule": "FREQ=WEEKLY;BYDAY=SA,SU", "time": "09:00"}, "set_alarm", {"when": "weekends at nine am"}),
    ("cancel_alarm", {"time": "07:00"}, "cancel_alarm", {"which": "my seven o'clock"}),
    (
        "add_reminder",
        {"what": "ring mum", "after_s": 1800},
        "add_reminder",
        {"what": "ring my mum", "when": "in half an hour"},
    ),
    ("list_reminders", {"day": "2026-11-25"}, "list_reminders", {"which": "tomorrow"}),
    ("add_to_list", {"items": ["milk", "eggs"], "list": "shopping"}, "add_to_list", {"item": "milk and eggs"}),
    (
        "add_to_list",
        {"items": ["onions"], "list": "groceries"},
        "add_to_list",
        {"item": "onions", "list": "shopping list"},
    ),
    ("add_to_list", {"items": ["fish and chips"]}, "add_to_list", {"item": "fish, chips"}),
    ("add_to_list", {"items": ["pepper", "cheddar"]}, "add_to_list", {"item": "pepper and some of that nice cheddar"}),
    ("add_note", {"text": "meter reading 45129"}, "add_note", {"text": "meter reading four five one two nine"}),
    ("calculate", {"result": 12.9}, "calculate", {"expression": "15 % of 86"}),
    (
        "convert_units",
        {"amount": 158, "from": "pound", "to": "kilogram"},
        "convert_units",
        {"value": 11.2857, "from_unit": "stone", "to_unit": "kilos"},
    ),
    ("set_volume", {"change": "down"}, "change_volume", {"by": -10}),
    ("mute", {"on": True}, "mute", {}),
    ("remember", {"fact": "your sister's name is Aoife"}, "remember", {"fact": "My sister's name is Aoife."}),
    ("days_until", {"date": "2026-12-25"}, "get_time", {"what": "days", "day": "Christmas"}),
    ("read_calendar", {"day": "2026-11-28"}, "read_calendar", {"day": "the weekend"}),
    (
        "add_event",
        {"title": "lunch with Priya", "when": "2026-11-26T13:00"},
        "add_event",
        {"what": "lunch with Priya", "when": "Thursday at one pm"},
    ),
]
WRONG: list[tuple[str, Given, str, Given]] = [
    ("set_timer", {"seconds": 4200}, "set_timer", {"hours": 1}),
    ("set_timer", {"seconds": 540, "label": "pasta"}, "set_timer", {"minutes": 9}),
    ("adjust_timer", {"seconds": -120}, "adjust_timer", {"minutes": 2}),
    ("cancel_timer", {"all": True}, "cancel_timer", {}),
    ("cancel_timer", {"which": 2}, "cancel_timer", {"label": "third"}),
    ("set_alarm", {"when": "2026-11-27T05:30"}, "set_alarm", {"when": "half five on Friday afternoon"}),
    ("set_alarm", {"when": "2026-11-27T05:30"}, "set_alarm", {"when": "some time"}),
    ("set_alarm", {"rrule": "FREQ=WEEKLY;BYDAY=SA,SU", "time": "09:00"}, "set_alarm", {"when": "Saturday at nine am"}),
    ("set_alarm", {"rrule": "FREQ=WEEKLY;BYDAY=SA,SU", "time": "09:00"}, "set_alarm", {"when": "every day at nine am"}),
    ("cancel_alarm", {"time": "07:00"}, "cancel_alarm", {"which": "eight o'clock"}),
    (
        "add_reminder",
        {"what": "ring mum"},
        "add_reminder",
        {"what": "ring mum in half an hour", "when": "half an hour"},
    ),
    ("add_to_list", {"items": ["milk", "eggs"], "list": "shopping"}, "add_to_list", {"item": "milk"}),
    ("list_reminders", {"day": "2026-11-25"}, "list_reminders", {}),
    (
        "add_to_list",
        {"items": ["balloons", "paper plates"]},
        "add_to_list",
        {"item": "balloons, paper plates, candles"},
    ),
    ("list_reminders", {"day": "2026-11-25"}, "list_reminders", {"which": "today"}),
    ("add_to_list", {"items": ["tent"], "list": "camping"}, "add_to_list", {"item": "tent"}),
    ("calculate", {"result": 12.9}, "calculate", {"expression": "15 + 86"}),
    (
        "convert_units",
        {"amount": 3, "from": "litre", "to": "pint"},
        "convert_units",
        {"value": 3, "from_unit": "litre", "to_unit": "gallon"},
    ),
    (
        "convert_units",
        {"amount": 3, "from": "litre", "to": "pint"},
        "convert_units",
        {"value": 6.34, "from_unit": "cup", "to_unit": "cup"},
    ),
    ("set_volume", {"change": "down"}, "set_volume", {"direction": "up"}),
    ("mute", {"on": False}, "mute", {}),
    ("days_until", {"date": "2026-12-25"}, "get_time", {"what": "time"}),
    ("read_calendar", {"day": "2026-11-28"}, "read_calendar", {"day": "tomorrow"}),
]


@pytest.mark.parametrize(("tool", "wanted", "called", "given"), RIGHT)
def test_what_means_the_same_is_right(tool: str, wanted: Given, called: str, given: Given) -> None:
    assert came_to(case(tool, wanted), record((called, given))) == "right"


@pytest.mark.parametrize(("tool", "wanted", "called", "given"), WRONG)
def test_what_means_something_else_is_not(tool: str, wanted: Given, called: str, given: Given) -> None:
    assert came_to(case(tool, wanted), record((called, given))) == "arguments"


@pytest.mark.parametrize(
    ("tool", "wanted", "given"),
    [
        ("set_timer", {"seconds": 720, "label": "Nudeln"}, {"minutes": 12, "label": "die Nudel"}),
        ("add_reminder", {"when": "2026-11-27T15:00"}, {"what": "x", "when": "morgen um fünfzehn Uhr"}),
        ("add_to_list", {"items": ["Käse"], "list": "Einkaufsliste"}, {"item": "Käse", "list": "Einkaufszettel"}),
        ("calculate", {"result": 47.5}, {"expression": "19 % von 250"}),
        (
            "convert_units",
            {"amount": 3, "from": "ounce", "to": "gram"},
            {"value": 3, "from_unit": "Unzen", "to_unit": "Gramm"},
        ),
    ],
)
def test_german_calls_are_read_in_german(tool: str, wanted: Given, given: Given) -> None:
    assert came_to(case(tool, wanted, "de"), record((tool, given))) == "right"


def test_right_call_is_right_where_there_is_nothing_to_act_on() -> None:
    wanted = case("cancel_timer", {"label": "pasta"})
    assert (
        came_to(wanted, record(("cancel_timer", {"label": "pasta"}), said="No timer is running.", step="error"))
        == "right"
    )


def test_asking_before_what_cannot_be_undone_is_right() -> None:
    told = record(("clear_list", {"list": "shopping"}), said="Shall I?", outcome="asked", step="unconfirmed")
    assert came_to(case("clear_list", {"list": "shopping"}), told) == "right"


def test_several_calls_that_add_up_are_right() -> None:
    wanted = case("add_to_list", {"items": ["milk", "eggs"]})
    assert came_to(wanted, record(("add_to_list", {"item": "milk"}), ("add_to_list", {"item": "eggs"}))) == "right"


def test_another_act_beside_the_right_one_is_not_right() -> None:
    told = record(("set_timer", {"minutes": 9}), ("set_volume", {"level": 9}))
    assert came_to(case("set_timer", {"seconds": 540}), told) == "acted"


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (record(("set_volume", {"level": 9})), "acted"),
        (record(("read_list", {})), "other tool"),
        (record(said="How long?", outcome="asked"), "asked"),
        (record(("forget", {}), said="Shall I?", outcome="asked", step="unconfirmed"), "asked"),
        (record(said="I can't do that."), "refused"),
        (record(said="Das kann ich leider nicht."), "refused"),
        (record(said="Pasta is lovely."), "words"),
        (record(said="", outcome="error"), "failed"),
    ],
)
def test_each_other_end_has_its_name(told: TurnRecord, expected: str) -> None:
    assert came_to(case("set_timer", {"seconds": 540}), told) == expected


def test_another_tool_that_is_right_is_held_against_what_both_take() -> None:
    wanted = case("set_music_volume", {"level": 40}, or_tool=["set_volume"])
    assert came_to(wanted, record(("set_volume", {"level": 40}))) == "right"
    assert came_to(wanted, record(("set_volume", {"level": 60}))) == "arguments"


def test_where_nothing_is_to_be_done_the_words_count() -> None:
    wanted = case("none", {}, says="coffee|milk")
    assert came_to(wanted, record(("last_deed", {}), said="I put coffee on the list.")) == "right"
    assert came_to(wanted, record(("last_deed", {}), said="Nothing.")) != "right"
    assert came_to(wanted, record(("add_to_list", {"item": "coffee"}), said="Coffee is on the list.")) == "acted"


def test_what_is_kept_afterwards_decides_alone_where_it_is_given() -> None:
    wanted = case("adjust_timer", {}, after={"timers": [720]})
    told = record(("set_timer", {"minutes": 12}))
    assert came_to(wanted, told, timers=[720]) == "right"
    assert came_to(wanted, told, timers=[600, 720]) != "right"
    assert (
        came_to(case("cancel_alarm", {}, after={"alarms": []}), record(("cancel_alarm", {})), alarms=["x"]) != "right"
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("deine Brille abholen", "meine Brille abzuholen", True),
        ("der Schornsteinfeger kommt im Mai wieder", "dass der Schornsteinfeger im Mai wiederkommt", True),
        ("deine Brille abholen", "die Brille kaufen", False),
    ],
)
def test_german_forms_of_a_word_are_the_same_word(one: str, other: str, same: bool) -> None:
    assert says(one, other, "de") == same


def test_only_lines_of_work_are_ever_shown() -> None:
    outcomes = {
        half: {
            "half": half,
            "outcome": "acted",
            "steps": [half],
            "said": [],
            "language": "en",
            "lane": "model",
            "kind": "x",
            "turns": [["model", 9]],
            "never": [],
        }
        for half in ("work", "unseen")
    }
    row = {"model": "x", "tools": {"model": 1, "sentences": 1}} | everyday.summary(outcomes)
    told = everyday.report(row, outcomes, ["acted"])
    assert "work/acted" in told
    assert "unseen/acted" not in told
    assert row["by"]["half"] == {"unseen": {"acted": 1}, "work": {"acted": 1}}
