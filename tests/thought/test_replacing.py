"""Which known fact a new one takes the place of, and which it stands beside."""

from __future__ import annotations

import pytest
from rig import NOW, Rig

from appliance.simulated import MemoryFacts
from appliance.thought.plan import Call
from appliance.thought.understanding.fastlane import FastLane
from appliance.thought.understanding.replacing import as_known, as_update, replaced
from appliance.thought.understanding.signs import SignReader

WORDS = SignReader("en").read("").words
DIGITS = FastLane().in_digits


def place_of(fact: str, *known: str) -> str:
    memory = MemoryFacts()
    for text in known:
        memory.save(text, "user", NOW)
    found = replaced(fact, memory, WORDS, in_digits=DIGITS)
    return found.text if found else ""


@pytest.mark.parametrize(
    ("fact", "known"),
    [
        ("The choir meets on Friday.", "The choir meets on Monday."),
        ("The vet has moved the jab day to Friday.", "The jab is on Monday."),
        ("The user's mother's party is on 9 August.", "Mum's party is on the ninth of May."),
        ("The user's chiropodist is Mister Vane now.", "The user's chiropodist is Mrs Odell."),
        ("The gardener Tam comes on Monday mornings.", "The gardener comes on Friday morning."),
        ("Rosalind lives over the bakery in Hope Row.", "The user's cousin Rosalind lives at 4 Tanner Street."),
        ("The lorry leaves at 7:15.", "The lorry leaves at 6:45."),
    ],
)
def test_another_day_time_or_name_for_the_same_takes_its_place(fact: str, known: str) -> None:
    assert place_of(fact, known, "The user likes plums.", "The user's cat is called Bo.") == known


@pytest.mark.parametrize(
    ("fact", "known"),
    [
        ("Ned's choir meets on Friday.", "The user's choir meets on Monday."),
        ("The user's son Ned starts on Friday.", "The user's son Sid starts on Monday."),
        ("The user's dog is called Bo.", "The user's cat is called Mim."),
        ("The user's uncle works at Finch.", "The user's aunt works at Rook."),
        ("The user's daughter is seven.", "The user's son is five."),
        ("The user goes to judo on Friday.", "The user goes to chess on Monday."),
        ("The user's bike is green.", "The user's gate is red."),
    ],
)
def test_what_is_so_of_another_stays(fact: str, known: str) -> None:
    assert place_of(fact, known) == ""


def test_of_two_that_may_be_meant_neither_goes() -> None:
    assert place_of("The bus goes at 9:15.", "The bus goes at 8:15.", "The bus goes at 7:15.") == ""


def test_what_is_known_already_is_told_to_the_model_and_not_acknowledged() -> None:
    rig = Rig('remember(fact="The user\'s sister lives in Ulm.")', "say She lives in Ulm.")
    rig.knows("The user's sister lives in Ulm.")
    record = rig.say("actually no, my sister lives in ulm now does she not")
    assert "I will remember" not in record.said


@pytest.mark.parametrize(("day", "known"), [("9 April", True), ("23 April", False)])
def test_a_number_of_two_digits_is_a_difference(day: str, known: bool) -> None:
    memory = MemoryFacts()
    fact = memory.save("The exam is on 9 April.", "user", NOW)
    assert as_known(Call("update_memory", {"id": fact.id, "fact": f"the exam is on {day}"}), memory) is known


def test_a_question_behind_now_changes_nothing() -> None:
    rig = Rig("say In Ulm.")
    rig.knows("The user's sister Ada lives in Ulm.")
    record = rig.say("now where does ada live again")
    assert not [step for step in record.steps if step.tool]
    assert [fact.text for fact in rig.memory.facts()] == ["The user's sister Ada lives in Ulm."]


def test_more_of_the_same_is_kept_beside_it() -> None:
    memory = MemoryFacts()
    memory.save("The user plays chess with Ned.", "user", NOW)
    call = Call("remember", {"fact": "The user plays the flute."})
    assert as_update(call, "i took up the flute", memory, WORDS, in_digits=DIGITS).tool == "remember"
