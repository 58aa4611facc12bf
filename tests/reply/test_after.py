"""What is kept behind a reply: the dialogue with who spoke and which tools ran, and where a fact was said."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from rig import NOW, Rig

from appliance.audio import never
from appliance.ports import Exchange
from appliance.simulated import MemoryFacts


def kept(rig: Rig) -> list[Exchange]:
    return rig.memory.exchanges_between(NOW - timedelta(days=1), NOW + timedelta(days=1), 10)


def test_a_line_finds_the_one_before_it_in_memory_whether_or_not_the_step_behind_the_reply_ran() -> None:
    rig = Rig("say Nice.", "say Good.")
    rig.say("we painted the shed")
    assert kept(rig) == []
    rig.say("and the fence too")
    assert [each.heard for each in kept(rig)] == ["we painted the shed"]
    rig.engine.after(never)
    rig.engine.after(never)
    assert [each.heard for each in kept(rig)] == ["we painted the shed", "and the fence too"], "each once"


def test_it_tells_who_spoke_and_which_tools_ran() -> None:
    rig = Rig()
    rig.say("hello there box")
    rig.conversation.person = "Ana"
    rig.say("what time is it")
    rig.engine.after(never)
    [_, asked] = kept(rig)
    assert asked.person == "Ana"
    assert [use["tool"] for use in asked.tools] == ["get_time"]


def test_a_fact_that_is_kept_behind_the_reply_has_that_line_as_its_source() -> None:
    rig = Rig("say I see.", 'save_memory(fact="The user\'s sister lives in Leeds.")')
    rig.say("well my sister lives in Leeds these days")
    rig.engine.after(never)
    [fact] = rig.memory.facts()
    source = rig.memory.source(fact.id)
    assert source
    assert source.heard == "well my sister lives in Leeds these days"


def test_it_belongs_to_who_spoke_and_takes_the_place_of_nobody_elses() -> None:
    write = 'update_memory(id=1, fact="The user\'s sister lives in York.")'
    rig = Rig("say I see.", write, "nothing()")
    rig.memory.save("The user's sister lives in Leeds.", "user", NOW, person="Ben")
    rig.conversation.person = "Ana"
    rig.say("my sister lives in York now")
    rig.engine.after(never)
    assert [(fact.person, fact.text) for fact in rig.memory.facts()] == [("Ben", "The user's sister lives in Leeds.")]


def test_anothers_facts_are_read_by_their_name() -> None:
    rig = Rig("say Ben likes rum.")
    rig.memory.save("The user likes rum.", "user", NOW, person="Ben")
    rig.memory.save("The user likes tea.", "user", NOW, person="Ana")
    rig.conversation.person = "Ana"
    rig.say("which of us likes rum best, tell me")
    [read, *_] = rig.canned.prompts
    texts = " ".join(message.text for message in read)
    assert "Ben likes rum" in texts
    assert "The user likes rum" not in texts
    assert "The user likes tea" in texts


@pytest.mark.parametrize("channel", ["chat", "guest"])
def test_a_guests_words_never_become_memory(channel: str) -> None:
    rig = Rig("say I see.", 'save_memory(fact="The user\'s sister lives in Leeds.")')
    rig.say("well my sister lives in Leeds these days", channel=channel)
    rig.engine.after(never)
    own = channel == "chat"
    assert (len(rig.memory.facts()), rig.memory.exchanges()) == ((1, 1) if own else (0, 0))


class Refusing(MemoryFacts):
    def add_exchange(self, *_: Any, **__: Any) -> int:
        raise AssertionError("nothing is to be written")


def test_in_private_mode_nothing_is_written() -> None:
    rig = Rig("say I see.", "say Good.", parts={"private": lambda: True, "memory": Refusing()})
    rig.say("well my sister lives in Leeds these days")
    rig.engine.after(never)
    rig.say("and my brother in Hull")
    rig.engine.after(never)
    assert len(rig.canned.prompts) == 2, "the model was not asked what to keep"
