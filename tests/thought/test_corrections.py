"""A correction takes the place of what it corrects."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from rig import Rig

from appliance.ports import Spoken
from appliance.simulated import MemoryFacts
from appliance.thought.corrections import as_update, taken_back
from appliance.thought.grammar import PlanGrammar
from appliance.thought.plan import Call
from appliance.tools.schema import tool

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
def memory() -> MemoryFacts:
    facts = MemoryFacts()
    for text in ("The user's canoe is yellow.", "The user's bus leaves from stop C2.", "The user likes plums."):
        facts.save(text, "user", NOW)
    return facts


@pytest.mark.parametrize(
    ("fact", "number"),
    [
        ("The user's canoe is blue now.", 1),
        ("The user's bus leaves from stop D7.", 2),
        ("The user's sister lives in Graz.", None),
        ("The user likes figs and quinces.", None),
    ],
)
def test_fact_about_the_same_is_replaced(memory: MemoryFacts, fact: str, number: int | None) -> None:
    call = as_update(Call("remember", {"fact": fact}), "", memory)
    assert (call.tool, call.arguments.get("id")) == (("update_memory", number) if number else ("remember", None))


def test_other_calls_stay_as_they_are(memory: MemoryFacts) -> None:
    call = Call("recall", {"topic": "canoe"})
    assert as_update(call, "", memory) is call


def test_nothing_is_corrected_in_an_empty_memory() -> None:
    call = Call("remember", {"fact": "The user's canoe is blue."})
    assert as_update(call, "", MemoryFacts()) is call


def test_line_that_names_what_it_takes_back_replaces_it_whatever_the_new_fact_says(memory: MemoryFacts) -> None:
    call = Call("remember", {"fact": "The user takes the tram."})
    assert as_update(call, "my bus does not leave from stop C2 any more, I take the tram", memory).arguments["id"] == 2


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("no my canoe isn't yellow, it's red", "The user's canoe is yellow."),
        ("I do not like plums any more", "The user likes plums."),
        ("no plums for me now", None),  # one word may be chance
        ("sorry, I meant the other one", None),
    ],
)
def test_fact_that_a_line_takes_back(memory: MemoryFacts, line: str, known: str | None) -> None:
    found = taken_back(line, memory)
    assert (found and found.text) == known


def test_correction_of_a_stored_fact_can_only_be_remembered() -> None:
    kept = list[tuple[int, str]]()

    def remember(fact: str) -> Spoken:
        """Keep something that the user told."""
        return Spoken(fact)

    def update_memory(id: int, fact: str) -> Spoken:
        """Replace something that was kept."""
        kept.append((id, fact))
        return Spoken("Noted.")

    tools = [tool(remember, "act"), tool(update_memory, "act")]
    rig = Rig('remember(fact="The user\'s canoe is red.")', more_tools=tools)
    number = rig.knows("The user's canoe is yellow.")
    assert rig.say("no my canoe isn't yellow, it's red now").said == "Noted."
    assert kept == [(number, "The user's canoe is red.")]
    grammar = rig.canned.grammars[0]
    assert isinstance(grammar, PlanGrammar)
    assert [name for name, _ in grammar.tools] == ["remember"]
    assert not grammar.speech


def test_nothing_is_promised_that_no_call_keeps() -> None:
    rig = Rig("say Good luck with it.")
    rig.say("somebody ought to water the ferns tonight")
    grammar = rig.canned.grammars[0]
    assert grammar is not None
    assert grammar.barred("say Sure, I will remind")
    assert grammar.barred("say I’ll keep an eye")
    assert not grammar.barred("say I will be here")
