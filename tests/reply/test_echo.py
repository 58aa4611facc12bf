"""What somebody tells is not said back to them."""

from __future__ import annotations

import pytest
from rig import Rig


@pytest.mark.parametrize(
    ("line", "barred"),
    [
        ("the beans are coming up nicely this year", True),
        ("my brother got the job", True),
        ("what is the capital of Peru", False),
        ("tell me a story about a fox", False),
    ],
)
def test_a_remark_is_not_answered_with_itself(line: str, barred: bool) -> None:
    rig = Rig("say Good to hear.")
    rig.say(line)
    grammar = rig.grammar()
    assert grammar.barred("say " + " ".join(line.split()[:3])) is barred


def test_the_end_of_a_line_is_no_end_of_an_answer() -> None:
    rig = Rig("say Rain.")
    rig.say("What is it like outside? I am meeting Odile.")
    grammar = rig.grammar()
    assert grammar.barred("say Rain, all day. I am meeting")
    assert not grammar.barred("say Rain, all day. I am sorry")


def test_two_remarks_get_two_answers() -> None:
    rig = Rig("say That was a good day.", "say Let him bark.")
    rig.say("i made jam with my mother today")
    rig.say("my dog barked all night")
    before, now = rig.grammar(), rig.grammar(-1)
    assert now.barred("say That was a good")
    assert not before.barred("say That was a good")
