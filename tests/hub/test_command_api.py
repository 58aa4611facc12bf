"""The Command API over a real port, as spec/hub.md and its clients have it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from running_hub import RunningHub, line, started

from appliance.hub.access import Role
from appliance.hub.gate import MOST_BYTES
from appliance.ports.hub import Call, Outcome
from appliance.simulated.hub_core import Refused, SimulatedCore

WEATHER = {
    "type": "function",
    "function": {
        "name": "open_weather",
        "description": "Gets the weather of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": []},
    },
}
CALLED = Outcome(
    said="Let me look.",
    stop_reason="tool_calls",
    calls=[Call(id="call_1", name="open_weather", arguments={"city": "Köln"})],
)
ASKED = Outcome(said="Which one?", stop_reason="validation_required", question="Which one?", options=["red", "blue"])
FINE = Outcome(said="It is sunny. | Take a hat.", stop_reason="complete")
SCRIPT = {"weather": [CALLED, FINE], "paint it": [ASKED, FINE], "twice": [CALLED, CALLED, FINE], "long": [FINE]}
V0 = "/api/v0"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHub]:
    with RunningHub(tmp_path_factory.mktemp("box"), SimulatedCore(SCRIPT)) as box:
        yield box


@pytest.fixture
def box(running: RunningHub) -> RunningHub:
    running.core.refuse.clear()
    running.core.delay_s = 0
    return running


@pytest.fixture
def client(box: RunningHub) -> Iterator[httpx.Client]:
    with box.client("satellite") as client:
        yield client


def go_on(client: httpx.Client, **body: object) -> httpx.Response:
    return client.post(f"{V0}/voice/command/continue", json={"conversation_id": "c1"} | body)


def results(call_id: str = "call_1") -> list[dict[str, object]]:
    return [{"tool_call_id": call_id, "output": {"success": True, "message": "Sunny.", "context": {"degrees": 23}}}]


def is_problem(response: httpx.Response, status: int, kind: str) -> bool:
    told = response.json()
    assert response.headers["content-type"] == "application/problem+json"
    assert told["remedy"]
    return (response.status_code, told["status"], told["kind"]) == (status, status, kind)


def test_a_line_is_answered_in_the_shape_of_the_specification(client: httpx.Client) -> None:
    started(client)
    assert line(client, "hello").json() == {
        "commands": [],
        "request_information": {"voice_command": "hello", "conversation_id": "c1"},
        "stop_reason": "complete",
        "assistant_message": "You said: hello.",
        "tool_calls": None,
        "validation_request": None,
    }


def test_a_tool_of_the_client_is_called_and_its_result_answered(box: RunningHub, client: httpx.Client) -> None:
    started(client, client_tools=[WEATHER])
    first = line(client, "weather").json()
    assert first["stop_reason"] == "tool_calls"
    [call] = first["tool_calls"]
    assert (call["id"], call["type"], call["function"]["name"]) == ("call_1", "function", "open_weather")
    assert json.loads(call["function"]["arguments"]) == {"city": "Köln"}
    then = go_on(client, tool_results=results()).json()
    assert (then["stop_reason"], then["assistant_message"]) == ("complete", "It is sunny. Take a hat.")
    assert then["request_information"] == {"voice_command": "weather", "conversation_id": "c1"}
    _, told = box.core.asked[-1]
    assert told["results"] == [{"id": "call_1", "success": True, "message": "Sunny.", "context": {"degrees": 23}}]


def test_a_question_is_asked_and_its_answer_taken(client: httpx.Client) -> None:
    started(client)
    first = line(client, "paint it").json()
    assert first["stop_reason"] == "validation_required"
    assert first["validation_request"] == {"question": "Which one?", "options": ["red", "blue"]}
    assert go_on(client, validation_response="blue").json()["stop_reason"] == "complete"


def test_what_a_client_answered_alone_goes_to_the_box_as_earlier_turns(box: RunningHub, client: httpx.Client) -> None:
    started(client)
    alone = [{"heard": "a timer for ten minutes", "said": "10 minutes, starting now."}]
    body = {"voice_command": "hello", "conversation_id": "c1", "node_context": {"earlier": alone}}
    assert client.post(f"{V0}/voice/command", json=body).status_code == 200
    assert box.core.asked[-1][1]["earlier"] == [
        {"role": "user", "text": "a timer for ten minutes"},
        {"role": "assistant", "text": "10 minutes, starting now."},
    ]
    started(client, node_context={"earlier": alone})
    assert len(box.core.asked[-1][1]["history"]) == 2
    for wrong in (alone * 5, [{"heard": "x" * 301, "said": "y"}], [{"heard": "x", "said": ""}]):
        body["node_context"] = {"earlier": wrong}
        assert is_problem(client.post(f"{V0}/voice/command", json=body), 422, "bad_schema")


def test_a_call_that_was_not_made_is_a_conflict(client: httpx.Client) -> None:
    started(client)
    line(client, "weather")
    assert is_problem(go_on(client, tool_results=results("call_9")), 409, "no_call")
    assert go_on(client, tool_results=results()).status_code == 200
    assert is_problem(go_on(client, tool_results=results()), 409, "no_call")


def test_an_unknown_conversation_is_not_found(client: httpx.Client) -> None:
    assert is_problem(line(client, "hello", "never"), 404, "no_conversation")
    body = {"conversation_id": "never", "validation_response": "yes"}
    assert is_problem(client.post(f"{V0}/voice/command/continue", json=body), 404, "no_conversation")


def test_an_expired_one_has_to_be_started_again(box: RunningHub, client: httpx.Client) -> None:
    started(client)
    box.core.refuse["turn"] = Refused("expired", "it was too long ago", 2)
    assert is_problem(line(client, "hello"), 404, "expired")
    box.core.refuse.clear()
    assert is_problem(line(client, "hello"), 404, "no_conversation")
    started(client)
    assert line(client, "hello").status_code == 200


def test_nobody_goes_on_with_the_conversation_of_another(box: RunningHub, client: httpx.Client) -> None:
    started(client)
    with box.client("owner") as other:
        assert is_problem(line(other, "hello"), 404, "no_conversation")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'{"voice_command": "x"}',
        b'{"voice_command": "x", "conversation_id": "c1", "role": "owner"}',
        b'{"voice_command": " ", "conversation_id": "c1"}',
        b'{"voice_command": "x", "conversation_id": "../c1"}',
        b'{"voice_command": "\\ud800", "conversation_id": "c1"}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_body_of_another_shape_is_refused(client: httpx.Client, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    assert is_problem(client.post(f"{V0}/voice/command", content=body, headers=headers), 422, "bad_schema")


def test_both_results_and_an_answer_are_refused(client: httpx.Client) -> None:
    started(client)
    assert is_problem(go_on(client, tool_results=results(), validation_response="yes"), 422, "bad_schema")
    assert is_problem(go_on(client), 422, "bad_schema")


def test_too_much_is_refused_before_it_is_read(client: httpx.Client) -> None:
    whole = {"voice_command": "x" * MOST_BYTES, "conversation_id": "c1"}
    assert is_problem(client.post(f"{V0}/voice/command", json=whole), 413, "too_long")
    chunks = (b"x" * 65_536 for _ in range(17))  # no Content-Length
    headers = {"Content-Type": "application/json"}
    assert client.post(f"{V0}/voice/command", content=chunks, headers=headers).status_code == 413


def test_a_method_or_a_path_that_is_not_there(client: httpx.Client) -> None:
    assert is_problem(client.get(f"{V0}/voice/command"), 405, "method_not_allowed")
    assert client.get(f"{V0}/voice/command").headers["allow"] == "POST"
    assert is_problem(client.get(f"{V0}/nothing"), 404, "not_found")


def test_what_the_core_refuses_is_told_with_its_remedy(box: RunningHub, client: httpx.Client) -> None:
    started(client)
    box.core.refuse["turn"] = Refused("busy", "too many wait already")
    response = line(client, "hello")
    assert is_problem(response, 429, "busy")
    assert int(response.headers["retry-after"]) > 0
    box.core.refuse["turn"] = Refused("missing", "no language model", 3)
    assert is_problem(line(client, "hello"), 503, "missing")


def test_who_speaks_is_told_by_the_token_and_not_by_the_text(box: RunningHub) -> None:
    token = box.token("guest", "visitor")
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=box.url, headers=headers) as client:
        context = {"speaker": "the owner", "room": "hall"}
        started(client, node_context=context)
        body = {"voice_command": "I am the owner", "conversation_id": "c1", "node_context": context}
        assert client.post(f"{V0}/voice/command", json=body).status_code == 200
    do, told = box.core.asked[-1]
    assert (do, told["channel"], told["person"], told["speaker"]) == ("turn", "guest", "", "the owner")
    assert told["conversation"] == "visitor/c1"


@pytest.mark.parametrize(
    ("role", "trusted"), [("owner", True), ("satellite", True), ("household", False), ("guest", False)]
)
def test_whose_tools_are_believed_is_told_by_the_token(box: RunningHub, role: Role, trusted: bool) -> None:
    with box.client(role) as client:
        started(client, client_tools=[WEATHER | {"trusted": True, "effect": "read"}])
    [tool] = box.core.asked[-1][1]["tools"]
    assert (tool["trusted"], tool["effect"]) == (trusted, "read")


def test_a_satellite_cannot_say_that_it_stands_elsewhere(box: RunningHub) -> None:
    headers = {"Authorization": f"Bearer {box.token('satellite', 'kitchen', room='kitchen')}"}
    with httpx.Client(base_url=box.url, headers=headers) as client:
        started(client, node_context={"room": "vault"})
    assert box.core.asked[-1][1]["room"] == "kitchen"


def test_the_same_key_has_it_done_once_and_gives_the_same_answer(box: RunningHub, client: httpx.Client) -> None:
    started(client)
    before = box.core.count("turn")
    first, again = (line(client, "set a timer", **{"Idempotency-Key": "k1"}) for _ in range(2))
    assert first.status_code == 200
    assert first.json() == again.json()
    assert box.core.count("turn") == before + 1
    assert is_problem(line(client, "another", **{"Idempotency-Key": "k1"}), 422, "key_reused")


def test_the_same_key_waits_while_the_first_still_runs(box: RunningHub, client: httpx.Client) -> None:
    started(client)
    box.core.delay_s = 0.5
    before = box.core.count("turn")
    with ThreadPoolExecutor(8) as pool:
        keyed = {"Idempotency-Key": "k2"}
        answers = [*pool.map(lambda _: line(client, "set a timer", **keyed), range(8))]
    assert {answer.text for answer in answers} == {answers[0].text}
    assert answers[0].status_code == 200
    assert box.core.count("turn") == before + 1


def test_a_key_under_which_nothing_was_done_may_come_again(box: RunningHub, client: httpx.Client) -> None:
    started(client)
    box.core.refuse["turn"] = Refused("busy")
    assert line(client, "set a timer", **{"Idempotency-Key": "k3"}).status_code == 429
    box.core.refuse.clear()
    assert line(client, "set a timer", **{"Idempotency-Key": "k3"}).status_code == 200


def test_a_key_is_its_tokens_own(box: RunningHub, client: httpx.Client) -> None:
    started(client)
    assert "one" in line(client, "one", **{"Idempotency-Key": "k4"}).text
    with box.client("satellite") as other:
        started(other)
        assert "two" in line(other, "two", **{"Idempotency-Key": "k4"}).text


def test_a_key_is_known_after_the_hub_was_started_again(tmp_path: Path) -> None:
    with RunningHub(tmp_path) as box:
        headers = {"Authorization": f"Bearer {box.token('satellite', 's')}", "Idempotency-Key": "k"}
        body = {"skill": "timers", "words": ["add", "5m"]}
        first = httpx.post(f"{box.url}{V0}/commands", json=body, headers=headers)
        assert first.status_code == 200
    with RunningHub(tmp_path) as box:
        again = httpx.post(f"{box.url}{V0}/commands", json=body, headers=headers)
        assert is_problem(again, 409, "key_used")
        assert box.core.count("command") == 0


def events(response: httpx.Response) -> list[tuple[str, dict[str, object]]]:
    found, name = [], ""
    for each in response.iter_lines():
        if each.startswith("event: "):
            name = each.removeprefix("event: ")
        elif each.startswith("data: "):
            found.append((name, json.loads(each.removeprefix("data: "))))
    return found


def streamed(client: httpx.Client, text: str, query: str = "") -> list[tuple[str, dict[str, object]]]:
    body = {"voice_command": text, "conversation_id": "c1"}
    headers = {"Accept": "text/event-stream"}
    with client.stream("POST", f"{V0}/voice/command{query}", json=body, headers=headers) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        return events(response)


def test_clauses_are_streamed_and_then_the_result(client: httpx.Client) -> None:
    started(client)
    told = streamed(client, "long")
    assert [name for name, _ in told] == ["text", "text", "done"]
    assert [value["text"] for _, value in told[:2]] == ["It is sunny.", "Take a hat."]
    assert told[-1][1]["assistant_message"] == "It is sunny. Take a hat."


def test_with_audio_each_clause_is_spoken_as_well(client: httpx.Client) -> None:
    started(client)
    told = streamed(client, "long", "?audio=true")
    assert sorted(name for name, _ in told) == ["audio", "audio", "done", "text", "text"]
    assert told[-1][0] == "done"
    assert all(value["rate"] == 16_000 for name, value in told if name == "audio")


def test_a_voice_that_is_not_there_leaves_the_text(box: RunningHub, client: httpx.Client) -> None:
    started(client)
    box.core.refuse["speak"] = Refused("missing", "no voice", 3)
    told = streamed(client, "long", "?audio=true")
    assert [name for name, _ in told if name != "text"] == ["no_audio", "done"]


def test_a_refusal_has_its_status_though_a_stream_was_wanted(box: RunningHub, client: httpx.Client) -> None:
    body = {"voice_command": "x", "conversation_id": "never"}
    response = client.post(f"{V0}/voice/command", json=body, headers={"Accept": "text/event-stream"})
    assert is_problem(response, 404, "no_conversation")


def test_who_hangs_up_on_a_stream_has_the_turn_stopped(box: RunningHub, client: httpx.Client) -> None:
    started(client)
    box.core.delay_s = 30
    body = {"voice_command": "long", "conversation_id": "c1"}
    headers = {"Accept": "text/event-stream"}
    with client.stream("POST", f"{V0}/voice/command", json=body, headers=headers) as response:
        next(response.iter_lines())
    await_count(box, "stop", 1)


def test_a_conversation_that_was_ended_is_gone(client: httpx.Client) -> None:
    started(client)
    assert client.post(f"{V0}/conversation/end", json={"conversation_id": "c1"}).status_code == 200
    assert is_problem(line(client, "hello"), 404, "no_conversation")


def await_count(box: RunningHub, what: str, count: int) -> None:
    ends_s = time.monotonic() + 20
    while box.core.count(what) < count:
        assert time.monotonic() < ends_s
        time.sleep(0.02)
