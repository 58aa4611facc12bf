"""Sentences that people reviewed, said in place of the model's words: care, and what the box is."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from appliance.ports import Followed, Skill
from appliance.settings import Settings, Thought, Words
from appliance.simulated import MemoryFacts, skill_context
from appliance.skills import about, care
from appliance.skills.care.numbers import CRISIS, POISON, numbers
from appliance.skills.loader import load
from appliance.skills.written import written

REVIEWED = [care, about]
AT = datetime(2026, 11, 27, 8, tzinfo=UTC)


def answer(skill: Skill, name: str, said: str = "") -> str:
    tool = next(tool for tool in skill.answers if tool.name == name)
    return tool.call({"said": said})


def made(module: Any, **settings: Any) -> Skill:
    skill: Skill = module.make(skill_context(settings=Settings(**settings)))
    return skill


@pytest.mark.parametrize("module", REVIEWED)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_sentence_is_there_in_each_language_and_has_lines_that_mean_it(module: Any, language: str) -> None:
    folder = Path(module.__file__ or "").parent
    english, other = (written(folder, "phrases", each) for each in ("en", language))
    assert english.keys() == other.keys()
    fields = {key: [field for _, field, _, _ in Formatter().parse(text) if field] for key, text in english.items()}
    assert fields == {
        key: [field for _, field, _, _ in Formatter().parse(text) if field] for key, text in other.items()
    }
    names = {tool.name for tool in made(module, words=Words(language=language)).answers}
    assert written(folder, "offer", language).keys() == names


@pytest.mark.parametrize("place", ["Utrecht", "Stirling, Scotland", "Boston, USA", "Perth, Australia", ""])
@pytest.mark.parametrize("module", REVIEWED)
def test_every_sentence_can_be_said_in_every_place(module: Any, place: str) -> None:
    skill = made(module, place=place)
    for tool in skill.answers:
        text = tool.call({"said": "i am allergic to walnuts"})
        assert text
        assert "{" not in text


@pytest.mark.parametrize(
    ("place", "zone", "whom"),
    [
        ("Stirling, Scotland", "", "999"),
        ("Utrecht", "Europe/Amsterdam", "112"),
        ("Boston", "Europe/London", "your emergency number"),
        ("", "America/Chicago", "911"),
        ("", "", "your emergency number"),
    ],
)
def test_whom_to_call_is_known_by_country_or_not_told(place: str, zone: str, whom: str) -> None:
    assert f"call {whom}" in answer(made(care, place=place, timezone=zone), "care_chest")


def test_numbers_to_call_are_of_countries_with_an_emergency_number() -> None:
    for place, code in {"Zürich, Switzerland": "CH", "Auckland, New Zealand": "NZ", "Berlin, Germany": "DE"}.items():
        found = numbers(place, "")
        assert found["emergency"]
        assert found.get("poison") == POISON.get(code)
        assert found.get("crisis") == CRISIS.get(code)


def test_a_grave_fact_is_kept_and_told_before_advice() -> None:
    memory = MemoryFacts()
    skill = care.make(skill_context(memory=memory))
    offered = answer(skill, "care_allergy_told", "I'm allergic to walnuts.")
    assert isinstance(offered, Followed)
    assert (offered.tool, offered.arguments) == ("remember", {"fact": "I'm allergic to walnuts."})
    memory.save(str(offered.arguments["fact"]), "user", AT)
    memory.save("The user likes plums.", "user", AT)
    told = answer(skill, "care_allergy", "can i have pesto")
    assert "allergic to walnuts" in told
    assert "plums" not in told


def test_a_box_with_a_model_server_does_not_say_that_no_word_leaves_it() -> None:
    alone, served = made(about), made(about, thought=Thought(server="http://10.0.0.2:8080"))
    assert "nowhere else" in answer(alone, "about_data")
    assert "nowhere else" not in answer(served, "about_data")
    assert "server" in answer(served, "about_data")


def test_reviewed_tools_are_never_offered_to_the_model() -> None:
    skills = load(skill_context())
    offered = {tool.name for tool in skills.for_model()}
    assert not offered & {tool.name for skill in skills.on for tool in skill.answers}
    assert skills.answers.keys() == {"care", "about"}
