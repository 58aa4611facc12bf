"""The box of the everyday lines: all that needs no other machine, a real MPD and a real calendar, and nothing kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from appliance.ports import LanguageModel
from appliance.reply.grammar import PlanGrammar
from appliance.settings import Settings
from appliance.simulated import CannedModel
from appliance.simulated.tools import ListedTool
from bench import cases, everyday, scripted
from bench.everyday_judge import Everyday
from bench.everything_on import NO_MODEL, NOT_SET_UP, Home, home

LANGUAGES = {"en": "2026-11-24T09:30:00+00:00[Europe/London]", "de": "2026-11-26T09:30:00+01:00[Europe/Berlin]"}


@pytest.fixture(scope="module")
def at_home() -> Iterator[Home]:
    with home() as made:
        yield made


def tried(
    at_home: Home, tool: str, *say: str, language: str = "en", model: LanguageModel = NO_MODEL, **arguments: Any
) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": "x",
        "kind": "x",
        "half": "work",
        "say": say,
        "before": ["x"] * (len(say) - 1),
        "tool": tool,
    }
    entry |= {"language": language, "now": LANGUAGES[language], "arguments": arguments}
    return everyday.tried(Everyday.model_validate(entry), at_home, Settings(), model)


def test_what_needs_no_other_machine_is_on(at_home: Home) -> None:
    with at_home.box(Settings(), "en", cases.zoned(LANGUAGES["en"]), NO_MODEL) as box:
        assert {"music", "calendar", "timers", "lists"} <= {skill.name for skill in box.skills.on}
        assert {skill.name for skill in box.skills.absent} <= NOT_SET_UP
        assert all(tool.ready() for tool in box.tools)


@pytest.mark.parametrize(
    ("tool", "say", "language", "heard"),
    [
        ("play_music", "play Dolly Parton", "en", "Dolly Parton"),
        ("read_calendar", "what's in the calendar on Wednesday", "en", "Choir"),
        ("play_music", "spiel Nena", "de", "Nena"),
        ("get_time", "what time is it", "en", "9:30"),
        ("get_time", "wie spät ist es", "de", "9:30"),
    ],
)
def test_sentence_is_answered_from_what_is_there(at_home: Home, tool: str, say: str, language: str, heard: str) -> None:
    came_to = tried(at_home, tool, say, language=language)
    assert (came_to["outcome"], came_to["lane"]) == ("right", "sentence"), came_to
    assert heard in came_to["said"][-1]


def test_each_case_finds_a_box_that_keeps_nothing(at_home: Home) -> None:
    assert (
        tried(at_home, "list_timers", "set a timer for nine minutes", "what timers are running")["outcome"] == "right"
    )
    assert "no timers" in tried(at_home, "list_timers", "what timers are running")["said"][-1]


def test_line_for_the_model_is_left_where_there_is_none(at_home: Home) -> None:
    came_to = tried(at_home, "none", "tell me a story about the moon and the two herons")
    assert (came_to["outcome"], came_to["lane"], came_to["faults"]) == ("left", "model", ["left"])


def test_model_may_call_what_has_nothing_to_act_on(at_home: Home) -> None:
    """No case says what is kept: a box without timers would not even offer it."""
    model = CannedModel(['cancel_timer(label="gnocchi")\n'])
    came_to = tried(at_home, "cancel_timer", "the gnocchi one, do away with that timer", model=model, label="gnocchi")
    assert (came_to["outcome"], came_to["lane"], came_to["calls"]) == ("right", "model", 1), came_to
    assert isinstance(grammar := model.grammars[0], PlanGrammar)
    assert "cancel_timer" in dict(grammar.tools)


def test_tool_on_board_is_no_scripted_one() -> None:
    tools = [ListedTool("play_music"), ListedTool("get_weather"), ListedTool("set_timer")]
    assert scripted.skill_of(tools, {"play_music": "music"}) == {"get_weather": "weather"}
    assert scripted.skill_of(tools, {}) == {"get_weather": "weather", "play_music": "music"}
