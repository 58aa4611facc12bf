"""What is read ahead of a reply, while it is being decided whether its line is over."""

from __future__ import annotations

import pytest
from rig import Rig

from appliance.audio import never
from appliance.simulated import CannedModel

LINES = (
    "why do cats purr",
    "I bought six pens at two each, how much did they cost",
    "and the other one",
    "thanks, my sister liked it",
)


@pytest.mark.parametrize("line", LINES)
def test_line_is_read_ahead_as_it_will_be_read(line: str) -> None:
    model = CannedModel(["say So it is."] * 2)
    rig = Rig(model=model)
    rig.say("what is a good name for a parrot")
    rig.engine.expect(never, line)
    rig.say(line)
    assert model.expected == [model.prompts[1]]  # of the turn; one that comes to words alone has a second pass


@pytest.mark.parametrize("line", ["what time is it", "set a timer for five minutes", "cancel the timer"])
def test_line_that_needs_no_model_is_not_read_ahead(line: str) -> None:
    model = CannedModel()
    Rig(model=model).engine.expect(never, line)
    assert not model.expected


def test_reading_ahead_leaves_no_trace() -> None:
    model = CannedModel()
    rig = Rig(model=model)
    rig.engine.expect(never, "remember that my bicycle is red")
    assert model.expected
    assert not model.prompts
    assert not rig.conversation.messages
    assert not rig.memory.facts()
