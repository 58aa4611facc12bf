"""Which known fact a new one takes the place of, and which it stands beside."""

from __future__ import annotations

import pytest
from rig import NOW, Rig, outcomes

from appliance.ports import Spoken
from appliance.reply.plan import Call
from appliance.reply.understanding.corrections import as_known
from appliance.reply.understanding.fastlane import FastLane
from appliance.reply.understanding.replacing import as_update
from appliance.reply.understanding.signs import SignReader
from appliance.simulated import MemoryFacts
from appliance.skills.schema import tool

WORDS = SignReader("en").read("").words
DIGITS = FastLane().in_digits


def place_of(fact: str, *known: str, line: str = "that is otherwise now") -> str:
    """The known fact that goes when a model wants `fact` remembered upon such a line; empty where none does."""
    memory = MemoryFacts()
    for text in known:
        memory.save(text, "user", NOW)
    call = as_update(Call("remember", {"fact": fact}), line, memory, WORDS, in_digits=DIGITS)
    return next((each.text for each in memory.facts() if each.id == call.arguments.get("id")), "")


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
        ("The user's daughter goes to Hill School.", "The user's daughter goes to Park School."),
        ("The user's sister Anna lives in York.", "The user's sister lives in Leeds."),
        ("The user's evening pill is 5 milligrams.", "The user's evening pill is 10 milligrams."),
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
        ("The birthday of the user's father is on 4 June.", "The birthday of the user's mother is on 3 May."),
        ("The room of Ben is blue.", "The room of Mia is pink."),
        ("The user picks up Ben on Monday.", "The user picks up Mia on Friday."),
        ("The user's appointment with Dr Hall is on Friday.", "The user's appointment with Dr Bell is on Monday."),
        ("The user met Ida in Paris.", "The user met Max in Rome."),
        ("The alarm code is 1234.", "The door code is 9876."),
        ("The front door is green.", "The kitchen door is red."),
        ("The guitar lesson is on Saturday.", "The piano lesson is on Monday."),
        ("The green bin goes out on Monday.", "The black bin goes out on Tuesday."),
        ("The shop opens at 9:00.", "The shop closes at 17:00."),
        ("The return flight is on Monday.", "The flight is on Friday."),
        ("The user meets Tom on Monday.", "The user calls Tom on Friday."),
        ("The morning bus leaves at 7:00.", "The evening bus leaves at 19:00."),
        ("The user's second visit is on 4 June.", "The user's first visit is on 4 May."),
        ("Una's brother lives in Leeds.", "Una's sister lives in York."),
        ("Tom's dog is 3.", "Tom's son is 8."),
    ],
)
def test_what_is_so_of_another_stays(fact: str, known: str) -> None:
    assert place_of(fact, known, line=fact.casefold()) == ""


@pytest.mark.parametrize(
    ("fact", "known", "line"),
    [
        (
            "The user's mother takes insulin at 8:00.",
            "The user takes insulin at 9:00.",
            "mum now takes her insulin at 8",
        ),
        ("The medicine for Ben is taken at 8:00.", "The medicine for Mia is taken at 9:00.", "ben's is at 8 now"),
        ("The user is allergic to nuts.", "The user is allergic to penicillin.", "i'm now allergic to nuts as well"),
        ("The blue tablets are for Mum.", "The white tablets are for Dad.", "no, the blue tablets are for mum"),
        ("Una's brother takes 5 milligrams.", "Una's sister takes 8 milligrams of insulin.", "it's 5 milligrams now"),
        ("The evening insulin is 12 units.", "The morning insulin is 8 units.", "the evening insulin is 12 units now"),
        (
            "The user is allergic to figs.",
            "The user is allergic to plums.",
            "i'm not only allergic to plums, also to figs",
        ),
        ("The user is allergic to figs.", "The user is allergic to plums.", "i'm now allergic to figs and plums"),
        ("Mum takes penicillin tablets.", "Dad takes aspirin tablets.", "mum takes penicillin tablets, not aspirin"),
        ("The user takes a white pill in the evening.", "The user takes a blue pill in the morning.", "it's now so"),
    ],
)
def test_what_a_life_may_hang_on_stays(fact: str, known: str, line: str) -> None:
    assert place_of(fact, known, line=line) == ""


@pytest.mark.parametrize(
    ("fact", "known", "line"),
    [
        (
            "The user is allergic to figs.",
            "The user is allergic to plums.",
            "not plums after all, it's figs",
        ),
        ("Ned is allergic to figs.", "Ned is allergic to plums.", "that's wrong about ned, it's figs"),
        ("Ida has got the user's ladder key.", "Tom has the user's ladder key.", "ida has my ladder key, not tom"),
        ("The user's dog gets one tablet a day.", "The user's dog gets two tablets a day.", "one tablet now, not two"),
    ],
)
def test_what_the_line_says_is_not_so_goes(fact: str, known: str, line: str) -> None:
    assert place_of(fact, known, line=line) == known


def test_the_name_of_one_is_no_name_of_anothers_teacher() -> None:
    known = ("The user's daughter's teacher is called Miss Hale.", "The user's daughter is called Una.")
    assert place_of("The user's daughter Una's teacher is called Mrs Penn now.", *known) == known[0]


def test_of_two_that_may_be_meant_neither_goes() -> None:
    known = ("The bus goes at 8:15.", "The bus goes at 7:15.")
    assert place_of("The bus goes at 9:15.", *known, line="the bus goes at 9:15 now") == ""


def update_memory(id: int, fact: str) -> Spoken:
    """Replace a fact."""
    return Spoken("I will remember it that way.")


def test_what_is_known_already_is_told_to_the_model_and_not_acknowledged() -> None:
    fact = 'remember(fact="The user\'s sister Ida lives in Ulm.")'
    rig = Rig(fact, "say She lives in Ulm.", more_tools=[tool(update_memory, "act")])
    rig.knows("The user's sister Ida lives in Ulm.")
    record = rig.say("please remember that my sister ida lives in ulm now")
    assert outcomes(record)[0] == ("update_memory", "duplicate")
    assert record.said == "She lives in Ulm."


@pytest.mark.parametrize(("day", "known"), [("9 April", True), ("23 April", False)])
def test_a_number_of_two_digits_is_a_difference(day: str, known: bool) -> None:
    memory = MemoryFacts()
    fact = memory.save("The exam is on 9 April.", "user", NOW)
    assert as_known(Call("update_memory", {"id": fact.id, "fact": f"the exam is on {day}"}), memory) is known


def test_a_question_behind_now_changes_nothing() -> None:
    rig = Rig("say In Ulm.")
    rig.knows("The user's sister Ada lives in Ulm.")
    rig.say("now where does ada live again")
    assert "speech" in rig.grammar().gbnf.splitlines()[0]


def test_more_of_the_same_is_kept_beside_it() -> None:
    memory = MemoryFacts()
    memory.save("The user plays chess with Ned.", "user", NOW)
    call = Call("remember", {"fact": "The user plays the flute."})
    assert as_update(call, "i took up the flute", memory, WORDS, in_digits=DIGITS).tool == "remember"


def test_what_a_life_may_hang_on_goes_where_all_of_it_is_denied() -> None:
    new, old = "Ada takes the heart tablet at 9 in the evening.", "Ada takes the heart tablet at 8 in the morning."
    assert place_of(new, old, line="it is nine in the evening now, so not eight in the morning any more") == old
    assert place_of(new, old, line="and the heart tablet at nine in the evening") == ""


def test_what_is_said_besides_takes_no_facts_place() -> None:
    memory = MemoryFacts()
    kept = memory.save("The user takes bus 14 to work.", "user", NOW)
    line = "note that I take bus fourteen to work now, not the nine, and what is six times seven"
    call = Call("remember", {"fact": "6 times 7 is 42."})
    assert as_update(call, line, memory, WORDS, in_digits=DIGITS, settled=[kept.id]) == call
