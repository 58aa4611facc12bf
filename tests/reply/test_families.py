"""Who has just asked about something at home may mean it again, without its words; but no question acts."""

from __future__ import annotations

import pytest
from rig import Rig

from appliance.ports import Spoken
from appliance.reply.grammar import PlanGrammar
from appliance.skills.arithmetic.calculate import calculate
from appliance.skills.schema import tool


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


def play_music(what: str) -> Spoken:
    """Play something."""
    return Spoken(f"Playing {what}.")


def test_a_line_that_points_is_not_for_certain_about_something_else() -> None:
    tools = [tool(home_state, "read"), tool(home_set, "act"), tool(play_music, "act")]
    rig = Rig('home_state(what="barn light")', "say It is off.", "say I see.", "say I see.", more_tools=tools)
    rig.say("is the barn light on")
    before = len(rig.canned.grammars)
    rig.say("well put them on anyhow i heard something")
    first = rig.canned.grammars[before]
    assert isinstance(first, PlanGrammar)
    assert {"home_set", "play_music"} <= {name for name, _ in first.tools}


def test_a_sum_lends_its_numbers_to_sums_alone() -> None:
    rig = Rig("set_timer(minutes=5)", more_tools=[tool(calculate, "read")])
    assert "12" in rig.say("what is three times four").said
    rig.say("could you put a timer on for the eggs")
    assert not rig.home.did


@pytest.mark.parametrize(
    ("line", "offered"),
    [("the barn one can go off then", True), ("the little one is off her food", False)],
)
def test_what_was_done_before_some_talk_may_be_gone_on_with(line: str, offered: bool) -> None:
    tools = [tool(home_state, "read"), tool(home_set, "act")]
    rig = Rig('home_state(what="barn light")', "say It is on.", more_tools=tools)
    rig.say("is the barn light on")
    rig.canned.more("say Ha.")
    rig.say("the cat has had six kittens in there you know")
    before = len(rig.canned.grammars)
    rig.canned.more("say I see.", "say I see.")
    rig.say(line)
    assert ("home_set" in rig.grammar(before).gbnf) is offered


def test_what_a_line_may_mean_at_all_can_follow_what_was_found() -> None:
    def add_to_list(item: str, list: str = "shopping") -> Spoken:
        """Put something on a list."""
        return Spoken(f"{item} is on it.")

    rig = Rig('lookup(query="moss")', "say It is.", more_tools=[tool(add_to_list, "act")])
    rig.say("see what colour moss is, the name of it goes on my paint list")
    assert "add_to_list" in rig.grammar(1).gbnf


@pytest.mark.parametrize(
    "line",
    [
        "the stew's in, it's fifty minutes now in the new pot not thirty five, start it",
        "actually set the timer, it's forty minutes now",
    ],
)
def test_an_order_within_a_correction_is_not_only_kept(line: str) -> None:
    rig = Rig("say I see.", "say I see.")
    rig.knows("The user's stew takes 35 minutes.")
    rig.say(line)
    assert "set_timer" in rig.grammar().gbnf
