"""No sentence that the box says stands in code: each is in a table, in English and German."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

import appliance

ROOT = Path(appliance.__file__).parent
ROOMS = ("build", "language", "memory", "reply", "service", "skills")
FILES = sorted(file for room in ROOMS for file in (ROOT / room).rglob("*.py"))
SAYING = {"BadArgument", "CannotBeDone", "Followed", "Spoken", "TakenBack", "say", "say_once", "tell"}
"""What is called with a sentence. `remedy`, which nobody hears, is passed by name."""
TABLES = [ROOT / "wording", ROOT / "reply" / "wording", ROOT / "memory" / "wording"]
NOT_SAID = {"lacks", "absent"}
"""Of reply/wording: what is told of a language without a table; German names of what prompts/cannot.yaml has."""


def literals(tree: ast.AST) -> Iterator[str]:
    """Sentences, or beginnings of one, that are passed to what says them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in SAYING:
            for part in (each for argument in node.args for each in ast.walk(argument)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and is_sentence(part.value):
                    yield part.value


def is_sentence(text: str) -> bool:
    return " " in text.strip(".") and text[:1].isupper()


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_sentence_is_said_as_a_literal(file: Path) -> None:
    assert [*literals(ast.parse(file.read_text(encoding="utf-8")))] == []


def test_a_literal_is_found_wherever_it_is_passed() -> None:
    code = 'raise CannotBeDone(f"I cannot do {what}.")\nturn.say("Good day to you." if a else b)\nSpoken("It is " + x)'
    assert len([*literals(ast.parse(code))]) == 3


@pytest.mark.parametrize("folder", TABLES, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_every_sentence_of_a_table_is_there_in_german(folder: Path) -> None:
    english, german = (yaml.safe_load((folder / f"{each}.yaml").read_text("utf-8")) for each in ("en", "de"))
    assert english.keys() - NOT_SAID == german.keys() - NOT_SAID


def test_all_that_the_box_lacks_has_a_german_name() -> None:
    lacking = yaml.safe_load((ROOT / "reply" / "prompts" / "cannot.yaml").read_text("utf-8"))
    german = yaml.safe_load((ROOT / "reply" / "wording" / "de.yaml").read_text("utf-8"))
    assert german["absent"].keys() == lacking.keys()
