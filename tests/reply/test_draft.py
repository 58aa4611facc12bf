"""How a pass probably begins, by the words of its line alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field
from rig import Rig

from appliance.ports import Tool
from appliance.reply import draft
from appliance.reply.grammar import PlanGrammar, compile_grammar
from appliance.reply.understanding.patterns import Patterns, patterns
from appliance.reply.understanding.signs import Signs
from appliance.simulated import CannedModel
from appliance.skills.schema import tool

Number = Annotated[float | None, Field(json_schema_extra={"said": True})]


def egg_timer(hours: Number = None, minutes: Number = None, label: str = "") -> str:
    """Start it."""
    return ""


def tell(place: str = "", what: Literal["time", "date"] = "time", day: str = "") -> str:
    """Tell something."""
    return ""


def reckon(expression: Annotated[str, Field(json_schema_extra={"said": True})]) -> str:
    """Work it out."""
    return ""


def convert(value: float, from_unit: str, to_unit: str) -> str:
    """Convert."""
    return ""


def note(text: str) -> str:
    """Write it down."""
    return ""


CHOICES = {"tell": {"what": {"time": True, "date": False}}}
WORDS = patterns("en") or Patterns()


def line(text: str, **more: Any) -> Signs:
    """Of a line with its numbers in digits."""
    return Signs(digits=text, words=WORDS, **more)


CALLS = (
    (egg_timer, line("45 minutes for the bread"), 'egg_timer(minutes=45, label="bread")'),
    (egg_timer, line("my soup is on, 8 minutes for the noodles"), 'egg_timer(minutes=8, label="noodles")'),
    (egg_timer, line("45 minutes"), "egg_timer(minutes=45"),
    (egg_timer, Signs(digits="1 hour 30 minutes"), "egg_timer(hours=1, minutes=30"),
    (egg_timer, Signs(digits="the usual time"), "egg_timer"),
    (egg_timer, Signs(digits="a 5-minute egg"), "egg_timer(minutes=5"),
    (tell, Signs(place="Oslo", choices=CHOICES), 'tell(place="Oslo", what="time")'),
    (tell, Signs(day="Easter"), 'tell(day="Easter")'),
    (tell, Signs(), "tell"),
    (reckon, line("26 tickets at 19 each"), 'reckon(expression="26 * 19")'),
    (reckon, line("what is left when I take away 35 from 80"), 'reckon(expression="80 - 35")'),
    (reckon, line("7 of us split 210"), 'reckon(expression="210 / 7")'),
    (reckon, line("we leave 20% of 45"), 'reckon(expression="45 * 0.2")'),
    (reckon, line("the 26 tickets and then 4 and 5"), 'reckon(expression="26'),
    (reckon, Signs(digits="26 tickets at 19 each"), 'reckon(expression="26'),
    (convert, line("3 miles in feet"), 'convert(value=3, from_unit="miles", to_unit="feet")'),
    (convert, line("how many metres are 3 miles"), 'convert(value=3, from_unit="miles", to_unit="meter")'),
    (convert, line("3 miles, would you"), 'convert(value=3, from_unit="miles"'),
    (convert, line("3 or 4 miles in feet"), "convert"),
    (note, Signs(digits="write 5 letters"), "note"),
)


DRAFTS = ("say", 'tell(place="Oslo", what="time")', 'egg_timer(minutes=5, label="eggs")')


@pytest.mark.parametrize(("function", "signs", "begins"), CALLS)
def test_call_begins_with_what_the_words_give(function: object, signs: Signs, begins: str) -> None:
    made: Tool = tool(function, "act")  # type: ignore[arg-type]
    assert draft.call(made, signs) == begins


@pytest.mark.parametrize(("function", "signs", "begins"), CALLS)
def test_call_that_is_begun_is_one_that_may_be_written(function: object, signs: Signs, begins: str) -> None:
    """The grammar forces the same, as far as it forces anything."""
    grammar = compile_grammar([tool(function, "act")], 1, speech=False)  # type: ignore[arg-type]
    written = ""
    while forced := grammar.forced(written):
        written += forced
    assert (begins + grammar.forced(begins)).startswith(written)


@pytest.mark.parametrize("line", ["would you rather be a cat or a dog", "my knees hurt again"])
def test_words_are_likely_where_no_tool_is_meant(line: str) -> None:
    model = CannedModel(["say So it is."])
    Rig(model=model).say(line)
    (grammar,) = model.grammars
    assert isinstance(grammar, PlanGrammar)
    assert grammar.likely("") == "say"


def test_call_is_guessed_once_its_tool_is_written() -> None:
    grammar = replace(compile_grammar([tool(egg_timer, "act"), tool(tell, "read")], 2), drafts=DRAFTS)
    assert grammar.likely("") == "say"
    assert grammar.likely("te") == ""
    assert grammar.likely("tell") == '(place="Oslo", what="time")'
    assert grammar.likely('tell(place="') == 'Oslo", what="time")'
    assert grammar.likely('tell(place="B') == ""
    assert grammar.likely(DRAFTS[1]) == ""
    assert grammar.likely(f"{DRAFTS[1]}\n") == ""
    assert grammar.likely(f"{DRAFTS[1]}\negg_timer(") == 'minutes=5, label="eggs")'
    assert grammar.likely("say egg_timer(") == ""
