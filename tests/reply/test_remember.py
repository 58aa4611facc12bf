"""What is kept after a reply: only what was told, in the place of what it changes, and never over what is grave."""

from __future__ import annotations

import pytest
from rig import Rig

from appliance.audio import never
from appliance.ports import Spoken
from appliance.reply.remember import may_be_of_one
from appliance.skills.schema import tool


def kept(line: str, *writes: str, known: str = "", memory: dict[str, int] | None = None) -> list[str]:
    rig = Rig("say I see.", *writes)
    if known:
        rig.knows(known)
    rig.say(line)
    rig.engine.after(never)
    return [fact.text for fact in rig.memory.facts("user", 9)]


def test_what_was_told_in_passing_is_saved() -> None:
    wrote = "The user's sister lives in Leeds."
    assert kept("well my sister lives in Leeds these days", f'save_memory(fact="{wrote}")') == [wrote]


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("I am so tired today", "The user has a dog called Rex."),
        ("my train leaves at nine", "The user's train leaves at 9:45."),
    ],
)
def test_what_was_never_said_is_not(line: str, fact: str) -> None:
    assert kept(line, f'save_memory(fact="{fact}")') == []


def test_a_new_fact_takes_the_place_of_the_one_it_changes() -> None:
    line = "oh and my sister has moved to York now"
    now = kept(
        line, 'update_memory(id=1, fact="The user\'s sister lives in York.")', known="The user's sister lives in Leeds."
    )
    assert now == ["The user's sister lives in York."]


def test_a_fact_about_another_thing_is_kept_beside_it() -> None:
    known, new = "The spare key is in the kitchen drawer.", "The spare battery is in the kitchen drawer."
    line = "the spare battery is in the kitchen drawer by the way"
    assert sorted(kept(line, f'update_memory(id=1, fact="{new}")', known=known)) == sorted([known, new])


def test_what_a_life_may_hang_on_is_not_replaced_in_passing() -> None:
    line = "my son eats peanut butter by the spoon"
    known = "The user's son is allergic to peanuts."
    now = kept(line, 'update_memory(id=1, fact="The user\'s son eats peanut butter.")', known=known)
    assert known in now


def test_the_number_of_no_fact_is_asked_for_again() -> None:
    line = "my sister has moved to York"
    writes = ['update_memory(id=7, fact="The user\'s sister lives in York.")', "nothing()"]
    assert kept(line, *writes, known="The user's sister lives in Leeds.") == ["The user's sister lives in Leeds."]


@pytest.mark.parametrize(
    ("fact", "other", "may"),
    [
        ("the wooden pillow is in the attic", "the wooden saddle is in the attic", False),
        ("the dentist is on Friday at ten", "the dentist is on Tuesday at ten", True),
        ("The user's sister lives in York.", "The user's sister lives in Leeds.", True),
        ("Lena's birthday is on 5 May", "Lena's birthday is on 3 May", True),
        ("the dog is called Max", "the dog's name is Rex", True),
        ("there is tea in the pantry", "there is coffee in the pantry", True),
        ("der Ersatzschlüssel ist in der Garage", "die Ersatzbatterie ist in der Garage", False),
        ("our bins are collected on Thursday", "the bins are collected on Monday", True),
    ],
)
def test_whether_two_facts_may_be_about_one_thing(fact: str, other: str, may: bool) -> None:
    assert may_be_of_one(fact, other) is may_be_of_one(other, fact) is may


def updates(*writes: str, known: str) -> list[tuple[str | None, dict[str, object]]]:
    """The steps of a turn in which the model calls `remember`, with a fact stored before."""

    def update_memory(id: int, fact: str) -> Spoken:
        """Replace a fact."""
        return Spoken("I will remember that instead.")

    rig = Rig(
        'remember(fact="The user\'s sister lives in York.")',
        *writes,
        more_tools=[tool(update_memory, "act", memory="keep")],
    )
    rig.knows(known)
    record = rig.say("remember that my sister lives in York")
    return [(step.tool, step.arguments) for step in record.steps if step.tool]


def test_what_is_to_be_remembered_takes_the_place_that_the_model_chooses() -> None:
    new = {"fact": "The user's sister lives in York."}
    wrote = 'update_memory(id=1, fact="The user\'s sister lives in York.")'
    known = "The user's sister lives in Leeds."
    assert updates(wrote, known=known) == [("update_memory", {"id": 1, **new})]
    assert updates('save_memory(fact="The user\'s sister lives in York.")', known=known) == [("remember", new)]
    assert updates(known="The user has a dog.") == [("remember", new)]
