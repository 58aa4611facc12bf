from __future__ import annotations

import pytest

from appliance.errors import BadArgument
from appliance.simulated import skill_context
from appliance.skills.loader import load
from appliance.skills.schema import FunctionTool


@pytest.fixture
def catalogue() -> dict[str, FunctionTool]:
    skills = load(skill_context(last_said=lambda: "Hello."))
    tools = [*skills.for_model(), *skills.commands()]
    return {each.name: each for each in tools if isinstance(each, FunctionTool)}


def test_the_names_are_the_promised_ones(catalogue: dict[str, FunctionTool]) -> None:
    assert list(catalogue) == [
        *("get_time", "set_timer", "adjust_timer", "list_timers", "cancel_timer"),
        *("set_alarm", "cancel_alarm", "list_alarms", "skip_next", "add_reminder", "cancel_reminder", "list_reminders"),
        *("calculate", "convert_units", "set_volume", "repeat", "stop"),
        *("remember", "recall", "forget", "set_preference"),
        *(
            "tell_country",
            *("add_to_list", "read_list", "remove_from_list", "complete_item", "add_note", "read_notes"),
            *("do_later", "cancel_order", "list_orders", "announce"),
            "set_clock",
            "pause_timer",
            "resume_timer",
            "set_music_alarm",
            "snooze",
            "change_volume",
            "mute",
            "tell_volume",
            *("pause", "resume"),
            *("remember_last", "forget_last", "forget_fact", "forget_topic", "update_memory", "correct"),
            *("tell_kept", "tell_more", "tell_why", "tell_before"),
            *("speak_as", "tell_person", "learn_voice", "private_mode", "tell_private", "tell_talk"),
            *("create_list", "clear_list", "delete_note", "do_after"),
            "help",
            "last_deed",
            "last_heard",
            "undo",
        ),
    ]


def test_every_tool_tells_the_model_in_one_short_sentence_what_it_is_for(catalogue: dict[str, FunctionTool]) -> None:
    for each in catalogue.values():
        assert each.description.endswith(".")
        assert len(each.description) <= 80, "the catalogue is in every prompt"


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("get_time", {}, "It is 3:05 PM."),
        ("get_time", {"what": "date"}, "It is Friday, 21 November 2025."),
        ("get_time", {"place": "Tokyo"}, "It is 12:05 AM on Saturday in Tokyo."),
        ("set_timer", {"minutes": 5}, "5 minutes, starting now."),
        ("set_timer", {"minutes": 5, "label": "pasta"}, "Pasta timer set for 5 minutes."),
        ("list_timers", {}, "You have no timers."),
        ("calculate", {"expression": "17 * 23"}, "17 times 23 is 391."),
        ("convert_units", {"value": 3, "from_unit": "mile", "to_unit": "km"}, "3 miles is 4.83 kilometres."),
        ("set_volume", {"level": 33}, "Volume 33 percent."),
        ("set_volume", {"direction": "up"}, "Volume 60 percent."),
        ("repeat", {}, "Hello."),
        ("stop", {}, ""),
    ],
)
def test_a_call_ends_in_a_sentence(
    catalogue: dict[str, FunctionTool], name: str, arguments: dict[str, object], said: str
) -> None:
    assert catalogue[name].call(arguments) == said


@pytest.mark.parametrize(("name", "arguments"), [("set_timer", {"hours": 1e5}), ("adjust_timer", {"seconds": 1e9})])
def test_a_timer_too_long_is_told_what_it_can_be(
    catalogue: dict[str, FunctionTool], name: str, arguments: dict[str, object]
) -> None:
    catalogue["set_timer"].call({"minutes": 5})
    with pytest.raises(BadArgument, match=r"^A timer can run from 1 second to 24 hours\."):
        catalogue[name].call(arguments)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("set_timer", {"minutes": -1}),
        ("set_timer", {"hours": float("nan")}),
        ("set_timer", {"days": 1}),
        ("get_time", {"what": "weather"}),
        ("set_volume", {"level": 101}),
        ("set_volume", {"direction": "left"}),
        ("convert_units", {"value": 1, "from_unit": "mile"}),
        ("calculate", {"expression": "1" * 201}),
    ],
)
def test_arguments_out_of_range_never_reach_the_tool(
    catalogue: dict[str, FunctionTool], name: str, arguments: dict[str, object]
) -> None:
    with pytest.raises(BadArgument):
        catalogue[name].call(arguments)
