"""Turns are judged by what they mean, and a failed one is blamed on the right part. No model: canned records."""

from typing import Any

import pytest

from appliance.records import AudioFacts, Step, TurnRecord
from bench import scoring
from bench.requests import Request
from bench.scoring import Spoken

Call = tuple[str, dict[str, Any]]


def request(*expect: dict[str, dict[str, Any]]) -> Request:
    return Request(say="whatever was said", voice="joe", expect=expect)


def record(*calls: Call, said: str = "Done.", outcome: Any = "ok", seconds: float = 2.0) -> TurnRecord:
    steps = [Step(kind="tool", tool=tool, arguments=arguments, outcome=outcome) for tool, arguments in calls]
    return TurnRecord(
        turn=1,
        conversation="c-1",
        steps=steps or [Step(kind="say")],
        said=said,
        outcome="said",
        audio=AudioFacts(seconds=seconds, wake_score=0.99),
    )


RIGHT: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("set_timer", {"seconds": 5400, "label": ["roast"]}, {"hours": 1, "minutes": 30, "label": "Sunday Roast"}),
    ("set_timer", {"seconds": 5400}, {"minutes": 90}),
    ("calculate", {"value": 45}, {"expression": "18% of 250"}),
    ("calculate", {"value": 45}, {"expression": "250 * 0.18"}),
    ("convert_units", {"asks": [10, "mile", "kilometer"]}, {"value": 10.0, "from_unit": "miles", "to_unit": "km"}),
    (
        "convert_units",
        {"asks": [20, "celsius", "fahrenheit"]},
        {"value": 20, "from_unit": "°C", "to_unit": "degrees Fahrenheit"},
    ),
    ("get_time", {"what": "time", "place": ["tokyo", "japan"]}, {"place": "Tokyo, Japan"}),
    ("get_time", {"what": "date", "place": "here"}, {"what": "date"}),
    ("set_volume", {"direction": "up"}, {"direction": "up"}),
    ("cancel_timer", {"which": ["soup"]}, {"label": "the Soup timer"}),
    ("list_timers", {}, {}),
]
WRONG: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("set_timer", {"seconds": 5400}, {"minutes": 30}),
    ("set_timer", {"seconds": 300, "label": ["pasta"]}, {"minutes": 5}),
    ("calculate", {"value": 45}, {"expression": "18 + 250"}),
    ("calculate", {"value": 45}, {"expression": "import os"}),
    ("convert_units", {"asks": [10, "mile", "kilometer"]}, {"value": 10, "from_unit": "km", "to_unit": "miles"}),
    ("convert_units", {"asks": [10, "mile", "kilometer"]}, {"value": 10, "from_unit": "parsnips", "to_unit": "km"}),
    ("get_time", {"place": "here"}, {"place": "London"}),
    ("get_time", {"what": "date"}, {"what": "time"}),
    ("set_volume", {"level": 20}, {"direction": "down"}),
    ("set_volume", {"direction": "up"}, {"direction": "down"}),
    ("cancel_timer", {"which": ["soup"]}, {"label": "oven"}),
]


@pytest.mark.parametrize(("tool", "wanted", "arguments"), RIGHT)
def test_arguments_may_be_spelt_in_any_way(tool: str, wanted: dict[str, Any], arguments: dict[str, Any]) -> None:
    assert scoring.fault(request({tool: wanted}), record((tool, arguments))) is None


@pytest.mark.parametrize(("tool", "wanted", "arguments"), WRONG)
def test_another_meaning_is_a_wrong_argument(tool: str, wanted: dict[str, Any], arguments: dict[str, Any]) -> None:
    assert scoring.fault(request({tool: wanted}), record((tool, arguments))) == "argument"


def test_a_tool_that_answered_with_an_error_was_given_a_wrong_argument() -> None:
    assert scoring.fault(request({"list_timers": {}}), record(("list_timers", {}), outcome="error")) == "argument"


def test_two_calls_count_in_any_order() -> None:
    both = request({"set_timer": {"seconds": 360}}, {"set_timer": {"seconds": 1800}})
    calls: list[Call] = [("set_timer", {"minutes": 30}), ("set_timer", {"minutes": 6})]
    assert scoring.fault(both, record(*calls)) is None
    assert scoring.fault(both, record(calls[0], calls[0])) == "argument"


def test_another_tool_a_missing_one_and_one_too_many_are_wrong_plans() -> None:
    time: dict[str, dict[str, Any]] = {"get_time": {}}
    timers: Call = ("list_timers", {})
    assert scoring.fault(request(time), record(timers)) == "plan"
    assert scoring.fault(request(time), record()) == "plan"
    assert scoring.fault(request(), record(timers)) == "plan"
    assert scoring.fault(request(time), record(("get_time", {}), timers)) == "plan"


def test_talk_must_use_no_tool_and_be_answered() -> None:
    assert scoring.fault(request(), record(said="I am well.")) is None
    assert scoring.fault(request(), record(said="")) == "plan"


def test_stop_is_right_without_a_word() -> None:
    assert scoring.fault(request({"stop": {}}), record(("stop", {}), said="")) is None


LIST = request({"list_timers": {}})


def spoken(record: TurnRecord, woke: bool = True) -> Spoken:
    return Spoken(record, woke, said_s=2.0)


def never_asked() -> TurnRecord:
    raise AssertionError("the request was typed although it was plain who is to blame")


def test_a_turn_that_never_woke_is_blamed_on_the_wake_word() -> None:
    assert scoring.cause(LIST, spoken(TurnRecord(turn=0, conversation=""), woke=False), never_asked) == "wake"


def test_a_request_not_heard_or_cut_short_is_blamed_on_the_end_of_turn() -> None:
    assert scoring.cause(LIST, spoken(TurnRecord(turn=0, conversation="")), never_asked) == "endpoint"
    assert scoring.cause(LIST, spoken(record(seconds=1.2)), never_asked) == "endpoint"


def test_what_works_when_typed_is_blamed_on_the_speech_recogniser() -> None:
    assert scoring.cause(LIST, spoken(record()), lambda: record(("list_timers", {}))) == "stt"


def test_what_fails_when_typed_too_is_blamed_on_the_plan_or_the_argument() -> None:
    wanted = request({"set_timer": {"seconds": 60}})
    assert scoring.cause(wanted, spoken(record()), record) == "plan"
    assert scoring.cause(wanted, spoken(record()), lambda: record(("set_timer", {"hours": 1}))) == "argument"


def test_a_right_turn_has_no_cause() -> None:
    assert scoring.cause(LIST, spoken(record(("list_timers", {}))), never_asked) is None
