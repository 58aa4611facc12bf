"""Channels are data: who stands there, what they may use, and whether anything of it is kept."""

from __future__ import annotations

from typing import Any

import pytest
from rig import Rig, outcomes

from appliance.audio import never
from appliance.errors import BadSettings
from appliance.reply.channels import CHANNELS, channels_of
from appliance.settings import ChannelTable, Settings
from appliance.tts.text import TextMouth

KEEPS = 'remember(fact="The user has a red bicycle.")'
SAVES = 'save_memory(fact="The user has a red bicycle in the shed.")'
TOLD = "you know my red bicycle in the shed got a new saddle"


def rig_with(*writes: str, **tables: ChannelTable) -> Rig:
    return Rig(*writes, parts={"settings": Settings(place="Utrecht", channels=tables)})


def test_by_default_they_are_those_of_the_specification() -> None:
    rows = {name: (each.who, each.calls_max, each.memory, each.prefix) for name, each in CHANNELS.items()}
    assert rows == {
        "voice": ("household", 5, True, False),
        "chat": ("owner", 5, True, False),
        "household": ("household", 5, True, False),
        "satellite": ("satellite", 5, True, False),
        "guest": ("guest", 3, False, True),
    }
    assert not any(channel.tools for channel in CHANNELS.values()), "all"


def test_a_table_changes_what_it_says_and_a_new_name_adds_one() -> None:
    made = channels_of({"voice": ChannelTable(calls_max=2), "desk": ChannelTable(who="owner"), "club": ChannelTable()})
    assert (made["voice"].calls_max, made["voice"].aloud, made["voice"].who) == (2, True, "household")
    assert (made["desk"].name, made["desk"].calls_max, made["desk"].memory) == ("desk", 5, True)
    assert (made["club"].who, made["club"].memory, made["club"].calls_max) == ("guest", False, 3)


def test_a_channel_that_is_made_a_guests_keeps_nothing() -> None:
    assert not channels_of({"voice": ChannelTable(who="guest")})["voice"].memory
    with pytest.raises(BadSettings, match=r"channels\.guest: of what a guest says nothing is kept"):
        channels_of({"guest": ChannelTable(memory=True)})


@pytest.mark.parametrize(("memory", "kept"), [(True, ["The user has a red bicycle in the shed."]), (False, [])])
def test_without_memory_the_final_step_is_left_out_whatever_the_model_picks(memory: bool, kept: list[str]) -> None:
    rig = rig_with("say Good to know.", SAVES, chat=ChannelTable(memory=memory))
    rig.say(TOLD)
    rig.engine.after(never)
    assert [fact.text for fact in rig.memory.facts()] == kept
    assert bool(rig.memory.search("saddle", 5)) is memory, "nor is the exchange kept"


def test_without_memory_no_tool_writes() -> None:
    rig = rig_with(KEEPS, "say I may not.", chat=ChannelTable(memory=False))
    assert outcomes(rig.say("you may want to hear of the red bicycle i have"))[0] == ("remember", "denied")


def test_only_the_tools_that_are_named_may_be_used() -> None:
    rig = rig_with("set_timer(minutes=5)", "say I may not.", chat=ChannelTable(tools=["get_time"]))
    assert outcomes(rig.say("good evening to you my dear box"))[0] == ("set_timer", "denied")
    assert rig.say("what time is it").said == "It is 6:30 PM."


def test_a_persona_is_read_on_its_channel_alone() -> None:
    rig = rig_with("say Arr.", "say Hello.", chat=ChannelTable(persona="Talk like a pirate."))
    rig.say("good evening to you my dear box")
    rig.say("good evening to you my dear box", channel="voice")
    read = ["".join(message.text for message in prompt) for prompt in rig.canned.prompts]
    assert "Talk like a pirate." in read[0]
    assert "Talk like a pirate." not in read[1].replace("Arr.", "")


def test_a_guest_gets_another_persona_and_time_and_name_beside_the_line() -> None:
    rig = Rig("say Hello Bo.", parameters=8_000_000_000)
    rig.engine.reply(1, "good evening to you my dear box", "guest", TextMouth(), never, "Bo")
    told = [message.text for message in rig.canned.prompts[0]]
    assert any("a guest of the house" in text for text in told)
    assert "18:30, Utrecht, Bo]" in told[-1]
    assert told[-1].endswith("Bo said: good evening to you my dear box")


@pytest.mark.parametrize(("prefix", "named"), [(True, True), (False, False)])
def test_who_spoke_stands_before_the_words_where_that_is_set(prefix: bool, named: bool) -> None:
    rig = rig_with("say Hello.", guest=ChannelTable(prefix=prefix))
    rig.engine.reply(1, "good evening to you my dear box", "guest", TextMouth(), never, "Bo")
    assert ("Bo said: " in rig.read[0]) is named


@pytest.mark.parametrize("table", [{"who": "king"}, {"calls_max": 0}, {"persona": "x" * 601}, {"colour": "red"}])
def test_a_table_that_cannot_be_used_is_refused(table: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        Settings.model_validate({"channels": {"voice": table}})
