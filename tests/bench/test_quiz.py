"""How an answer to a question of the world is judged."""

from __future__ import annotations

import pytest

from bench import quiz
from models.training.questions import FILES, Question, questions

KNOWN = Question(say="who wrote dracula", key="stoker")
NOBODY = Question(say="who wrote the widow of spalatro", unknowable="unheard_of")


@pytest.mark.parametrize(
    ("question", "said", "verdict"),
    [
        (KNOWN, "Bram Stoker.", "right"),
        (KNOWN, "Bram Stoker, I think.", "right, as a guess"),
        (KNOWN, "Mary Shelley.", "wrong"),
        (KNOWN, "Mary Shelley, I think.", "wrong, as a guess"),
        (KNOWN, "I do not know that, sorry.", "declined"),
        (NOBODY, "I have never heard of that, sorry.", "declined"),
        (NOBODY, "Ann Radcliffe.", "wrong"),
        (NOBODY, "I’m not sure, sorry.", "declined"),
    ],
)
def test_an_answer_is_right_or_wrong_and_said_plainly_or_not(question: Question, said: str, verdict: str) -> None:
    assert quiz.verdict(question, said) == verdict


@pytest.mark.parametrize("name", FILES)
def test_the_questions_are_as_many_of_each_kind(name: str) -> None:
    rows = questions([name])
    assert [sum(row.unknowable == kind for row in rows) for kind in ("", "unheard_of", "changes")] == [150, 60, 40]
    assert all(bool(row.key) != bool(row.unknowable) for row in rows)
