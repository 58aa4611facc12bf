"""Where encyclopedia or papers have nothing, the other one is asked; what a result does not tell is told so."""

from __future__ import annotations

import pytest
from rig import Rig

from appliance.skills.schema import tool


def search_documents(query: str) -> str:
    """Search the household's papers."""
    return "Nothing was found." if "orchard" in query.casefold() else "The boiler is a Vexley 30."


def rig(*writes: str, found: str) -> Rig:
    made = Rig(*writes, more_tools=[tool(search_documents, "read", untrusted=True)])
    made.home.gives = found
    return made


def called(made: Rig, line: str) -> list[str | None]:
    return [step.tool for step in made.say(line).steps if step.tool]


def test_papers_that_have_nothing_are_followed_by_the_encyclopedia() -> None:
    made = rig('search_documents(query="Plum Orchard")', "say A novel.", found="Plum Orchard is a novel of 2011.")
    assert called(made, "what is Plum Orchard, is it a book") == ["search_documents", "lookup"]
    assert "novel of 2011" in made.read[-1]
    assert "Nothing was found" not in made.read[-1]


def test_so_is_the_other_way_round() -> None:
    made = rig('lookup(query="Vexley 30")', "say Your boiler.", found="Nothing was found.")
    assert called(made, "what is a Vexley 30") == ["lookup", "search_documents"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("what is a Vexley 30", "A Vexley is a boiler."),
        ("look up a Vexley 30 in the encyclopedia", "Nothing was found."),
        ("what is a Vexley 30", "Nothing in this house may be let."),
    ],
)
def test_one_that_was_named_or_had_something_stays_the_only_one(line: str, found: str) -> None:
    assert called(rig('lookup(query="Vexley 30")', "say I see.", found=found), line) == ["lookup"]


@pytest.mark.parametrize(
    ("line", "found", "note"),
    [
        ("how many rooms did the Grand Vexley have", "It is a hotel by the sea.", "nothing is told above about rooms"),
        ("did Ora Vexley have any kids", "She was a potter of 1903.", "nothing is told above about kids"),
        ("how many books did Ora Vexley write", "She wrote over 1,200.", ""),
        ("did the Vexley have any gardens", "It is a hotel of 1903.", ""),  # it may be told in other words
        ("did Ora Vexley have any kids", "She was a potter, and had two daughters.", ""),
        ("how many storeys has the Grand Vexley got", "It is a hotel of twelve floors.", ""),
        ("how many rooms has the Vexley got", "Its rooms look out on the sea.", ""),
        ("when did the Grand Vexley open", "It is a hotel.", ""),
    ],
)
def test_what_a_result_does_not_tell_is_told(line: str, found: str, note: str) -> None:
    made = rig('lookup(query="Vexley")', "say I see.", found=found)
    made.say(line)
    assert note in made.read[-1]
    assert note or "nothing is told" not in made.read[-1]
