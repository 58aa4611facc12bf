"""What is ordered of a timer that runs may be about it, without any word for timers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from rig import Rig

from appliance.ports import Spoken
from appliance.skills.schema import tool


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


@pytest.mark.parametrize(
    ("line", "may"),
    [
        ("stop the porridge, it has burnt", True),
        ("the porridge at that cafe was awful, we left it", False),
        ("my aunt's cooker has a timer that never stops", False),
    ],
)
def test_a_timer_that_is_named(line: str, may: bool) -> None:
    assert offered(kitchen("say Ah.", "say Oh."), line) is may


@pytest.mark.parametrize(
    ("line", "may"), [("kill it, he's whining", True), ("there's somebody at the door, is it him", False)]
)
def test_a_timer_that_was_just_set(line: str, may: bool) -> None:
    rig = kitchen("set_timer(minutes=9)", "say Ah.", "say Oh.")
    rig.say("right nine minutes on his time out")
    assert offered(rig, line) is may


def test_none_that_does_not_run() -> None:
    assert not offered(kitchen("say Ah.", "say Oh.", running=()), "stop the porridge, it has burnt")


@pytest.mark.parametrize(
    "line",
    ["any road, the porridge is thicker than it was, six more on it", "that radiator is cold, the porridge wants ten"],
)
def test_one_that_is_named_with_a_number(line: str) -> None:
    def adjust_timer(minutes: float = 0, label: str = "") -> Spoken:
        """Change a running timer."""
        return Spoken("It is changed.")

    rig = Rig(
        "say Ah.", "say Oh.", more_tools=[tool(adjust_timer, "act")], parts={"running": lambda: ["porridge timer"]}
    )
    rig.say(line)
    assert "adjust_timer" in rig.grammar().gbnf
