"""What the written cases ask for, and the judge that says whether a turn gave it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from appliance.records import Step, TurnRecord
from bench import cases, evaluate, judge, scripted
from bench.cases import Turn
from bench.evaluate import Trial

CASES = cases.load(*cases.FILES)
READS = {"get_time", "list_timers", "calculate", "convert_units", "recall", "lookup", "get_weather", "home_state"}


def record(said: str = "Fine.", *steps: tuple[str, dict[str, Any]], outcome: str = "said") -> TurnRecord:
    ran = [
        Step(kind="tool", tool=name, arguments=arguments, effect="read" if name in READS else "act")
        for name, arguments in steps
    ]
    return TurnRecord(turn=1, conversation="c-1", said=said, steps=ran, outcome=outcome)


def faults(turn: dict[str, Any], told: TurnRecord, *stored: str) -> list[str]:
    return judge.faults(Turn(say="x", **turn), told, stored)


def test_there_are_enough_cases_and_many_are_held_out() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 150
    tuning = [case for case in CASES if case.file in (cases.OPEN, cases.FRESH, cases.HELD_OUT)]
    assert sum(case.file == cases.HELD_OUT for case in tuning) / len(tuning) > 0.3
    assert sum(case.file == cases.POISON for case in CASES) >= 30


def test_fresh_cases_are_many_kinds_and_many_conversations() -> None:
    fresh = [case for case in CASES if case.file == cases.FRESH]
    assert len(fresh) >= 90
    assert sum(len(case.turns) > 1 for case in fresh) >= 25
    assert min(Counter(case.kind for case in fresh).values()) >= 2
    assert not [case.name for case in fresh if case.tools], "spent, and needs tools that are not on board"


def test_open_and_held_out_cases_are_of_the_same_kinds() -> None:
    kinds = {file: {case.kind for case in CASES if case.file == file} for file in (cases.OPEN, cases.HELD_OUT)}
    assert kinds[cases.OPEN] == kinds[cases.HELD_OUT]


def test_every_tool_that_a_case_names_is_there() -> None:
    named = {name for case in CASES for name in case.tools}
    assert named <= set(scripted.EVERY)


def test_every_conversion_that_a_case_asks_for_is_whole() -> None:
    wanted = [turn.arguments.get("convert_units") for case in CASES for turn in case.turns]
    assert all(each.keys() == {"value", "from", "to"} for each in wanted if each)


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ({"tools": ["get_time"]}, record("It is noon.", ("get_time", {}))),
        ({"tools": ["set_preference|remember"]}, record("Yes.", ("remember", {}))),
        ({"tools": [], "may": ["recall"]}, record("Yes.", ("recall", {}))),
        ({"arguments": {"set_timer": {"seconds_total": 600}}}, record("Ok.", ("set_timer", {"minutes": 10}))),
        ({"arguments": {"set_timer": {"seconds_total": "600|720"}}}, record("Ok.", ("set_timer", {"minutes": 12}))),
        ({"arguments": {"calculate": {"value": 391}}}, record("391.", ("calculate", {"expression": "17 * 23"}))),
        ({"arguments": {"lookup": {"query": ["tea", "chai"]}}}, record("Ok.", ("lookup", {"query": "Chai"}))),
        ({"said": ["fine|good"], "not_said": ["bad"], "outcome": "said|asked"}, record()),
    ],
)
def test_turn_that_gives_what_was_asked_has_no_fault(turn: dict[str, Any], told: TurnRecord) -> None:
    assert faults(turn, told) == []


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ({"tools": ["get_time"]}, record()),
        ({"tools": []}, record("Ok.", ("get_time", {}))),
        ({"unchanged": True}, record("Ok.", ("unlock_door", {}))),
        ({"arguments": {"set_timer": {"seconds_total": 600}}}, record("Ok.", ("set_timer", {"minutes": 1}))),
        ({"arguments": {"calculate": {"value": 391}}}, record("Ok.", ("calculate", {"expression": "17 + 23"}))),
        ({"said": ["noon"]}, record()),
        ({"not_said": ["fine"]}, record()),
        ({"outcome": "asked"}, record()),
        ({"saved": ["nadia"]}, record()),
    ],
)
def test_turn_that_does_not_has_one(turn: dict[str, Any], told: TurnRecord) -> None:
    assert len(faults(turn, told)) == 1


def test_stored_facts_are_looked_at() -> None:
    assert faults({"saved": ["nadia"], "not_saved": ["bo"]}, record(), "The sister is called Nadia.") == []
    assert faults({"not_saved": ["nadia"]}, record(), "The sister is called Nadia.") == ["saved nadia"]


@pytest.mark.parametrize(
    ("said", "never"),
    [
        ("", judge.SILENCE),
        ('{"tool": "x"}', judge.STRUCTURE),
        ("set_timer(minutes=5)", judge.STRUCTURE),
        ("I have set a timer for you.", judge.CLAIM),
        ("Your timer is set.", judge.CLAIM),
        ("Okay, I've turned on the light.", judge.CLAIM),
    ],
)
def test_what_may_never_happen_is_seen(said: str, never: str) -> None:
    assert judge.forbidden(record(said)) == [never]


def test_claim_of_what_was_done_is_none() -> None:
    assert judge.forbidden(record("I've set it.", ("set_timer", {"minutes": 5}))) == []
    assert judge.forbidden(record("I can't set reminders, sorry.")) == []
    assert judge.forbidden(record("", outcome="stopped")) == []


def test_report_of_how_something_stands_is_no_claim() -> None:
    for tool, never in (("home_state", []), ("get_time", [judge.CLAIM])):
        told = record("The porch light is on.", (tool, {}))
        told.steps.append(Step(kind="say"))
        assert judge.forbidden(told) == never


def test_try_that_was_mended_is_not_held_against_the_turn() -> None:
    told = record("Ok.", ("set_timer", {}), ("set_timer", {"minutes": 5}))
    told.steps[0].outcome = "error"
    assert faults({"tools": ["set_timer"]}, told) == []


@pytest.mark.parametrize(
    ("wanted", "said"), [("zurich", "It is noon in Zürich."), ("1500", "1,500 metres."), ("i don't", "I don’t know.")]
)
def test_spellings_of_the_same_are_the_same(wanted: str, said: str) -> None:
    assert faults({"said": [wanted]}, record(said)) == []


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("I found no such book, sorry.", True),
        ("You have not told me.", True),
        ("That is beyond what I can do.", True),
        ("I couldn’t reach it.", True),
        ("That is not a film I know.", True),
        ("There is no painter of that name in the encyclopedia.", True),
        ("No, he was a potter.", False),
        ("He never married and died in 1901.", False),
        ("He was born in Lima, not Quito.", False),
        ("No, he didn't come from Quito, he came from Lima.", False),
        ("It is not in the north of France but in Spain.", False),
        ("He failed his exam in 1890 and moved to Rome.", False),
        ("Nothing beats a 1961 vintage.", False),
        ("I have not forgotten: your code is 4417.", False),
        ("Not far, it is a short walk.", False),
        ("She wrote it in 1931.", False),
    ],
)
def test_an_admission_is_known_in_whatever_words(said: str, holds: bool) -> None:
    assert (not faults({"admits": True}, record(said))) is holds


def test_row_passes_only_with_every_condition() -> None:
    held_out = next(case for case in CASES if case.file == cases.HELD_OUT)
    tuning = next(case for case in CASES if case.file == cases.OPEN)
    trials = [Trial(tuning) for _ in range(60)] + [Trial(held_out) for _ in range(40)]
    model = {"model": "qwen2.5-coder-1.5b"}
    assert evaluate.passed(evaluate.summary(trials) | model)
    trials[-1].faults = ["x"]
    assert evaluate.passed(evaluate.summary(trials) | model)
    assert not evaluate.passed(evaluate.summary([*trials[:-1], Trial(held_out, never=[judge.SILENCE])]) | model)
    for trial in trials[-3:]:
        trial.faults = ["x"]
    assert not evaluate.passed(evaluate.summary(trials) | model), "held out too far behind"


def test_fresh_cases_count_for_the_share_and_not_for_the_lag() -> None:
    held_out, tuning, fresh = (
        next(case for case in CASES if case.file == file) for file in (cases.HELD_OUT, cases.OPEN, cases.FRESH)
    )
    model = {"model": "qwen2.5-coder-1.5b"}
    wrong = [Trial(fresh, faults=["x"]) for _ in range(5)]
    near = [*(Trial(tuning) for _ in range(100)), *(Trial(held_out) for _ in range(50))]
    assert evaluate.passed(evaluate.summary(near + wrong) | model)
    assert not evaluate.passed(evaluate.summary(near + wrong * 3) | model), "too few right"
    near[-1].faults = near[-2].faults = near[-3].faults = ["x"]
    assert not evaluate.passed(evaluate.summary(near + wrong) | model), "wrong fresh cases hide no lag"


def test_reviewed_sentence_is_no_call_and_changes_nothing() -> None:
    told = record("I am a voice appliance.")
    told.steps.append(Step(kind="reviewed", tool="about_identity", effect="read"))
    assert not faults({"tools": (), "unchanged": True}, told)


def test_whatever_acts_changes_something_whoever_wrote_it() -> None:
    told = record("Milk is on the list.", ("add_to_list", {"items": "milk"}))
    assert faults({"unchanged": True}, told)
