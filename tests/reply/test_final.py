"""What is kept when a turn is over: the final memory step (spec/reply.md 9)."""

from __future__ import annotations

import pytest
from rig import Rig

from appliance.audio import never
from appliance.reply.grammar import PlanGrammar


def kept(rig: Rig) -> list[str]:
    """What is known of the user once the turn is over."""
    rig.engine.after(never)
    return [fact.text for fact in rig.memory.facts()]


def test_final_step_saves_what_the_user_said() -> None:
    rig = Rig("say Nice name.", 'save_memory(fact="The user\'s daughter is called Mila.")')
    record = rig.say("my daughter is called mila by the way")
    assert kept(rig) == ["The user's daughter is called Mila."]
    assert record.memory is not None
    assert record.memory.written == ["1"]


def test_final_step_cannot_pass_over_what_was_told_of_a_person() -> None:
    rig = Rig("say How nice.", 'save_memory(fact="The user\'s aunt Jo works at the mill.")')
    rig.say("my aunt Jo works at the mill these days")
    rig.engine.after(never)
    grammar = rig.canned.grammars[-1]
    assert isinstance(grammar, PlanGrammar)
    assert "nothing" not in [name for name, _ in grammar.tools]
    assert [fact.text for fact in rig.memory.facts("user", 9)] == ["The user's aunt Jo works at the mill."]


def test_final_step_updates_by_number() -> None:
    rig = Rig("say Right.", 'update_memory(id=1, fact="The user\'s dog is called Max.")')
    rig.knows("The user's dog is called Rex.")
    rig.say("the dog is called max now")
    assert kept(rig) == ["The user's dog is called Max."]


def test_final_step_tries_a_bad_number_again() -> None:
    bad = 'update_memory(id=9, fact="The user\'s dog is called Max.")'
    rig = Rig("say Right.", bad, bad.replace("9", "1"))
    rig.knows("The user's dog is called Rex.")
    rig.say("the dog is called max now")
    assert kept(rig) == ["The user's dog is called Max."]
    assert "must be one of: 1" in rig.read[-1]


def test_final_step_keeps_nothing_that_was_not_said() -> None:
    invented = 'save_memory(fact="The user owns a large yacht in Monaco.")'
    rig = Rig("say Hello.", invented)
    rig.say("good evening to you")
    assert kept(rig) == []


def test_final_step_is_skipped_after_the_fast_lane() -> None:
    rig = Rig('save_memory(fact="what time")')
    rig.say("what time is it")
    rig.engine.after(never)
    assert rig.canned.prompts == []


@pytest.mark.parametrize(
    ("told", "asked", "line", "fact"),
    [
        (
            "The user's tram is the 12.",
            "which tram is mine",
            "ah, fourteen since the spring",
            "The user's tram is the 14.",
        ),
        (
            "The user's vet is called Pim.",
            "what is my vet called",
            "um you want t i m",
            "The user's vet is called Tim.",
        ),
        (
            "Rex is the user's pony.",
            "is my pony called Rex",
            "we lost rex last night",
            "Rex, the user's pony, has died.",
        ),
        ("The loft is let to Ada.", "who is our loft let to", "it's marten now", "The loft is let to Marten."),
    ],
)
def test_what_a_fact_held_before_need_not_be_said_again(told: str, asked: str, line: str, fact: str) -> None:
    rig = Rig(f"say {told}")
    rig.knows(told)
    rig.say(asked)
    rig.canned.more("say I see.", f'update_memory(id=1, fact="{fact}")')
    rig.say(line)
    assert kept(rig) == [fact]


def test_a_fact_may_take_up_what_was_said_a_line_before() -> None:
    rig = Rig("say How nice.")
    rig.say("my cousin lotte has a boyfriend, well well")
    rig.canned.more("say I see.", 'save_memory(fact="The boyfriend of the user\'s cousin Lotte is called Teo.")')
    rig.say("teo they call him")
    assert kept(rig) == ["The boyfriend of the user's cousin Lotte is called Teo."]


@pytest.mark.parametrize(
    ("known", "line", "fact"),
    [
        ("The user's dog is called Rex.", "rex is asleep on the rug", "The user's dog Rex has died."),
        ("The locker code is 4417.", "is my locker code still the same", "The locker code is 4471."),
        ("The user's tram is the 12.", "is my tram still on time", "The user's tram is the 14."),
        ("The user's tram is the 12.", "the tram was late again today", "The user's tram is the 14."),
        ("The user takes 5 mg of warfarin.", "i had my warfarin at half eight", "The user takes 10 mg of warfarin."),
        ("The user's alarm is at 6:00.", "my alarm woke the dog", "The user's alarm is at 7:30."),
        ("The user eats meat.", "we had meat again", "The user eats no meat."),
        ("The user's dog is called Rex.", "rex has lost his ball again", "The user's dog Rex has died."),
        (
            "The user's cat lives in the barn.",
            "the cat is out again",
            "The user's cat bit Ann twice and lives in Spain now.",
        ),
    ],
)
def test_a_known_fact_does_not_become_what_nobody_said(known: str, line: str, fact: str) -> None:
    rig = Rig("say I see.", f'update_memory(id=1, fact="{fact}")', "say I see.", f'update_memory(id=1, fact="{fact}")')
    rig.knows(known)
    rig.say(line)
    rig.canned.more(*[f'update_memory(id=1, fact="{fact}")'] * 3)
    assert kept(rig) == [known]


def test_of_somebody_who_is_only_named_nothing_is_kept() -> None:
    rig = Rig("say How nice.", 'save_memory(fact="The user\'s sister is pregnant.")')
    rig.say("my sister rang today")
    rig.canned.more(*['save_memory(fact="The user\'s sister is pregnant.")'] * 3)
    assert kept(rig) == []


def test_what_is_known_of_one_is_not_kept_of_another() -> None:
    rig = Rig("say How nice.", 'save_memory(fact="The user\'s brother is allergic to nuts.")')
    rig.knows("The user's sister Ada is allergic to nuts.")
    rig.say("my brother came by today")
    assert kept(rig) == ["The user's sister Ada is allergic to nuts."]
