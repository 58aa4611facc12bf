"""Which tools a line is offered, and when only a call may follow: by one score for each tool."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from appliance.reply.channels import CHANNELS
from appliance.reply.line import ELSEWHERE, Line
from appliance.reply.select import NEEDED, Recent, Selection, Selector
from appliance.reply.toolset import Toolset
from appliance.simulated import ListedTool

SAID = {"type": "number", "said": True}
TOOLS = [
    ListedTool("boil", effect="act"),
    ListedTool("cool", effect="act"),
    ListedTool("count", properties={"number": SAID}, required=("number",)),
    ListedTool("look"),
]
SKILLS = {"boil": "kettle", "cool": "kettle", "count": "sums", "look": "sight", "warn": "care", "calm": "care"}


def selected(
    scores: Mapping[str, float],
    no_tool: float = 0.0,
    digits: str = "",
    recent: Recent = Recent(),  # noqa: B008
    facts: tuple[str, ...] = (),
    lacking: frozenset[str] = frozenset(),
    answers: Mapping[str, float] | None = None,
    direct: frozenset[str] = frozenset(),
) -> Selection:
    tools = Toolset(CHANNELS["chat"], {}, (), {tool.name: tool for tool in TOOLS})
    tools.add(TOOLS)
    line = Line("a whole line", digits or "a whole line", {tool.name: 0.0 for tool in TOOLS} | dict(scores), no_tool)
    return Selector(SKILLS, lacking, answers, direct).select(line, tools, recent, facts)


def names(selection: Selection) -> list[str]:
    return [tool.name for tool in selection.tools]


def test_what_is_likely_is_offered() -> None:
    assert names(selected({"boil": 0.5, "cool": 0.2, "look": 0.001})) == ["boil", "cool"]


def test_what_is_far_less_likely_than_another_is_not() -> None:
    assert names(selected({"boil": 0.7, "cool": 0.012})) == ["boil"]


def test_for_talk_none_is_offered() -> None:
    assert names(selected({"boil": 0.2}, no_tool=0.9)) == []


def test_what_is_certain_is_called_and_not_talked_about() -> None:
    assert selected({"boil": NEEDED}).forced
    assert selected({"boil": 0.6, "cool": 0.5}).forced, "whichever of them it is"
    assert not selected({"boil": NEEDED - 0.01}).forced
    assert not selected({"boil": 0.6}, no_tool=0.5).forced
    assert not selected({"boil": 0.6, ELSEWHERE: 0.7}).forced


def test_where_a_tool_is_wanted_and_none_likely_words_would_be_a_guess() -> None:
    assert selected({"look": 0.2}, no_tool=0.01).guess
    assert not selected({"look": NEEDED}, no_tool=0.01).guess, "it is called"
    assert not selected({"look": 0.2}, no_tool=0.2).guess, "words may be right"
    assert not selected({"look": 0.2}, no_tool=0.01, facts=("a fact",)).guess, "it may be the source"
    assert not selected({"look": 0.2}, no_tool=0.01, recent=Recent(frozenset({"boil"}))).guess, "it goes on"


def test_what_a_fact_may_answer_is_not_looked_up_by_force() -> None:
    assert not selected({"look": 0.95}, facts=("The user's hat is red.",)).forced
    assert selected({"boil": 0.95}, facts=("The user's hat is red.",)).forced


def test_the_skill_of_the_last_turn_stays_open() -> None:
    assert names(selected({"look": 0.3}, recent=Recent(used=frozenset({"boil"})))) == ["boil", "cool", "look"]
    assert names(selected({}, no_tool=0.9, recent=Recent(used=frozenset({"boil"})))) == []


def test_what_a_question_was_asked_for_stays_open() -> None:
    assert names(selected({}, no_tool=0.9, recent=Recent(awaited=frozenset({"cool"})))) == ["cool"]


@pytest.mark.parametrize(("digits", "counted"), [("7 eggs", False), ("eggs", True)])
def test_what_needs_a_number_takes_one_that_was_said(digits: str, counted: bool) -> None:
    assert names(selected({"count": 0.5}, digits=digits, recent=Recent(counted=counted))) == ["count"]
    assert names(selected({"count": 0.5}, digits="eggs")) == []


def test_what_nothing_here_does_is_told_and_no_other_tool_taken() -> None:
    lacking = frozenset({"fly"})
    assert selected({"fly": 0.9, "boil": 0.1}, lacking=lacking) == Selection(absent="fly")
    assert names(selected({"fly": 0.9, "boil": 0.9}, lacking=lacking)) == ["boil"]
    assert not selected({"fly": 0.4}, lacking=lacking).absent


def test_what_is_wanted_elsewhere_is_refused_whichever_it_is() -> None:
    lacking = frozenset({"fly", "swim"})
    assert selected({"fly": 0.1, "swim": 0.2, ELSEWHERE: 0.6}, lacking=lacking).absent == ELSEWHERE
    assert selected({"fly": 0.1, "swim": 0.4, ELSEWHERE: 0.6}, lacking=lacking).absent == "swim"
    assert not selected({"fly": 0.4, ELSEWHERE: 0.6, "boil": 0.7}, lacking=lacking).absent


@pytest.mark.parametrize(("text", "absent"), [("go on", ""), ("dim the lamp in the hall", ELSEWHERE)])
def test_a_fragment_is_not_refused_for_what_it_may_want(text: str, absent: str) -> None:
    line = Line(text, text, {"fly": 0.1, ELSEWHERE: 0.6}, 0.0)
    assert (
        Selector(SKILLS, frozenset({"fly"})).select(line, Toolset(CHANNELS["chat"], {}, (), {}), Recent()).absent
        == absent
    )


def test_skill_that_is_here_after_all_is_not_refused_for_its_like() -> None:
    assert not selected({"fly": 0.4, "kettle": 0.5, ELSEWHERE: 0.9}, lacking=frozenset({"fly"})).absent


def test_a_language_without_scores_is_offered_all() -> None:
    tools = Toolset(CHANNELS["chat"], {}, (), {tool.name: tool for tool in TOOLS})
    tools.add(TOOLS)
    assert len(Selector(SKILLS, frozenset()).select(Line("x"), tools, Recent()).tools) == len(TOOLS)


def test_where_reviewed_sentences_alone_were_taught_every_tool_is_offered_to_other_lines() -> None:
    tools = Toolset(CHANNELS["chat"], {}, (), {tool.name: tool for tool in TOOLS})
    tools.add(TOOLS)
    selector = Selector(SKILLS, frozenset(), {"care": 0.4})
    grave, other = (
        selector.select(Line("x", scores={"care": score, "warn": score}), tools, Recent()) for score in (0.5, 0.3)
    )
    assert (grave.direct, other.direct) == ("warn", "")
    assert len(other.tools) == len(TOOLS)


def test_a_tool_that_was_never_taught_goes_by_its_own_prior() -> None:
    tools = Toolset(CHANNELS["chat"], {}, (), {tool.name: tool for tool in TOOLS})
    tools.add(TOOLS)
    line = Line("water the plants", "", {"look": 0.0}, 0.1)
    prior = {"boil": 0.9, "cool": 0.0, "count": 0.0}
    selection = Selector(SKILLS, frozenset(), prior=lambda text: prior).select(line, tools, Recent())
    assert (names(selection), selection.forced) == (["boil"], True)


@pytest.mark.parametrize(
    ("scores", "recent", "answer"),
    [
        ({"care": 0.4, "warn": 0.1, "calm": 0.05}, Recent(), "warn"),
        ({"care": 0.2, "warn": 0.35, "calm": 0.05}, Recent(), "warn"),
        ({"care": 0.2, "warn": 0.1, "calm": 0.05}, Recent(), ""),
        ({"care": 0.2, "warn": 0.05, "calm": 0.1}, Recent(used=frozenset({"warn"})), "calm"),
        ({"care": 0.4, "warn": 0.1, "boil": 0.5}, Recent(), ""),
        ({"care": 0.95, "warn": 0.9, "boil": 0.9}, Recent(), "warn"),
    ],
)
def test_a_reviewed_sentence_answers_what_means_its_skill_more_than_a_tool(
    scores: Mapping[str, float], recent: Recent, answer: str
) -> None:
    assert selected(scores, recent=recent, answers={"care": 0.3}).direct == answer


@pytest.mark.parametrize(
    ("scores", "direct"),
    [({"rest": 0.6}, "rest"), ({"rest": 0.4}, ""), ({"rest": 0.6, "boil": 0.7}, ""), ({"boil": 0.6}, "")],
)
def test_a_command_that_the_model_never_sees_is_called_where_it_is_meant_most(
    scores: Mapping[str, float], direct: str
) -> None:
    assert selected(scores, direct=frozenset({"rest", "wake"})).direct == direct
