"""What an excellent model would write: the engine lets it be, and nothing of the evaluation is among it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench import cases, lessons

SHORTEST = 3
"""Words from which on a line is somebody's own: "thank you" stands everywhere."""
UNFIT_MOST = 0.02
"""Of the turns: those that are known to be kept from the model show what the engine lacks."""


@pytest.fixture(scope="module")
def all_lessons() -> dict[str, lessons.Lesson]:
    return lessons.load(*sorted(lessons.FOLDER.glob("*.yaml")))


def test_the_engine_lets_an_excellent_model_write_what_it_would(
    all_lessons: dict[str, lessons.Lesson], tmp_path: Path
) -> None:
    taken = list(lessons.taken(all_lessons, lessons.Teacher(), tmp_path))
    unfit = [f"{name}: {turn.say}: {faults}" for name, turn, faults, _ in taken if faults]
    assert len(taken) > 1_000
    assert len(unfit) <= UNFIT_MOST * len(taken), "\n".join(unfit)


def test_no_line_of_the_evaluation_is_taught(all_lessons: dict[str, lessons.Lesson]) -> None:
    asked = {_plain(turn.say) for case in cases.load(*cases.FILES) for turn in case.turns}
    taught = {_plain(turn.say) for lesson in all_lessons.values() for turn in lesson.turns}
    assert not [line for line in asked & taught if len(line.split()) >= SHORTEST]


def test_a_text_that_is_not_offered_is_told(tmp_path: Path) -> None:
    lesson = lessons.Lesson.model_validate({"turns": [{"say": "hello there", "write": 'forget(what="all")'}]})
    ((_, _, faults, _),) = lessons.taken({"one": lesson}, lessons.Teacher(), tmp_path)
    assert faults[0] == 'not offered here: forget(what="all")'


def test_a_text_that_nobody_asks_for_is_told(tmp_path: Path) -> None:
    lesson = lessons.Lesson.model_validate({"turns": [{"say": "stop", "write": "say I stop."}]})
    ((_, _, faults, _),) = lessons.taken({"one": lesson}, lessons.Teacher(), tmp_path)
    assert faults == ["not asked for, fast lane: say I stop."]


def test_the_first_fact_of_a_lesson_is_number_1(tmp_path: Path) -> None:
    told = {
        "say": "i left the bakery for the post office",
        "write": "say Good luck.",
        "final": 'update_memory(id=1, fact="The user works at the post office.")',
    }
    lesson = lessons.Lesson.model_validate({"facts": ["The user works at the bakery."], "turns": [told]})
    teacher, named = lessons.Teacher(), list[str]()
    for _ in lessons.taken({"one": lesson, "other": lesson}, teacher, tmp_path):
        named += [text for prompt, text in teacher.passes if lessons.FINAL in prompt[-1].text]
    assert [re.findall(r"id=(\d+)", text) for text in named] == [["1"], ["2"]]


def _plain(line: str) -> str:
    return " ".join(re.findall(r"\w+", line.casefold()))
