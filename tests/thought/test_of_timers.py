"""What is said of a timer that runs may be about it, in whatever words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from rig import Rig

from appliance.ports import Spoken
from appliance.tools.schema import tool


def kitchen(*writes: str, running: Sequence[str] = ("porridge timer",)) -> Rig:
    def cancel_timer(label: str = "") -> Spoken:
        """Cancel a running timer."""
        return Spoken(f"The {label} timer is cancelled.")

    cancel = tool(cancel_timer, "act", ready=lambda: bool(running))
    return Rig(*writes, more_tools=[cancel], parts={"running": lambda: running})


def offered(rig: Rig, line: str) -> bool:
    """Whether the model could call it in the first pass."""
    before = len(rig.canned.grammars)
    rig.say(line)
    return "cancel_timer" in rig.grammar(before).gbnf


def test_a_timer_that_is_named() -> None:
    assert offered(kitchen("say Ah.", "say Oh."), "ah the porridge is burnt, bin it")


@pytest.mark.parametrize(
    ("line", "may"), [("he's whining already, ye can leave it", True), ("he's whining already, poor lad", False)]
)
def test_a_timer_that_was_just_set(line: str, may: bool) -> None:
    rig = kitchen("set_timer(minutes=9)", "say Ah.", "say Oh.")
    rig.say("right nine minutes on his time out")
    assert offered(rig, line) is may


def test_none_that_does_not_run() -> None:
    assert not offered(kitchen("say Ah.", "say Oh.", running=()), "ah the porridge is burnt, bin it")
