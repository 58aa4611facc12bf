"""A model that says that it cannot look where the box can is made to look."""

from __future__ import annotations

import pytest
from rig import Rig

from appliance.skills.schema import tool

LINE = "is it going to be bad later, i want to leave the sledge out"
BLIND = "say I cannot see the weather, sorry."


def test_a_source_that_is_here_is_not_denied() -> None:
    rig = Rig(BLIND, 'get_weather(place="Utrecht")', "say Rain, so rather not.")
    record = rig.say(LINE)
    assert [step.tool for step in record.steps] == ["get_weather", None]
    assert record.said == "Rain, so rather not."


def test_only_that_source_can_be_called_then() -> None:
    rig = Rig(BLIND, 'get_weather(place="Utrecht")', "say Rain.")
    rig.say(LINE)
    assert "get_weather" in rig.grammar(1).gbnf
    assert "lookup" not in rig.grammar(1).gbnf


@pytest.mark.parametrize(
    "words",
    [
        "say I cannot see the sledge, sorry.",  # nothing here does
        "say The weather in March is what it is.",  # no refusal
        "ask I cannot see the weather in two places, so where?",
    ],
)
def test_other_words_stand(words: str) -> None:
    rig = Rig(words)
    assert [step.tool for step in rig.say(LINE).steps] == [None]
    assert len(rig.canned.prompts) == 1


def test_nothing_is_done_because_the_model_says_that_it_cannot() -> None:
    done = list[str]()

    def read_list(list: str) -> str:
        """Empty a list."""
        done.append(list)
        return ""

    rig = Rig("say I cannot read lists, sorry.", more_tools=[tool(read_list, "act")])
    rig.say(LINE)
    assert not done


def test_a_denial_in_a_second_sentence_is_said() -> None:
    rig = Rig("say I cannot tell. The weather is out of my sight.")
    assert rig.say(LINE).said == "I cannot tell. The weather is out of my sight."


def test_what_was_found_may_be_called_missing() -> None:
    rig = Rig('get_weather(place="Utrecht")', "say I cannot see the weather of next week.")
    assert rig.say(LINE).said == "I cannot see the weather of next week."
