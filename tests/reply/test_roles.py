"""Roles of the owner: which one is in force, what the model reads of it, and what a head without one is."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from pydantic import ValidationError
from rig import Rig, outcomes

from appliance.ports import Message, ModelFacts
from appliance.reply import prompt
from appliance.reply.grammar import PlanGrammar
from appliance.reply.plan import Answer
from appliance.settings import Reply, Role
from appliance.simulated import CannedModel

BUTLER, COOK = "Speak like an old butler.", "Talk of food."
ONE = {"butler": Role(prompt=BUTLER, tools=["set_timer"])}
TWO = {"butler": Role(prompt=BUTLER), "cook": Role(prompt=COOK, tools=["set_timer"])}
SMALL_TALK, QUESTION = "my boss was in a foul mood all morning", "why do geese fly in a wedge"
ORDER = "five minutes for the eggs would be good"
MAY_PICK = 'You may write "as cook"'


def read_behind(line: str, **reply: Any) -> tuple[str, PlanGrammar | None]:
    """The head that a line was read behind, and what could be written, if that was a plan."""
    rig = Rig("say Very good.", without={"lookup"}, reply=reply)
    rig.say(line)
    grammar = rig.canned.grammars[0]
    return rig.canned.prompts[0][0].text, grammar if isinstance(grammar, PlanGrammar) else None


@pytest.mark.parametrize("line", [SMALL_TALK, QUESTION, ORDER])
def test_one_role_alone_is_in_force_whatever_is_said(line: str) -> None:
    head, grammar = read_behind(line, roles=ONE)
    assert BUTLER in head
    assert "You may write" not in head
    assert not (grammar and grammar.roles)


@pytest.mark.parametrize("line", [SMALL_TALK, QUESTION, ORDER])
def test_a_named_role_is_in_force_among_several(line: str) -> None:
    head, grammar = read_behind(line, roles=TWO, role="butler")
    assert f"\n{BUTLER}" in head
    assert (MAY_PICK in head) is (line != QUESTION), "an answer of one sentence picks none"
    assert grammar is None or grammar.roles == ("cook",)


@pytest.mark.parametrize("line", [SMALL_TALK, ORDER])
def test_of_several_without_a_named_one_none_is_in_force_until_it_is_picked(line: str) -> None:
    head, grammar = read_behind(line, roles=TWO)
    assert f"\n{BUTLER}" not in head
    assert f'"as butler" on a line of its own first. Then: {BUTLER}' in head
    assert grammar
    assert grammar.roles == ("butler", "cook")


def test_a_question_of_the_world_goes_to_its_head_also_in_a_role() -> None:
    head, _ = read_behind(QUESTION, roles=ONE)
    assert head == f"{prompt.world_head()[0].text}\n{BUTLER}"


def test_the_role_in_force_limits_its_tools_for_sentences_too() -> None:
    rig = Rig("say I only cook.", "say I only cook.", reply={"roles": ONE})
    assert rig.say("what time is it").lane != "fast"
    assert rig.say("set a timer for 5 minutes").said == "5 minutes, starting now."


def test_a_role_that_is_picked_holds_for_its_turn() -> None:
    rig = Rig("as cook\nget_time()", "say I only cook.", "get_time()", reply={"roles": TWO, "role": "butler"})
    assert outcomes(rig.say("would you see to that for me"))[0] == ("get_time", "denied")
    assert outcomes(rig.say("and now would you see to that")) == [("get_time", "ok")]


def test_a_server_that_writes_a_role_does_not_say_it() -> None:
    class Server(CannedModel):
        native = True

        def on_board(self) -> ModelFacts:
            return self.facts

        def converse(self, *_: object) -> Answer:
            return Answer("as cook\nsay Soup it is.")

    rig = Rig(model=Server(parameters=70_000_000_000), reply={"roles": TWO})
    assert rig.say("what shall we have tonight do you think").said == "Soup it is."


@pytest.mark.parametrize(("roles", "told"), [({}, "there is no table"), (TWO, "one of: butler, cook")])
def test_a_role_that_is_not_there_is_told(roles: dict[str, Role], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        Reply(roles=roles, role="pirate")


HEADS: dict[str, Callable[[], list[Message]]] = {
    "9251b999b877": lambda: prompt.talk_head("Jarvis", taught=True),
    "b309624774ae": lambda: prompt.talk_head("Jarvis"),
    "49142d9d7f1e": prompt.world_head,
}
"""What adapters were taught behind, as it was then (models/cards/lora.md), by its SHA-256."""


@pytest.mark.parametrize("known", HEADS)
def test_a_head_without_a_role_is_the_one_that_adapters_were_taught_behind(known: str) -> None:
    """Whoever changes a prompt on purpose teaches the adapters anew, and then writes the new number here."""
    assert sha256(repr(HEADS[known]()).encode()).hexdigest()[:12] == known
