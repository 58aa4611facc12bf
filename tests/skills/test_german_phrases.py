"""What the skills say in German: each phrase of theirs, with the same places for values as the English one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from appliance.errors import BadArgument, CannotBeDone
from appliance.settings import Settings, Words
from appliance.settings import Skills as SkillChoice
from appliance.simulated import HandSetClock, HandSetVolume, MemoryFacts, skill_context
from appliance.skills.loader import HERE, load, on_board
from appliance.skills.memory.tools import MemoryTools
from appliance.skills.skillset import Skills
from appliance.skills.sound.tools import SoundTools
from appliance.skills.written import written

FOLDERS = [HERE, *(folder for folder, _ in on_board() if (folder / "phrases").is_dir())]


def texts(phrases: Any, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(phrases, dict):
        for key, value in phrases.items():
            yield from texts(value, f"{name}.{key}" if name else str(key))
    elif isinstance(phrases, str):
        yield name, phrases


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_phrase_is_there_in_german_with_its_places(folder: Path) -> None:
    english, german = (dict(texts(written(folder, "phrases", language))) for language in ("en", "de"))
    said = {name: text for name, text in english.items() if not name.startswith(("all", "noise", "order", "kinds"))}
    assert said.keys() <= german.keys()
    assert {name: places(text) for name, text in said.items()} == {name: places(german[name]) for name in said}


def test_volume_and_memory() -> None:
    sound = SoundTools(HandSetVolume(), lambda: "", lambda: None, language="de")
    assert sound.set_volume(level=30) == "Lautstärke 30 Prozent."
    assert sound.tell_volume() == "Meine Lautstärke ist bei 30 Prozent."
    memory = MemoryTools(MemoryFacts(), HandSetClock(datetime(2026, 11, 27, 14, tzinfo=UTC)), 8, "de")
    assert memory.recall("alles über mich me") != ""
    assert memory.remember("Der Schlüssel hängt im Flur.") == "Das merke ich mir."
    assert memory.whether_to_forget("Schlüssel") == "Soll ich das vergessen: Der Schlüssel hängt im Flur?"
    assert memory.forget("Schlüssel") == "Vergessen: Der Schlüssel hängt im Flur."


def german_skills(**chosen: Any) -> Skills:
    settings = Settings(words=Words(language="de"), skills=SkillChoice(**chosen))
    return load(skill_context(settings=settings))


def test_what_is_asked_before_a_tool_and_said_of_a_wrong_argument() -> None:
    tools = {each.name: each for each in german_skills().for_model()}
    assert tools["set_timer"].question({"minutes": 9, "label": "Nudeln"}) == (
        "Soll ich einen Timer stellen: 9 Minuten, Nudeln?"
    )
    assert tools["cancel_timer"].question({}) == "Soll ich den Timer abstellen?"
    for arguments, said in (
        ({"level": 101}, "Lautstärke: mehr als 100 geht nicht."),
        ({"level": "laut"}, "Lautstärke: das muss eine ganze Zahl sein."),
        ({"direction": "left"}, "Richtung: es geht nur 'up' oder 'down'."),
    ):
        with pytest.raises(BadArgument) as caught:
            tools["set_volume"].call(arguments)
        assert caught.value.what == said


def test_every_tool_of_the_board_has_its_order_in_german() -> None:
    skills = german_skills()
    tools = [tool for skill in skills.on for tool in (*skill.tools, *skill.commands)]
    assert [tool.name for tool in tools if not getattr(tool, "order", "")] == []


def test_every_argument_that_a_tool_of_the_board_needs_is_asked_for_in_german() -> None:
    skills = german_skills()
    needed = {(tool.name, name) for skill in skills.on for tool in skill.all_tools for name in tool.schema["required"]}
    assert {(tool, name) for tool, name in needed if name not in skills.asks.get(tool, {})} == set()


def test_a_skill_that_is_off_says_so() -> None:
    off = {each.name: each for each in german_skills(off=["timers"]).commands()}
    with pytest.raises(CannotBeDone, match="Timer: das ist bei mir ausgeschaltet"):
        off["set_timer"].call({})


def test_help_tells_in_german_what_each_skill_does() -> None:
    english = {skill.name: skill.summary for skill in load(skill_context()).on}
    german = {skill.name: skill.summary for skill in german_skills().on}
    assert {name for name in english if english[name] and german[name] in ("", english[name])} == set()
    commands = {each.name: each for each in german_skills().commands()}
    told = commands["help"].call({})
    assert told.startswith("Ich kann Uhrzeit und Datum sagen, Timer stellen, ")
    assert told.endswith(f" und {german['announcements']}. Alles andere ist Reden.")
