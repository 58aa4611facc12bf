"""Tool calls in pieces, as servers really send them."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from lan_server import END, HELLO, TIMER, Server, delta, events, lan, piece

from appliance.audio import never
from appliance.llm.failures import ServerFailed
from appliance.ports import Usage
from appliance.reply.plan import Answer, Call


def conversed(*parts: object) -> Answer:
    return lan(Server(httpx.Response(200, text=events(*parts, END)))).converse(HELLO, [TIMER], 64, Usage(), never)


def test_call_in_pieces_is_put_together() -> None:
    answer = conversed(
        delta(role="assistant", content=None),
        delta(content="One moment."),
        piece("", index=0, id="a", name="set_timer"),
        piece('{"min', index=0),
        piece('utes": 5}', index=0),
    )
    assert answer == Answer("One moment.", (Call("set_timer", {"minutes": 5}),))


TWO = (Call("set_timer", {"minutes": 5}), Call("stop", {}))


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param(
            [
                piece("", index=0, id="a", name="set_timer"),
                piece('{"minutes":5}', index=0),
                piece("{}", index=1, id="b", name="stop"),
            ],
            id="as OpenAI does",
        ),
        pytest.param(
            [piece('{"minutes":5}', index=0, id="a", name="set_timer"), piece("{}", index=0, id="b", name="stop")],
            id="all numbered 0, as Ollama does",
        ),
        pytest.param([piece('{"minutes":5}', name="set_timer"), piece("{}", name="stop")], id="neither number nor id"),
        pytest.param(
            [
                piece('{"min', index=0, id="a", name="set_timer"),
                piece('utes":5}', index=0, id="a", name="set_timer"),
                piece("{}", index=1, id="b", name="stop"),
            ],
            id="name in each piece, as llama_cpp.server does",
        ),
        pytest.param(
            [piece({"minutes": 5}, index=0, name="set_timer"), piece(None, index=1, name="stop")], id="objects"
        ),
    ],
)
def test_two_calls_are_told_apart_however_servers_number_them(pieces: list[dict[str, Any]]) -> None:
    assert conversed(*pieces).calls == TWO


@pytest.mark.parametrize("arguments", ['{"minutes": ', "five", "[5]", '"5"', "null", "[" * 100_000])
def test_call_with_broken_arguments_is_no_call_without_any(arguments: str) -> None:
    answer = conversed(piece(arguments, index=0, name="set_timer"), piece("{}", index=1, name="stop"))
    assert answer == Answer("", (Call("stop"),), ("set_timer",))


# --- as each kind of server writes it


def test_as_vllm_does() -> None:
    answer = conversed(
        delta(role="assistant", content=""),
        delta(reasoning_content="They want a timer."),
        delta(reasoning="Newer ones call it so."),
        delta(
            tool_calls=[{"id": "chatcmpl-tool-7f", "type": "function", "index": 0, "function": {"name": "set_timer"}}]
        ),
        delta(tool_calls=[{"index": 0, "function": {"arguments": '{"minutes": '}}]),
        delta(tool_calls=[{"index": 0, "function": {"arguments": "5}"}}]),
        delta(tool_calls=[{"id": "chatcmpl-tool-80", "type": "function", "index": 1, "function": {"name": "stop"}}]),
        delta(tool_calls=[{"index": 1, "function": {"arguments": "{}"}}]),
        {"choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "tool_calls", "stop_reason": None}]},
        {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": None}},
    )
    assert answer == Answer("", TWO)


def test_as_llama_server_does() -> None:
    answer = conversed(
        delta(role="assistant", content=None),
        piece("", index=0, id="mQ1", name="set_timer"),
        piece('{"minutes"', index=0),
        piece(":5}", index=0),
        piece("{}", index=1, id="mQ2", name="stop"),
        {"choices": [{"finish_reason": "tool_calls", "index": 0, "delta": {}}], "timings": {"predicted_n": 4}},
        {"choices": [], "usage": {"completion_tokens": 4, "prompt_tokens": 9, "total_tokens": 13}},
    )
    assert answer == Answer("", TWO)


@pytest.mark.parametrize("why", ["stop", "tool_calls", ""])
def test_as_ollama_does(why: str) -> None:
    call = {"type": "function", "function": {"name": "set_timer", "arguments": '{"minutes":5}'}}
    other = {"type": "function", "function": {"name": "stop", "arguments": "{}"}}
    answer = conversed(
        delta(role="assistant", content="", tool_calls=[{"id": "call_1", "index": 0, **call}]),
        delta(role="assistant", content="", tool_calls=[{"id": "call_2", "index": 0, **other}]),
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": why}]},
    )
    assert answer == Answer("", TWO)


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param(
            [piece('{"minutes":5}', index=0, name="set_timer"), piece("{}", index=0, name="stop")], id="named"
        ),
        pytest.param(
            [piece({"minutes": 5}, index=0, id="", name="set_timer"), piece("", index=0, name="stop")], id="bare"
        ),
        pytest.param(
            [
                piece('{"minutes"', index=0, name="set_timer"),
                piece(":5}", index=0, name="set_timer"),
                piece("{}", index=0, name="stop"),
            ],
            id="name in each piece",
        ),
        pytest.param(
            [piece('{"minutes":5}', index=0, id=1, name="set_timer"), piece("{}", id=2, name="stop")], id="numbers"
        ),
    ],
)
def test_two_calls_without_ids_that_are_both_the_first(pieces: list[dict[str, Any]]) -> None:
    assert conversed(*pieces).calls == TWO


def test_same_call_twice_without_ids_is_two() -> None:
    twice = [piece('{"minutes":5}', index=0, name="set_timer"), piece('{"minutes":9}', index=0, name="set_timer")]
    assert [call.arguments for call in conversed(*twice).calls] == [{"minutes": 5}, {"minutes": 9}]


def test_nulls_say_as_little_as_what_is_left_out() -> None:
    null = {"id": None, "usage": None, "error": None, "choices": [{"delta": None, "finish_reason": None}]}
    nothing = delta(content=None, reasoning=None, tool_calls=[{"index": None, "id": None, "function": None}])
    assert conversed(null, {"choices": None}, delta(content="Hi."), nothing).text == "Hi."


def test_answer_that_is_not_streamed_is_one_all_the_same() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "set_timer", "arguments": {"minutes": 5}}}
    message = {"role": "assistant", "content": "Yes.", "tool_calls": [call]}
    whole = {"object": "chat.completion", "choices": [{"message": message, "finish_reason": "tool_calls"}]}
    response = httpx.Response(200, text=json.dumps(whole, indent=2), headers={"content-type": "application/json"})
    answer = lan(Server(response)).converse(HELLO, [TIMER], 64, Usage(), never)
    assert answer == Answer("Yes.", (Call("set_timer", {"minutes": 5}),))


@pytest.mark.parametrize(
    ("pieces", "heard"),
    [
        (["<think>Hm.</think>Yes."], "Yes."),
        (["<thi", "nk>", "Hm.", "</th", "ink>", "\n\n", "Yes."], "Yes."),
        (["\n<think>\n\n</think>\n\nYes", " and no."], "Yes and no."),
        (["<", "3"], "<3"),
        (["<"], "<"),
        (["Say <think> and ", "</think>."], "Say <think> and </think>."),
        (["\n", "Yes."], "\nYes."),
    ],
)
def test_thoughts_between_marks_are_not_heard(pieces: list[str], heard: str) -> None:
    assert conversed(*(delta(content=each) for each in pieces)).text.lstrip("\n") == heard.lstrip("\n")


def test_nobody_thinks_longer_than_they_speak() -> None:
    with pytest.raises(ServerFailed, match="nothing but thoughts"):
        conversed(delta(content="<think>Hm, "), delta(content="well"), {"choices": [{"finish_reason": "length"}]})


def test_server_is_asked_not_to_think() -> None:
    server = Server(httpx.Response(200, text=events(delta(content="Hi."), END)))
    lan(server).converse(HELLO, [TIMER], 64, Usage(), never)
    assert server.bodies[0]["chat_template_kwargs"] == {"enable_thinking": False}
