"""A model server on the LAN: what it is asked, what it answers, what it refuses."""

from __future__ import annotations

import logging
import time

import httpx
import pytest
from lan_server import END, HELLO, KEY, TIMER, URL, Server, Text, delta, events, lan, refused, spoken, written

from appliance.audio import never
from appliance.errors import ApplianceError, BadSettings, PromptTooLong, ToolsRefused, TurnFailed
from appliance.llm.failures import ServerFailed
from appliance.llm.lan import ASSUMED, LanModel
from appliance.ports import Message, Usage
from appliance.reply.plan import Answer

# --- what is asked and answered


def test_a_server_counts_as_large_and_may_be_closed_twice() -> None:
    model = lan(Server(spoken("Hi")))
    assert not model.facts.small
    model.close()
    model.close()


def test_pieces_come_as_the_server_writes_them() -> None:
    server = Server(spoken("Hel", "lo", "."))
    assert written(lan(server)) == ["Hel", "lo", "."]
    (request,) = server.requests
    assert request.url == f"{URL}/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    body = server.bodies[0]
    assert (body["model"], body["stream"], body["temperature"], body["max_tokens"]) == ("big", True, 0, 16)
    assert body["messages"] == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hello"}]
    assert "tools" not in body
    assert "grammar" not in body


def test_server_without_a_key_is_sent_none() -> None:
    server = Server(spoken("Hi"))
    written(lan(server, key=""))
    assert "authorization" not in server.requests[0].headers


def test_templates_that_insist_on_turns_get_them() -> None:
    prompt = [
        Message("system", "Be brief."),
        Message("system", "Be kind."),
        Message("user", "What time is it?"),
        Message("assistant", "get_time()"),
        Message("system", "Known: they live in Bonn."),
        Message("user", "-> half past two"),
        Message("user", "Go on."),
    ]
    server = Server(spoken("Hi"))
    list(lan(server).generate(prompt, None, 8, Usage(), never))
    assert server.bodies[0]["messages"] == [
        {"role": "system", "content": "Be brief.\nBe kind."},
        {"role": "user", "content": "What time is it?"},
        {"role": "assistant", "content": "get_time()"},
        {"role": "user", "content": "Known: they live in Bonn.\n-> half past two\nGo on."},
    ]


def test_usage_is_what_the_server_reports() -> None:
    usage = Usage()
    report = {"prompt_tokens": 120, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 100}}
    answer = events(delta(content="Hi"), {"choices": [], "usage": report}, END)
    before_s = time.monotonic()
    written(lan(Server(httpx.Response(200, text=answer))), usage=usage)
    assert (usage.prompt_tokens, usage.fresh_tokens, usage.generated_tokens) == (120, 20, 9)
    assert usage.first_token_s is not None
    assert before_s <= usage.first_token_s <= time.monotonic()


def test_pieces_are_counted_where_no_usage_is_reported() -> None:
    usage = Usage(prompt_tokens=7)
    written(lan(Server(spoken("a", "b", "c"))), usage=usage)
    assert (usage.prompt_tokens, usage.generated_tokens) == (7, 3)


def test_limit_holds_for_a_server_that_knows_none() -> None:
    assert written(lan(Server(spoken(*"abcdefgh"))), limit=3) == ["a", "b", "c"]


def test_rates_are_measured_on_long_answers_only() -> None:
    model = lan(Server(spoken("a", "b")))
    written(model)
    assert model.rates == ASSUMED
    report = {"prompt_tokens": 5_000, "completion_tokens": 100}
    long = events(*(delta(content="a") for _ in range(100)), {"choices": [], "usage": report}, END)
    model = lan(Server(httpx.Response(200, text=long)))
    written(model, limit=100)
    assert model.rates.prefill_tps != ASSUMED.prefill_tps
    assert model.rates.decode_tps > ASSUMED.decode_tps


def test_proxy_to_the_internet_is_not_asked_for_the_lan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert written(lan(Server(spoken("Hi")))) == ["Hi"]


@pytest.mark.parametrize(
    "url",
    [
        "",
        "server:8080",
        "ftp://server/v1",
        "http://",
        "http://a:b@server/v1",
        "http://server:x/v1",
        "http://server:99999/v1",
    ],
)
def test_address_that_cannot_be_used_is_told_at_the_start(url: str) -> None:
    with pytest.raises(BadSettings, match="http://server:8080/v1"):
        LanModel(url, "big", "", 5)


@pytest.mark.parametrize("key", ["schlüssel", "sk-1\nsk-2"])
def test_key_that_cannot_be_sent_is_told_but_not_shown(key: str) -> None:
    with pytest.raises(BadSettings) as told:
        LanModel(URL, "big", key, 5)
    assert key not in str(told.value)


# --- native tool calls


def test_tools_are_offered_in_openai_format() -> None:
    server = Server(spoken("Hi"))
    lan(server).converse(HELLO, [TIMER], 64, Usage(), never)
    function = {"name": "set_timer", "description": "Start a countdown.", "parameters": TIMER.schema}
    assert server.bodies[0]["tools"] == [{"type": "function", "function": function}]


def test_no_tools_are_no_empty_list_of_them() -> None:
    server = Server(spoken("Hi"))
    assert lan(server).converse(HELLO, [], 64, Usage(), never) == Answer("Hi")
    assert "tools" not in server.bodies[0]


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (400, {"error": {"message": "registry/gemma:2b does not support tools"}}),
        (400, {"object": "error", "message": '"auto" tool choice requires --enable-auto-tool-choice'}),
        (404, {"error": "No endpoints found that support tool use"}),
        (422, {"detail": [{"loc": ["body", "tools"], "msg": "extra inputs are not permitted", "input": "hello"}]}),
        (500, {"error": {"code": 500, "message": "Unsupported param: tools"}}),
        (501, {"error": "not implemented"}),
    ],
)
def test_server_that_refuses_tools_is_known_for_the_rest_of_the_session(status: int, reason: object) -> None:
    model = lan(Server(refused(status, reason), spoken("Hi")))
    assert (model.native, model.facts.tools) == (True, True)
    with pytest.raises(ToolsRefused):
        model.converse(HELLO, [TIMER], 64, Usage(), never)
    assert (model.native, model.facts.tools) == (False, False)
    assert written(model) == ["Hi"]


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (503, {"error": "loading the tool model"}),
        (429, {"error": "too many tool calls"}),
        (404, {"error": {"message": "The model `big` does not exist"}}),
    ],
)
def test_other_failures_say_nothing_about_tools(status: int, reason: object) -> None:
    model = lan(Server(refused(status, reason)))
    with pytest.raises(TurnFailed) as told:
        model.converse(HELLO, [TIMER], 64, Usage(), never)
    assert type(told.value) is ServerFailed
    assert model.native


# --- refusals


def test_grammar_goes_along_as_llama_servers_take_it() -> None:
    server = Server(spoken("yes"))
    written(lan(server), grammar=Text())
    assert server.bodies[0]["grammar"] == Text().gbnf


def test_refused_grammar_is_left_out_from_then_on() -> None:
    server = Server(refused(400, {"error": "unknown field: grammar"}), spoken("yes"))
    model = lan(server)
    assert written(model, grammar=Text()) == ["yes"]
    assert written(model, grammar=Text()) == ["yes"]
    assert ["grammar" in body for body in server.bodies] == [True, False, False]
    assert all("stream_options" in body for body in server.bodies)


def test_refusal_that_repeats_the_request_is_not_taken_for_a_refused_grammar() -> None:
    sent = {"grammar": "root", "stream_options": {}}
    detail = [{"loc": ["body", "stream_options"], "msg": "extra inputs are not permitted", "input": sent}]
    server = Server(refused(422, {"detail": detail}), spoken("yes"))
    written(lan(server), grammar=Text())
    assert [("grammar" in body, "stream_options" in body) for body in server.bodies] == [(True, True), (True, False)]


def test_refusal_without_a_reason_is_tried_again_with_the_plain_request_only_once() -> None:
    server = Server(refused(400, "bad request"))
    with pytest.raises(TurnFailed, match="status 400"):
        written(lan(server), grammar=Text())
    assert [("grammar" in body, "stream_options" in body) for body in server.bodies] == [(True, True), (False, False)]


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (400, {"error": {"message": "This model's maximum context length is 2048 tokens.", "code": None}}),
        (400, {"error": {"message": "the request exceeds the available context size, try increasing it"}}),
        (500, {"error": "context window is full"}),
    ],
)
def test_prompt_beyond_the_context_is_told_as_such(status: int, reason: object) -> None:
    with pytest.raises(PromptTooLong):
        written(lan(Server(refused(status, reason))))


@pytest.mark.parametrize(
    ("status", "what"),
    [
        (401, "refused the key"),
        (403, "refused the key"),
        (404, "no such model"),
        (429, "too much to do"),
        (500, "failed"),
        (502, "failed"),
        (503, "is starting"),
        (504, "failed"),
        (302, "sends elsewhere"),
        (204, "gave no answer"),
        (418, "does not take"),
        (999, "failed"),
    ],
)
def test_each_failure_says_what_to_look_at(status: int, what: str) -> None:
    with pytest.raises(ServerFailed, match=what) as told:
        written(lan(Server(httpx.Response(status, text="", headers={"location": "http://elsewhere/"}))))
    assert told.value.what.startswith(f"the model server at {URL.removesuffix('/v1')} ")
    assert told.value.remedy


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "no answer"),
        (events(delta(content="Hi")), "broke off"),
        ("<html>hello</html>", "no answer"),
        (events("{nonsense"), "no answer"),
        (events({"choices": "none"}), "no answer"),
        (events([1]), "no answer"),
        (events(delta(content="Hi"), {"error": {"message": "out of memory"}}, END), "failed within"),
        (events(delta(content="Hi"), {"choices": [{"delta": {}, "finish_reason": "abort"}]}, END), "failed within"),
    ],
)
def test_half_an_answer_is_none(text: str, what: str) -> None:
    with pytest.raises(TurnFailed, match=what):
        written(lan(Server(httpx.Response(200, text=text))))


def test_reason_that_is_told_only_where_nothing_is_streamed_is_asked_for() -> None:
    """As of llama-cpp-python's server: a stream that ends before it began."""
    long = refused(400, {"error": {"message": "This model's maximum context length is 512 tokens."}})
    server = Server(httpx.Response(200, text=""), long)
    with pytest.raises(PromptTooLong):
        written(lan(server))
    assert ["stream" in body for body in server.bodies] == ["stream_options" in body for body in server.bodies]
    assert ["stream" in body for body in server.bodies] == [True, False]
    server = Server(httpx.Response(200, text=""), httpx.Response(200, text=""), spoken("Hi"))
    with pytest.raises(ServerFailed, match="no answer"):
        written(lan(server))
    assert len(server.requests) == 2


def test_answer_is_whole_without_the_closing_word_once_the_server_said_why_it_ends() -> None:
    last = {"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]}
    assert written(lan(Server(httpx.Response(200, text=": ping\n\n" + events(last))))) == ["Hi"]


def test_neither_key_nor_words_are_in_errors_or_logs(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    told = f"the key {KEY} may not ask: hello"
    answers = [refused(400, f"{told} with grammar"), spoken("yes"), refused(401, told)]
    model = lan(Server(*answers, httpx.Response(200, text=events(told))))
    assert written(model, grammar=Text()) == ["yes"]
    for _ in range(2):
        with pytest.raises(ApplianceError) as error:
            written(model, grammar=Text())
        said = error.value.spoken()
        for place in (str(error.value), repr(error.value), said, str(error.value.__cause__), repr(model)):
            assert KEY not in place
            assert "hello" not in place
    assert "does not take: grammar" in caplog.text
    assert KEY not in caplog.text
    assert "hello" not in caplog.text
