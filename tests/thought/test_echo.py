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
    grammar = rig.canned.grammars[0]
    assert grammar is not None
    assert grammar.barred("say " + " ".join(line.split()[:3])) is barred
