"""A line that only gives another number stands for the call before it."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import Field
from rig import Rig

from appliance.ports import Spoken
from appliance.reply.calls.ellipsis import again, here, lengthened, named_anew, of_another
from appliance.reply.calls.grounding import grounded
from appliance.reply.grammar import PlanGrammar
from appliance.reply.plan import Call
from appliance.reply.understanding.signs import SignReader
from appliance.skills.schema import tool


def calculate(expression: Annotated[str, Field(json_schema_extra={"said": True})]) -> Spoken:
    """Reckon."""
    return Spoken(expression)


CALCULATOR = tool(calculate, "read")
ENGLISH = SignReader("en")
SHARE = Call("calculate", {"expression": "15% of 80"})
OVEN = Call("convert_units", {"value": 350, "from_unit": "fahrenheit", "to_unit": "celsius"})

BREAD = Call("set_timer", {"minutes": 20, "label": "bread"})


@pytest.mark.parametrize(
    ("call", "line", "arguments"),
    [
        (SHARE, "and of 260?", {"expression": "15% of 260"}),
        (SHARE, "what about twenty percent", {"expression": "20% of 80"}),
        (OVEN, "and 410", {"value": 410, "from_unit": "fahrenheit", "to_unit": "celsius"}),
        (OVEN, "okay and for 97.5 fahrenheit please", {"value": 97.5, "from_unit": "fahrenheit", "to_unit": "celsius"}),
        (OVEN, "and 20 celsius", None),
        (OVEN, "and set a timer for 20 minutes", None),
        (Call("calculate", {"expression": "12 * 15"}), "and 16", None),
        (Call("set_timer", {"minutes": 4}), "and 6", None),
    ],
)
def test_call_with_another_number(call: Call, line: str, arguments: dict[str, object] | None) -> None:
    signs = ENGLISH.read(line)
    found = again([call], signs.digits, signs.words.again, signs.words.percent)
    assert (found.arguments if found else None) == arguments


@pytest.mark.parametrize(
    ("call", "line", "arguments"),
    [
        (BREAD, "no, 35", {"minutes": 35, "label": "bread", "direction": "set"}),
        (BREAD, "sorry i meant thirty five minutes", {"minutes": 35, "label": "bread", "direction": "set"}),
        (BREAD, "not 20, 25", {"minutes": 25, "label": "bread", "direction": "set"}),
        (BREAD, "no wait, two hours", {"hours": 2, "label": "bread", "direction": "set"}),
        (Call("set_timer", {"seconds": 40}), "hmm better 50", {"seconds": 50, "direction": "set"}),
        (Call("set_timer", {"hours": 1, "minutes": 20}), "no, 30", None),
        (BREAD, "and 35", None),
        (BREAD, "no, 35 grams", None),
        (BREAD, "no", None),
        (SHARE, "no, 35", None),
    ],
)
def test_timer_with_another_length(call: Call, line: str, arguments: dict[str, object] | None) -> None:
    signs = ENGLISH.read(line)
    found = lengthened([call], signs.digits, signs.words.amended)
    assert (found.arguments if found else None) == arguments


def test_no_call_or_several_are_none() -> None:
    signs = ENGLISH.read("and of 260")
    for calls in ([], [SHARE, OVEN]):
        assert again(calls, signs.digits, signs.words.again, signs.words.percent) is None


def test_what_goes_on_with_a_tool_is_certain_of_no_other() -> None:
    def convert_units(value: float, to_unit: str) -> Spoken:
        """Convert."""
        return Spoken("Converted.")

    rig = Rig("get_time()", "get_time()", more_tools=[tool(convert_units, "read")])
    rig.say("would you look at the clock for me")
    rig.say("and in Quito")
    grammar = rig.canned.grammars[-1]
    assert isinstance(grammar, PlanGrammar)
    assert "get_time" in [name for name, _ in grammar.tools]


def test_it_needs_no_model() -> None:
    rig = Rig('calculate(expression="15% of 80")', more_tools=[CALCULATOR])
    rig.say("15 percent out of 80, would you")
    record = rig.say("and of 260?")
    assert (record.lane, record.model.calls, record.said) == ("fast", 0, "15% of 260")


def test_what_lacks_a_number_is_not_completed_by_a_line_without_one() -> None:
    rig = Rig("calculate()", "say Many.", more_tools=[CALCULATOR])
    assert rig.say("work out what 3 and the other one make").said == "What is the expression?"
    assert rig.say("not bad for a wet monday").said == "Many."


def test_it_is_what_was_set_before_and_not_the_voice() -> None:
    referring = ENGLISH.read("bring it up to 23").words.referring
    heating = [Call("home_set", {"device": "study heating", "state": "21"})]
    assert of_another("set_volume", heating, "bring it up to 23", referring)
    assert not of_another("set_volume", heating, "set the volume to 23", referring)
    assert not of_another("set_volume", [Call("get_time", {})], "bring it up to 23", referring)


def test_double_it_is_of_the_number_before() -> None:
    def kept(line: str, before: str, expression: str) -> dict[str, object]:
        call, signs = Call("calculate", {"expression": expression}), ENGLISH.read(line)
        return grounded(call, CALCULATOR, line, [before], signs, countable=False).arguments

    assert kept("double it", "-> 5 plus 3 is 8.", "8 * 2") == {"expression": "8 * 2"}
    assert kept("double it", "-> 5 plus 3 is 8.", "9 * 2") == {}
    assert kept("is that so", "-> 5 plus 3 is 8.", "9 * 2") == {}


PRONOUNS = ENGLISH.read("are they Welsh").words.pronouns


@pytest.mark.parametrize(
    ("query", "line", "meant"),
    [
        ("Welsh", "are they Welsh", "the Grey Larks Welsh"),
        ("the Grey Larks founded", "when were they founded", "the Grey Larks founded"),
        ("Ernst Haeckel", "who was Ernst Haeckel", "Ernst Haeckel"),
        ("Ida Brand", "is she still with us", "Ida Brand"),
        ("otters", "is it true that otters hold hands", "otters"),
    ],
)
def test_a_search_names_what_a_pronoun_stands_for(query: str, line: str, meant: str) -> None:
    earlier = [Call("lookup", {"query": "the Grey Larks"})]
    assert named_anew(Call("lookup", {"query": query}), earlier, line, PRONOUNS).arguments["query"] == meant
    assert named_anew(Call("search_documents", {"query": query}), earlier, line, PRONOUNS).arguments["query"] == query


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("and over here", True),
        ("what about at home then?", True),
        ("is it warmer there than it is here", True),
        ("is the milk still good here", False),
        ("we like it here", False),
        ("is it warmer than the living room at home", False),
        ("turn it off here", False),
    ],
)
def test_the_same_is_asked_of_here(line: str, asked: bool) -> None:
    away = Call("get_weather", {"place": "Ghent", "day": "Saturday"})
    found = here([away], ENGLISH.read(line))
    assert (found.arguments if found else None) == ({"day": "Saturday"} if asked else None)
    assert here([Call("get_weather", {"day": "Saturday"})], ENGLISH.read(line)) is None
