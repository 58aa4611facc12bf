"""What the model writes, read as calls."""

from __future__ import annotations

import pytest
from rig import Rig

from appliance.reply.plan import Call, parse


@pytest.mark.parametrize("line", ["f(a={[1]: 2})", "f(**{'x': 1})", "f(1)", "f(a=b)", "f(", "(1)(a=1)"])
def test_what_is_no_call_is_none(line: str) -> None:
    assert parse(line) is None


@pytest.mark.parametrize(
    ("text", "steps", "numbers", "waits"),
    [
        ("about $1", 1, [], True),
        ("$2.", 2, ["15"], True),
        ("$2.", 1, [], False),  # there is no second step
        ("the cleaner gets $50", 9, [], False),
        ("it costs $1.50", 9, [], False),
        ("$5k", 9, [], False),
        ("the fare is $5", 9, ["5"], False),
    ],
)
def test_price_is_no_result_of_a_step(text: str, steps: int, numbers: list[str], waits: bool) -> None:
    assert Call("remember", {"fact": text}).waits(steps, numbers) is waits


@pytest.mark.parametrize("said", ["the fare is $5", "the fare is five dollars"])
def test_price_behind_another_step_is_kept_as_it_was_said(said: str) -> None:
    rig = Rig('remember(fact="The fare is $5.")')
    record = rig.say(f"set a ten minute timer and remember that {said}")
    assert [(step.tool, step.outcome) for step in record.steps] == [("set_timer", "ok"), ("remember", "ok")]
    assert record.steps[-1].arguments == {"fact": "The fare is $5."}


def test_price_that_was_found_is_no_result_of_a_step() -> None:
    rig = Rig('lookup(query="bus fare")\nremember(fact="$1")', 'remember(fact="The fare is $1.")')
    rig.home.gives = "It is 1 dollar."
    assert rig.say("look up the bus fare and remember that").said == "Shall I remember: The fare is $1?"


def test_step_that_still_waits_when_all_is_known_gets_what_was_found() -> None:
    rig = Rig('lookup(query="Blade Runner")\nremember(fact="$1")', 'remember(fact="$1")')
    record = rig.say("look up Blade Runner and remember that")
    assert record.said == f"Shall I remember: {rig.home.gives}"


def test_step_that_needs_what_no_step_gave_is_left_out() -> None:
    rig = Rig('sing(song="x")\nremember(fact="$1")', 'remember(fact="$1")', "say I cannot sing.")
    record = rig.say("sing something and remember that")
    assert "$" not in record.said
    assert not rig.memory.facts("user")


QUESTION = "You have 2 of them: the rice timer and the fish timer. Which one?"
