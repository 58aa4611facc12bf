"""What is kept after a reply: only what was told, in the place of what it changes, and never over what is grave."""

from __future__ import annotations

import pytest
from rig import NOW, Board, Rig

from appliance.audio import never
from appliance.language.grave import is_grave
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


@pytest.mark.parametrize(
    ("line", "replaced"),
    [
        ("I burnt the toast twice this morning, would you believe it's true", True),
        ("I burnt the toast twice, so today is going brilliantly", False),
        ("the lantern got burnt last night", True),
    ],
)
def test_a_fact_is_replaced_only_by_a_line_that_may_be_about_it(line: str, replaced: bool) -> None:
    known, new = "the red lantern is in the shed", "the red lantern is burnt"
    now = kept(line, f'update_memory(id=1, fact="{new}")', known=known)
    assert now == [new if replaced else known]


def test_what_a_life_may_hang_on_is_not_replaced_in_passing() -> None:
    line = "my son eats peanut butter by the spoon"
    known = "The user's son is allergic to peanuts."
    now = kept(line, 'update_memory(id=1, fact="The user\'s son eats peanut butter.")', known=known)
    assert known in now


def test_the_number_of_no_fact_is_asked_for_again() -> None:
    line = "my sister has moved to York"
    writes = ['update_memory(id=7, fact="The user\'s sister lives in York.")', "nothing()"]
    assert kept(line, *writes, known="The user's sister lives in Leeds.") == ["The user's sister lives in Leeds."]


@pytest.mark.parametrize(("number", "branch"), [(1, "fact_updated"), (7, "bad_id")])
def test_record_tells_whether_a_known_fact_was_meant(number: int, branch: str) -> None:
    rig = Rig("say I see.", f'update_memory(id={number}, fact="The user\'s sister lives in York.")', "nothing()")
    rig.knows("The user's sister lives in Leeds.")
    record = rig.say("my sister has moved to York")
    rig.engine.after(never)
    assert record.branches == ["facts", branch]


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


def update_memory(id: int, fact: str) -> Spoken:
    """Replace a fact."""
    return Spoken("I will remember that instead.")


UPDATES = tool(update_memory, "act", memory="keep")


def updates(*writes: str, known: str) -> list[tuple[str | None, dict[str, object]]]:
    """The steps of a turn in which the model calls `remember`, with a fact stored before."""
    rig = Rig('remember(fact="The user\'s sister lives in York.")', *writes, more_tools=[UPDATES])
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


def test_the_place_it_may_take_is_one_of_the_nearest_or_none() -> None:
    rig = Rig('remember(fact="The user\'s sister lives in York.")', "save_memory()", more_tools=[UPDATES])
    rig.knows("The user's sister lives in Leeds.")
    rig.say("remember that my sister lives in York")
    assert 'call0 ::= "save_memory(" call0-0f ")"' in rig.grammar(1).gbnf
    assert 'id=" ("1")' in rig.grammar(1).gbnf


def box(line: str, *writes: str, known: str = "The user's son is allergic to peanuts.", language: str = "en") -> Board:
    """Where the line was said, beside what is known."""
    board = Board(*writes, language=language)
    board.memory.save(known, "user", NOW)
    board.say(line)
    return board


ALLERGY = "The user's son is allergic to peanuts."
OVER_IT = "remember that my son is no longer allergic to peanuts"
OVER = "The user's son is no longer allergic to peanuts."
WRITES = (f'remember(fact="{OVER}")', "update_memory(id=1)")


def facts(board: Board) -> list[str]:
    return [fact.text for fact in board.memory.facts("user")]


def test_what_a_life_may_hang_on_is_replaced_after_a_yes_alone() -> None:
    board = box(OVER_IT, *WRITES)
    assert board.conversation.last_said == (
        "You told me this: Your son is allergic to peanuts. "
        "Shall I replace it by this: Your son is no longer allergic to peanuts?"
    )
    assert facts(board) == [ALLERGY]
    board.say("yes")
    assert facts(board) == [OVER]


@pytest.mark.parametrize("answer", ["no", "what time is it"])
def test_whatever_else_is_said_leaves_it_alone(answer: str) -> None:
    board = box(OVER_IT, *WRITES)
    board.say(answer)
    assert facts(board) == [ALLERGY]


def test_it_is_asked_in_german_as_well() -> None:
    known = "Mein Sohn ist allergisch gegen Nüsse."
    board = box("merke dir dass mein Sohn nicht mehr allergisch gegen Nüsse ist", WRITES[1], known=known, language="de")
    assert "Du hast mir das gesagt: Mein Sohn ist allergisch gegen Nüsse." in board.conversation.last_said
    assert facts(board) == [known]


@pytest.mark.parametrize(
    ("fact", "grave"),
    [
        ("meine Blutgruppe ist A", True),
        ("Oma darf keine Grapefruit essen", True),
        ("der Vater nimmt morgens Tabletten", True),
        ("der Vater darf ins Kino gehen", False),
        ("die Tafel ist grün", False),
    ],
)
def test_it_is_known_in_german_what_a_life_may_hang_on(fact: str, grave: bool) -> None:
    assert is_grave(fact) is grave
