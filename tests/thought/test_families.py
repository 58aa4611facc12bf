"""Who has just asked about something at home may mean it again, without its words; but no question acts."""

from __future__ import annotations

import pytest
from rig import Rig

from appliance.ports import Spoken
from appliance.thought.grammar import PlanGrammar
from appliance.tools.schema import tool


def home_state(what: str) -> str:
    """Tell how something at home is."""
    return f"{what}: on"


def home_set(device: str, state: str) -> Spoken:
    """Switch something at home."""
    return Spoken(f"The {device} is {state}.")


@pytest.mark.parametrize(
    ("line", "offered"),
    [("well that wants to be off", True), ("how warm is the attic", False), ("did you turn it off", False)],
)
def test_what_was_just_read_at_home_may_be_set(line: str, offered: bool) -> None:
    tools = [tool(home_state, "read"), tool(home_set, "act")]
    rig = Rig('home_state(what="barn light")', "say It is on.", "say I see.", "say I see.", more_tools=tools)
    rig.say("is the barn light on")
    before = len(rig.canned.grammars)
    rig.say(line)
    first = rig.canned.grammars[before]
    assert ("home_set" in [name for name, _ in first.tools] if isinstance(first, PlanGrammar) else False) is offered
