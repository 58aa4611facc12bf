"""A skill of the owner's is one folder: nothing else is touched, and the box does it, offers it and tells of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from rig import Rig, lane_of_skills

from appliance.reply.prior import prior
from appliance.settings import Settings
from appliance.settings import Skills as Chosen
from appliance.simulated import skill_context
from appliance.skills.loader import load
from appliance.skills.skillset import Skills
from bench.cases import Case

FILES = {
    "__init__.py": '''\
"""Recipes: how a dish is cooked."""

from functools import partial
from pathlib import Path

from appliance.ports import Skill
from appliance.skills.schema import tool
from appliance.skills.written import written

from .tools import Recipes


def make(context):
    recipes = Recipes(written(Path(__file__).parent, "phrases", context.settings.words.language))
    return Skill("recipes", "tell you how to cook a dish", tools=[tool(recipes.find_recipe, "read")])
''',
    "tools.py": '''\
from appliance.errors import CannotBeDone
from appliance.ports import Spoken

BOOK = {"flat bread": "flour, water and salt", "leek soup": "leeks and stock"}


class Recipes:
    def __init__(self, phrases):
        self._phrases = phrases

    def find_recipe(self, dish: str) -> Spoken:
        """Tell how to cook a dish."""
        if dish not in BOOK:
            raise CannotBeDone(self._phrases["unknown"].format(dish=dish))
        return Spoken(self._phrases["made"].format(dish=dish.capitalize(), parts=BOOK[dish]))
''',
    "sentences/en.yaml": """\
lists:
  dish: {flat bread: "flat bread, flatbread", leek soup: leek soup}
requests:
  find_recipe:
    data:
      - sentences: ["[{@tell}] how (do|can) (i|we|you) (make|cook|bake) [a|some] {dish}"]
""",
    "phrases/en.yaml": """\
made: "{dish} is made of {parts}."
unknown: "I have no recipe for {dish}."
asks: {find_recipe: {dish: "Which dish?"}}
""",
    "prompt/rules.txt": "When a dish is to be cooked, call find_recipe.\n",
    "prompt/examples.txt": """\
> we would like some soup with leeks
find_recipe(dish="leek soup")
-> Leek soup is made of leeks and stock.
""",
    "offer/en.yaml": """\
find_recipe: [how do I cook leek soup, a recipe for flat bread, what do I need for a soup]
""",
    "cases.yaml": """\
- name: recipe-asked
  kind: recipes
  turns: [{say: "How do I make flatbread?", tools: [find_recipe], said: [flour]}]
- name: recipe-told-of
  kind: recipes
  turns: [{say: "My sister makes a fine leek soup.", tools: []}]
""",
}
ASKED = "How do I make some flatbread?"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "recipes" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def loaded(own: Path, *off: str) -> Skills:
    return load(skill_context(settings=Settings(skills=Chosen(own=own, off=[*off]))))


def box(skills: Skills, *writes: str) -> Rig:
    parts: dict[str, Any] = {"tools": skills.for_model(), "commands": skills.commands()}
    parts |= {
        "lane": lane_of_skills(skills),
        "prompts": skills.prompts,
        "asks": skills.asks,
        "prior": partial(prior, offers=skills.offers),
    }
    return Rig(*writes, parts=parts)


def test_it_is_done_by_its_sentence(own: Path) -> None:
    record = box(loaded(own)).say(ASKED)
    assert (record.said, record.lane) == ("Flat bread is made of flour, water and salt.", "fast")


def test_its_tool_is_offered_to_the_model_and_called(own: Path) -> None:
    rig = box(loaded(own), 'find_recipe(dish="leek soup")')
    record = rig.say("what goes into a leek soup for two of us")
    assert "find_recipe" in {name for name, _ in rig.grammar().tools}  # type: ignore[attr-defined]
    assert record.said == "Leek soup is made of leeks and stock."


def test_its_rule_and_its_example_are_in_the_head(own: Path) -> None:
    rig = box(loaded(own), "say Good evening.")
    rig.say("what goes into a leek soup for two of us")
    head = [message.text for message in rig.canned.prompts[0]]
    assert "When a dish is to be cooked, call find_recipe." in head[0].splitlines()
    assert 'find_recipe(dish="leek soup")' in head


def test_its_tool_asks_for_what_was_not_said(own: Path) -> None:
    rig = box(loaded(own), "find_recipe()", 'find_recipe(dish="leek soup")')
    assert rig.say("i want to cook something, got a recipe").said == "Which dish?"


def test_help_tells_of_it(own: Path) -> None:
    assert "tell you how to cook a dish" in box(loaded(own)).say("What can you do?").said


def test_switched_off_it_is_refused_and_neither_offered_nor_told_of(own: Path) -> None:
    skills = loaded(own, "recipes")
    rig = box(skills)
    assert rig.say(ASKED).said == "My recipes skill is switched off."
    assert "cook" not in rig.say("What can you do?").said
    assert "find_recipe" not in {tool.name for tool in skills.for_model()}


def test_a_line_is_like_its_offers(own: Path) -> None:
    scores = prior("got a recipe for a soup?", {"find_recipe": loaded(own).offers["find_recipe"]})
    assert scores["find_recipe"] > 0.3
    assert prior("set a timer", {"find_recipe": loaded(own).offers["find_recipe"]}) == {"find_recipe": 0}


def test_its_cases_are_cases(own: Path) -> None:
    entries = yaml.safe_load((own / "recipes" / "cases.yaml").read_text())
    cases = [Case.model_validate({**entry, "file": "own"}) for entry in entries]
    assert [turn.tools for case in cases for turn in case.turns] == [("find_recipe",), ()]


def test_without_it_nothing_is_different(own: Path) -> None:
    board = load(skill_context())
    assert [skill.name for skill in loaded(own).on if skill.name != "recipes"] == [skill.name for skill in board.on]
