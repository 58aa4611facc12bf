"""A correction takes the place of what it corrects."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from appliance.simulated import MemoryFacts
from appliance.thought.corrections import as_update
from appliance.thought.plan import Call

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
    call = as_update(Call("remember", {"fact": fact}), memory)
    assert (call.tool, call.arguments.get("id")) == (("update_memory", number) if number else ("remember", None))


def test_other_calls_stay_as_they_are(memory: MemoryFacts) -> None:
    call = Call("recall", {"topic": "canoe"})
    assert as_update(call, memory) is call


def test_nothing_is_corrected_in_an_empty_memory() -> None:
    call = Call("remember", {"fact": "The user's canoe is blue."})
    assert as_update(call, MemoryFacts()) is call
