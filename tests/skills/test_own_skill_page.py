"""docs/own-skills.md works as it is written: its files, its settings, its conversation and its commands."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rig import Board

import appliance
from appliance import cli
from appliance.settings import Settings
from appliance.simulated import HandSetClock, skill_context
from appliance.skills.loader import load

PAGE = (Path(appliance.__file__).parents[1] / "docs" / "own-skills.md").read_text(encoding="utf-8")
FOLDER = "/srv/va/skills"
"""Where the page has them."""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The files of the page, each under the name that stands before it, and a settings file."""
    named = re.findall(r"^`(plants/[\w./]+)`,[^\n]*\n\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    [install, *_] = blocks("sh")
    folders = [Path(word).relative_to(FOLDER) for word in shlex.split(install) if word.startswith(FOLDER)]
    for folder in folders:
        (tmp_path / "skills" / folder).mkdir(parents=True)
    for name, text in named:
        (tmp_path / "skills" / name).write_text(text, encoding="utf-8")
    assert len(named) == len(blocks("python")) + len(blocks("yaml"))
    [toml] = blocks("toml")
    (tmp_path / "config.toml").write_text(toml.replace(FOLDER, str(tmp_path / "skills")))
    return tmp_path


def settings(own: Path) -> Settings:
    given: dict[str, Any] = tomllib.loads((own / "config.toml").read_text())
    return Settings(**given, state=own / "state")


def exchanges() -> Iterator[tuple[str, str]]:
    [talk] = blocks("text")
    yield from re.findall(r"^> (.*)\n(.*)$", talk, re.MULTILINE)


def test_the_conversation_on_the_page_is_had_without_the_model(own: Path) -> None:
    box = Board(settings=settings(own))
    box.clock.set(skill_context().clock.now())
    said = [(line, box.say(line).said) for line, _ in exchanges()]
    assert said == [*exchanges()]
    assert box.canned.prompts == []


def test_it_is_offered_for_its_lines_told_of_and_asks(own: Path) -> None:
    box = Board("when_watered()", settings=settings(own))
    assert "note when you water your plants" in box.say("what can you do").said
    assert box.say("is it time to water it").said == "Which plant?"


def test_the_commands_of_the_page_are_carried_out_and_kept(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commands = blocks("sh")[-1].splitlines()
    for command in commands:
        [name, *words] = shlex.split(command)
        assert name == "appliance"
        assert cli.main([*words, "--config", str(own / "config.toml"), "--state", str(own / "state")]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "Noted: the fern was watered."
    assert re.fullmatch(r"You watered the fern at \d+:\d\d [AP]M\.", told[1])


def test_its_offers_are_for_its_tools(own: Path) -> None:
    skills = load(skill_context(settings=settings(own), clock=HandSetClock(skill_context().clock.now())))
    [plants] = [skill for skill in skills.on if skill.name == "plants"]
    assert plants.offers.keys() == {tool.name for tool in plants.tools}


def test_the_sentences_on_the_page_of_what_stands_for_a_fault_are_those_that_are_said() -> None:
    words = Path(appliance.__file__).parent / "skills" / "phrases" / "en.yaml"
    for said in ("My {skill} skill does not work", "Something of my {skill} skill is due"):
        assert said in words.read_text()
        assert said.format(skill="plants") in PAGE
