"""Commands in writing, read as calls: the tables of the skills on board, and words as people type them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from appliance.errors import PartMissing, WrongUse
from appliance.ports import Skill, Spoken
from appliance.settings import Settings
from appliance.settings import Skills as Chosen
from appliance.simulated import skill_context
from appliance.skills.loader import load
from appliance.skills.schema import tool
from appliance.skills.skillset import Skills
from appliance.skills.verbs import LENGTH, actions, read

SKILLS = load(skill_context())
EVERY = [*SKILLS.on, *SKILLS.absent]
TABLES = [(skill, name) for skill in EVERY for name in actions(skill)]


@pytest.mark.parametrize(("skill", "name"), TABLES, ids=lambda each: getattr(each, "name", each))
def test_each_action_names_arguments_that_its_tool_takes(skill: Skill, name: str) -> None:
    action = actions(skill)[name]
    properties = action.tool.schema["properties"]
    takes = [each for each in action.takes if each != LENGTH] + ["seconds"] * (LENGTH in action.takes)
    assert {*takes, *action.fixed} <= properties.keys()
    assert set(action.tool.schema["required"]) <= {*takes, *action.fixed}


def test_what_keeps_something_and_what_plays_can_be_commanded() -> None:
    assert {skill.name for skill, _ in TABLES} >= {
        "timers",
        "alarms",
        "reminders",
        "lists",
        "notes",
        "later",
        "calendar",
        "music",
        "documents",
    }


@pytest.mark.parametrize(
    ("command", "tool_name", "arguments"),
    [
        (["alarms", "add", "7:00 every weekday"], "set_alarm", {"when": "7:00 every weekday"}),
        (["alarms", "add", "7:00", "every", "weekday"], "set_alarm", {"when": "7:00 every weekday"}),
        (["alarms", "add", "7:00", "label=pills"], "set_alarm", {"when": "7:00", "label": "pills"}),
        (["lists", "add", "diy", "long", "nails"], "add_to_list", {"list": "diy", "item": "long nails"}),
        (["timers", "add", "5m", "pasta"], "set_timer", {"seconds": 300, "label": "pasta"}),
        (["timers", "add", "1h30"], "set_timer", {"seconds": 5_400}),
        (["timers", "shorter", "90s"], "adjust_timer", {"direction": "subtract", "seconds": 90}),
        (["timers", "cancel"], "cancel_timer", {}),
        (["notes", "delete", "day", "day=Monday"], "delete_note", {"about": "day", "day": "Monday"}),
        (["reminders", "add", "call mum", "at nine"], "add_reminder", {"what": "call mum", "when": "at nine"}),
        (["later", "add", "turn it down", "at nine"], "do_later", {"order": "turn it down", "when": "at nine"}),
        (["notes", "add", "e=mc2", "holds"], "add_note", {"text": "e=mc2 holds"}),
        (["sound", "set_volume", "level=30"], "set_volume", {"level": "30"}),
        (["sound", "set_volume", "up"], "set_volume", {"direction": "up"}),
    ],
)  # fmt: skip
def test_words_become_arguments(command: list[str], tool_name: str, arguments: dict[str, Any]) -> None:
    found, given = read(SKILLS, command[0], command[1:])
    assert (found.name, given) == (tool_name, arguments)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["alarms", "ring"], "choose one of: add WHEN..., cancel [WHICH...]"),
        (["alarms", "add"], "WHEN is missing; say alarms add WHEN..."),
        (["reminders", "add", "call", "mum", "tomorrow"], "'tomorrow' is a word too many"),
        (["timers", "add", "pasta"], "'pasta' is no length"),
        (["barometer", "show"], "there is no skill 'barometer'; choose one of: clock"),
        (["sound", "loud"], "name one of its tools: set_volume"),
    ],
)
def test_wrong_words_are_answered_with_what_there_is(command: list[str], told: str) -> None:
    with pytest.raises(WrongUse) as error:
        read(SKILLS, command[0], command[1:])
    assert told in str(error.value)


def test_a_length_is_read_in_the_boxs_language_and_as_it_is_written_anywhere() -> None:
    german = Skills(SKILLS.on, language="de")
    for words in ("5 Minuten", "5m", "5 min"):
        assert read(german, "timers", ["add", words])[1] == {"seconds": 300}


def test_what_is_absent_or_off_says_what_it_needs() -> None:
    with pytest.raises(PartMissing, match="it needs a calendar"):
        read(SKILLS, "calendar", [])
    off = load(skill_context(settings=Settings(skills=Chosen(off=["lists"]))))
    with pytest.raises(PartMissing, match=r"lists is switched off; take it out of skills\.off"):
        read(off, "lists", ["tell"])


def announce(text: str) -> Spoken:
    """Say it in every room."""
    return Spoken(text)


@pytest.mark.parametrize(
    ("table", "told"), [("say: announces text", "announces"), ("- say", "AttributeError"), ("say: [", "ParserError")]
)
def test_a_table_that_cannot_be_used_is_named(tmp_path: Path, table: str, told: str) -> None:
    (tmp_path / "verbs.yaml").write_text(table)
    skills = Skills((Skill("rooms", tools=[tool(announce, "act")], folder=tmp_path),))
    with pytest.raises(WrongUse, match=rf"verbs\.yaml cannot be used .*{told}"):
        read(skills, "rooms", ["say", "dinner"])


def test_the_first_action_is_what_a_verb_alone_does(tmp_path: Path) -> None:
    (tmp_path / "verbs.yaml").write_text("say: announce text...\n")
    skills = Skills((Skill("rooms", tools=[tool(announce, "act")], folder=tmp_path),))
    assert read(skills, "rooms", ["say", "dinner", "is", "ready"])[1] == {"text": "dinner is ready"}
    with pytest.raises(WrongUse, match="TEXT is missing"):
        read(skills, "rooms", [])
