"""What the box has or did is looked up: words of the model have no source, where a line wants a tool."""

from __future__ import annotations

import pytest
from rig import Board, outcomes

from appliance.reply.phrases import phrases

UNCLEAR = phrases("en").unclear
NOT_CLEAR_WHICH = "so is there nothing running right now"
NONE_OF_THEM = "are we all set for seven"


@pytest.mark.parametrize("line", [NOT_CLEAR_WHICH, NONE_OF_THEM])
def test_words_about_itself_are_not_said(line: str) -> None:
    record = Board("say Yes, everything is set.").say(line)
    assert (record.said, record.outcome) == (UNCLEAR, "said")


def test_a_look_is_taken() -> None:
    record = Board("list_timers()").say(NOT_CLEAR_WHICH)
    assert (outcomes(record), record.said) == ([("list_timers", "ok")], "You have no timers.")


def test_a_question_is_asked() -> None:
    assert Board("ask Do you mean a timer?").say(NOT_CLEAR_WHICH).said == "Do you mean a timer?"
