"""A correction takes the place of what it corrects."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from rig import Rig

from appliance.ports import Spoken
from appliance.reply.grammar import PlanGrammar
from appliance.reply.plan import Call
from appliance.reply.understanding.corrections import (
    about,
    as_told,
    invented,
    over_again,
    revised,
    revision,
)
from appliance.reply.understanding.fastlane import FastLane
from appliance.reply.understanding.replacing import as_update, taken_back
from appliance.reply.understanding.signs import SignReader
from appliance.simulated import MemoryFacts
from appliance.skills.schema import tool

WORDS = SignReader("en").read("").words
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
    call = as_update(Call("remember", {"fact": fact}), "", memory, WORDS)
    assert (call.tool, call.arguments.get("id")) == (("update_memory", number) if number else ("remember", None))


def test_what_has_changed_may_tell_more_than_the_fact_it_replaces(memory: MemoryFacts) -> None:
    call = Call("remember", {"fact": "The user's bus now leaves across the square, behind the old post office."})
    assert as_update(call, "", memory, WORDS).tool == "remember"
    assert as_update(call, "", memory, WORDS, retold=True).arguments["id"] == 2
    other = Call("remember", {"fact": "The user's yellow scarf hangs behind the door of the cellar."})
    assert as_update(other, "", memory, WORDS, retold=True).tool == "remember"


def test_other_calls_stay_as_they_are(memory: MemoryFacts) -> None:
    call = Call("recall", {"topic": "canoe"})
    assert as_update(call, "", memory, WORDS) is call


def test_nothing_is_corrected_in_an_empty_memory() -> None:
    call = Call("remember", {"fact": "The user's canoe is blue."})
    assert as_update(call, "", MemoryFacts(), WORDS) is call


def test_line_that_names_what_it_takes_back_replaces_it_whatever_the_new_fact_says(memory: MemoryFacts) -> None:
    call = Call("remember", {"fact": "The user takes the tram."})
    assert (
        as_update(call, "my bus does not leave from stop C2 any more, I take the tram", memory, WORDS).arguments["id"]
        == 2
    )


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("no my canoe isn't yellow, it's red", "The user's canoe is yellow."),
        ("I do not like plums any more", "The user likes plums."),
        ("no plums for me now", None),  # one word may be chance
        ("my sister Ann took up chess", None),  # whom a fact is of is not what it says
        ("my sister Ann no longer lives there", "The user's sister Ann lives in Leeds."),
        ("sorry, I meant the other one", None),
    ],
)
def test_fact_that_a_line_takes_back(memory: MemoryFacts, line: str, known: str | None) -> None:
    memory.save("The user's sister Ann lives in Leeds.", "user", NOW)
    found = taken_back(line, memory, WORDS)
    assert (found and found.text) == known


@pytest.mark.parametrize(
    ("fact", "line", "new"),
    [
        ("The user's dentist is called Pym.", "no not pym, quill", "The user's dentist is called Quill."),
        ("Ada is allergic to plums.", "not plums it's cherries she can't have", "Ada is allergic to cherries."),
        ("Ada is allergic to plums.", "it's not plums ada's allergic to it's kiwi", "Ada is allergic to kiwi."),
        ("Ada is allergic to plums.", "ada is not allergic to plums ada loves them", ""),
        ("The user's code is 4712.", "oh hang on no it's 4 7 2 1", "The user's code is 4721."),
        ("Choir is on Monday at 8.", "it isn't monday any more they moved it to friday", "Choir is on Friday at 8."),
        ("The user's canoe is yellow.", "I had it painted, it's green now", "The user's canoe is green."),
        ("The user's canoe is yellow.", "no I sold it", ""),
        ("The user's code is 4712.", "no it's 4 7 2", ""),
        ("Choir is on Monday at 8.", "not tuesday and not friday", ""),
        ("The user's bus is number 12.", "12 it is, not 12 or 14 or 15", ""),
        ("The user's boat is a blue dinghy.", "the dinghy is sold, my boat is a white skiff now", ""),
        ("The user's shift starts at 7:30.", "my shift starts at 8 now", ""),
        ("The user's vet is at 3 o'clock.", "no it's half past 4", "The user's vet is at half past 4."),
        ("The user's vet is at 3 pm.", "no it's at 4", "The user's vet is at 4 pm."),
        (
            "The user's vet is at half past 8.",
            "it's at quarter to 9, not half past 8",
            "The user's vet is at quarter to 9.",
        ),
        ("Choir is on Monday at 8.", "no it's Tuesday at 9", "Choir is on Tuesday at 9."),
        ("A red car is hired.", "it's blue", "A blue car is hired."),
        ("The user's shift starts at 7:30.", "my shift starts at 8:15 now", "The user's shift starts at 8:15."),
    ],
)
def test_fact_with_what_the_line_puts_in_place_of_a_part(fact: str, line: str, new: str) -> None:
    assert revised(fact, line, WORDS) == new


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("I had the canoe painted, it's green now", "The user's canoe is green."),
        ("my bus goes from stop D7 now", ""),
        ("the curtains are green now", ""),
        ("my canoe stays yellow and my other canoe stays yellow", ""),
    ],
)
def test_stored_fact_that_a_line_revises(memory: MemoryFacts, line: str, new: str) -> None:
    assert revision(line, line, memory, WORDS) == new


def test_revised_fact_needs_no_model_and_what_it_was_is_out_of_its_sight() -> None:
    def update_memory(id: int, fact: str) -> Spoken:
        """Replace something that was kept."""
        rig.memory.update(id, fact, NOW)
        return Spoken("Noted.")

    rig = Rig("say Yellow it is.", "say Green.", more_tools=[tool(remember, "act"), tool(update_memory, "act")])
    rig.knows("The user's canoe is yellow.")
    rig.say("what colour is my canoe")
    record = rig.say("we had the canoe painted, it's green now")
    assert (record.lane, record.model.calls, record.steps[0].tool) == ("fast", 0, "update_memory")
    rig.say("and what colour is the canoe")
    assert not any("yellow." in message.text for message in rig.canned.prompts[-1])


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("no it's Friday", "The bins go out on Friday."),
        ("sorry, I said Friday", "The bins go out on Friday."),
        ("actually they go out on Friday", "The bins go out on Friday."),
        ("actually that should be Friday", "The bins go out on Friday."),
        ("actually I'm off on Friday", None),
        ("sorry, we fly on Friday", None),
        ("no, rehearsal is on Friday", None),
    ],
)
def test_what_was_just_told_is_not_rewritten_by_what_is_said_of_something_else(line: str, new: str | None) -> None:
    rig = Rig('remember(fact="The bins go out on Thursday.")', *["say I see."] * 2, more_tools=[tool(remember, "act")])
    rig.say("remember that the bins go out on Thursday")
    record = rig.say(line)
    assert record.said == (new or "I see.")


def remember(fact: str) -> Spoken:
    """Keep something that the user told."""
    return Spoken(fact)


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
    rig = Rig('remember(fact="The user sold the yellow canoe.")', more_tools=tools)
    number = rig.knows("The user's canoe is yellow.")
    assert rig.say("no my canoe isn't yellow any more, somebody bought it from me").said == "Noted."
    assert kept == [(number, "The user sold the yellow canoe.")]
    grammar = rig.canned.grammars[0]
    assert isinstance(grammar, PlanGrammar)
    assert [name for name, _ in grammar.tools] == ["remember"]
    assert not grammar.speech


def test_nothing_is_promised_that_no_call_keeps() -> None:
    rig = Rig("say Good luck with it.")
    rig.say("somebody ought to water the ferns tonight")
    grammar = rig.grammar()
    assert grammar.barred("say Sure, I will")
    assert grammar.barred("say I’ll")
    assert not grammar.barred("say The Hawaii will")


def test_of_two_facts_the_one_in_the_sentence_with_the_new_number_is_revised() -> None:
    facts = MemoryFacts()
    for text in ("Ada takes 3 drops at noon.", "Ada takes 5 drops at night."):
        facts.save(text, "user", NOW)
    told = "They cut the drops that Ada takes at night to 4. Those at noon stay."
    assert revision(told, told, facts, WORDS) == "Ada takes 4 drops at night."
    assert revision("Ada takes 4 drops now", "Ada takes 4 drops now", facts, WORDS) == ""


def test_the_same_day_in_the_plural_changes_nothing() -> None:
    assert revised("Choir is on Monday.", "no choir on mondays any more", WORDS) == ""


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("they moved rowing with odile to the lake", True),  # a name and a change
        ("my bus has a new stop, it leaves by the mill", True),
        ("odile is here", False),
        ("is odile here now", False),
        ("the neighbours have started a band", False),
    ],
)
def test_a_line_that_changes_what_is_known_can_only_be_remembered(line: str, changes: bool) -> None:
    rig = Rig('remember(fact="The user rows with Odile on the lake.")', "say Fine.", more_tools=[tool(remember, "act")])
    rig.knows("The user rows with Odile on the canal.")
    rig.knows("The user's bus leaves from the post office.")
    rig.say(line)
    grammar = rig.canned.grammars[0]
    assert isinstance(grammar, PlanGrammar)
    assert grammar.speech is not changes


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("rowing was fun", False),
        ("nobody rows on the canal", True),
        ("Odile rang", True),
        ("a user rang", False),
    ],
)
def test_what_is_about_a_fact(text: str, held: bool) -> None:
    assert about(text, "The user rows with Odile on the canal.") is held


def test_the_fact_that_a_line_names_most_of_is_the_one_it_takes_back() -> None:
    facts = MemoryFacts()
    for text in ("The user's dog is called Rook.", "The user takes the dog to agility on Sunday."):
        facts.save(text, "user", NOW)
    found = taken_back("we no longer take the dog to agility on sundays, Rook was bored", facts)
    assert found
    assert found.text == "The user takes the dog to agility on Sunday."


def test_more_about_somebody_replaces_nothing() -> None:
    facts = MemoryFacts()
    facts.save("The user's dog is called Rook.", "user", NOW)
    call = Call("remember", {"fact": "The user's dog Rook knows more than the trainer."})
    assert as_update(call, "Rook knew more than the trainer", facts, WORDS).tool == "remember"


@pytest.mark.parametrize(
    ("known", "fact", "replaced"),
    [
        ("The user's plumber is Mr Pym.", "The user's plumber is Ida Quill now.", True),
        ("The user drives a Rook 12.", "The user drives a Finch now.", True),
        ("The user goes to yoga on Mondays.", "The user goes to choir on Thursdays.", False),
        ("The user takes one white pill.", "The user takes a blue pill, a red one and drops.", False),
        ("The user's daughter is allergic to nuts.", "The user's daughter is five now.", False),
        ("The user's daughter Mia is six.", "The user's daughter Mia has a new bike.", False),
        ("The user's daughter Mia is six.", "The user's daughter Mia is seven now.", True),
        ("The user's sister Ann lives in Leeds.", "The user's sister Ann started at Tesco.", False),
        ("The user's sister Ann lives in Leeds.", "The user's sister Ann moved to York.", True),
    ],
)
def test_only_what_can_be_so_once_takes_the_place_of_another(known: str, fact: str, replaced: bool) -> None:
    memory = MemoryFacts()
    memory.save(known, "user", NOW)
    call = Call("remember", {"fact": fact})
    assert (as_update(call, "", memory, WORDS, in_digits=FastLane().in_digits).tool == "update_memory") is replaced


@pytest.mark.parametrize(
    ("known", "line", "taken"),
    [
        ("The user is a vegetarian.", "i'm not a vegetarian any more, i eat fish", True),
        ("The user has a dog.", "the dog is not well today", False),
        ("The user has a car.", "the new carpet is lovely and i have the receipt", False),
        ("The user has a cat.", "we need no more cat food, i bought some", False),
    ],
)
def test_a_fact_of_one_word_is_only_taken_back_by_its_denial(known: str, line: str, taken: bool) -> None:
    memory = MemoryFacts()
    memory.save(known, "user", NOW)
    fact = Call("remember", {"fact": "The user ate some plums."})
    assert (as_update(fact, line, memory, WORDS).tool == "update_memory") is taken


def test_what_is_to_be_remembered_takes_no_word_of_another_fact() -> None:
    known = "The user's spare tyre is in the shed."
    line = "remember that the spare fuse is behind the boiler"
    mixed = Call("remember", {"fact": "The user's spare tyre is behind the boiler."})
    assert as_told(mixed, line, known, WORDS).arguments["fact"] == "The spare fuse is behind the boiler."
    right = Call("remember", {"fact": "The user's spare fuse is behind the boiler."})
    assert as_told(right, line, known, WORDS) is right


@pytest.mark.parametrize(
    ("fact", "said", "so"),
    [
        ("The user's brother-in-law is called Peter.", "you have got my brother in law's name wrong", True),
        ("The user's niece lives in Madrid.", "my niece has moved", True),
        ("The user's niece is Polish.", "my niece is from poland", False),
        ("The user's niece is called Kaia.", "my niece is k a i a", False),
        ("The sweep comes on Monday.", "the sweep comes in two days", False),
    ],
)
def test_a_name_that_nobody_said_is_made_up(fact: str, said: str, so: bool) -> None:
    assert invented(fact, said, WORDS) is so


def update_memory(id: int, fact: str) -> Spoken:
    """Keep something else instead."""
    return Spoken("I will remember it that way.")


def test_what_is_made_up_is_asked_for_instead_of_kept() -> None:
    rig = Rig('remember(fact="The user\'s niece is called Laura.")', more_tools=[tool(update_memory, "act")])
    rig.knows("The user's niece is called Nora.")
    assert rig.say("you've got my niece's name wrong").said == "What shall I remember?"
    assert [fact.text for fact in rig.memory.facts()] == ["The user's niece is called Nora."]


@pytest.mark.parametrize("said", ["Mora", "it's mora", "it's Mora. Not Nora. Mora."])
def test_what_is_asked_for_is_put_into_the_fact(said: str) -> None:
    rig = Rig('update_memory(id=1, fact="The user\'s niece is called Laura.")', more_tools=[tool(update_memory, "act")])
    rig.knows("The user's niece is called Nora.")
    rig.say("you've got my niece's name wrong")
    assert rig.say(said).steps[0].arguments == {"id": 1, "fact": "The user's niece is called Mora"}


@pytest.mark.parametrize(
    ("told", "line", "fact", "goes"),
    [
        ("Ivo is vegan.", "actually he's vegetarian", "Ivo is vegetarian, and eats eggs.", True),
        ("Ivo is vegan.", "actually his desk is by the door", "Ivo has a desk by the door.", False),
        ("Ivo is vegan.", "and he is tall", "Ivo is tall.", False),
        ("The user is a baker.", "actually i have got three cats", "The user has three cats.", False),
        ("Ivo is allergic to nuts.", "no wait he's allergic to cats too", "Ivo is allergic to cats.", False),
        ("Ivo's cat is Tibs.", "actually his cat is grey", "Ivo's cat is grey.", False),
    ],
)
def test_what_was_just_told_gives_way_to_its_correction(told: str, line: str, fact: str, goes: bool) -> None:
    memory = MemoryFacts()
    known = memory.save(told, "user", NOW)
    call = as_update(Call("remember", {"fact": fact}), line, memory, WORDS, told=[told])
    assert (call.arguments.get("id") == known.id) is goes


def test_a_denial_is_no_other_name() -> None:
    """Whose allergy it was would be lost for a word that happened to stand before the denial."""
    line, fact = "leo is definitely not allergic to peanuts", "Leo is allergic to peanuts."
    assert revised(fact, line, WORDS) == ""


@pytest.mark.parametrize(
    ("new", "again"),
    [
        ("The kiln man comes on Tuesday.", True),
        ("The user's friend the kiln man comes on Tuesday.", True),
        ("The kiln man comes on Tuesday at nine.", False),
        ("Jo's kiln man comes on Tuesday.", False),
        ("The kiln man likes plums.", False),
    ],
)
def test_what_was_kept_in_this_turn_is_not_kept_once_more(new: str, again: bool) -> None:
    kept = Call("remember", {"fact": "The kiln man comes on tuesday."})
    assert over_again(Call("remember", {"fact": new}), kept) is again
    assert not over_again(Call("forget", {"what": new}), kept)


def test_what_shall_not_be_changed_yet_is_not() -> None:
    def update_memory(id: int, fact: str) -> Spoken:
        """Change a fact."""
        return Spoken("I will remember it that way.")

    more = [tool(remember, "act"), tool(update_memory, "act")]
    rig = Rig("say I leave it as it is.", "say I leave it.", more_tools=more)
    rig.knows("Ottilie lives in Bonn.")
    record = rig.say("ottilie may have moved to ulm but don't change anything for now")
    assert [step.tool for step in record.steps] == [None]
