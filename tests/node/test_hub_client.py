"""The client of the Command API against a hub on a real socket that answers rightly, wrongly, late and not at all."""

from __future__ import annotations

import asyncio
import hashlib
import ssl
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hub_server import HubServer
from starlette.responses import Response

from appliance.bridge.hub_client import HubClient, HubLost
from appliance.ports.command_api import NodeContext, Output, ToolResult
from appliance.simulated.hub import SimulatedHub, problem, result

T = TypeVar("T")
TOOL = {"type": "function", "function": {"name": "beep", "parameters": {"type": "object", "properties": {}}}}


@pytest.fixture
def hub() -> SimulatedHub:
    return SimulatedHub()


@pytest.fixture
def server(hub: SimulatedHub) -> Iterator[HubServer]:
    with HubServer(hub.app) as server:
        yield server


def ask(server: HubServer, do: Callable[[HubClient], Awaitable[T]], token: str = "t0ken", fingerprint: str = "") -> T:
    async def asked() -> T:
        context = NodeContext(node_id="kitchen-box", room="kitchen", timezone="Europe/Berlin")
        async with HubClient(server.url, token, context, fingerprint) as client:
            await client.start_conversation("c1", [TOOL])
            return await do(client)

    return asyncio.run(asked())


def why(server: HubServer, do: Callable[[HubClient], Awaitable[Any]], **others: str) -> str:
    with pytest.raises(HubLost) as lost:
        ask(server, do, **others)
    return lost.value.why


def command(client: HubClient) -> Awaitable[Any]:
    return client.send_command("c1", "hello")


def test_a_conversation_brings_its_tools_and_where_it_is(hub: SimulatedHub, server: HubServer) -> None:
    answer = ask(server, command)
    assert (answer.stop_reason, answer.assistant_message) == ("complete", "You said: hello.")
    (_, started), (_, said) = hub.asked
    assert started["client_tools"] == [TOOL]
    assert started["node_context"] == {"node_id": "kitchen-box", "room": "kitchen", "timezone": "Europe/Berlin"}
    assert said["voice_command"] == "hello"
    assert len({*hub.keys}) == 2, "a key for each"


def test_calls_results_and_answers_go_as_the_api_has_them(hub: SimulatedHub, server: HubServer) -> None:
    hub.script["beep"] = [result("", ("beep", {"times": 2})), result(asks="How loud?"), result("Done.")]

    async def all_of_it(client: HubClient) -> list[Any]:
        called = await client.send_command("c1", "beep")
        call = called.tool_calls[0] if called.tool_calls else None
        assert call
        assert call.function.values == {"times": 2}
        output = Output(success=True, message="beeped", context={"n": 2})
        asked = await client.send_tool_results("c1", [ToolResult(tool_call_id=call.id, output=output)])
        return [asked, await client.send_validation_response("c1", "loud")]

    asked, done = ask(server, all_of_it)
    assert asked.validation_request.question == "How loud?"
    assert done.assistant_message == "Done."
    assert hub.asked[2][1]["tool_results"] == [
        {"tool_call_id": "call_0", "output": {"success": True, "message": "beeped", "context": {"n": 2}}}
    ]
    assert hub.asked[3][1]["validation_response"] == "loud"


@pytest.mark.parametrize("streams", [True, False])
def test_what_is_said_is_told_as_it_comes_or_else_whole(hub: SimulatedHub, server: HubServer, streams: bool) -> None:
    hub.streams, heard = streams, list[str]()
    ask(server, lambda client: client.send_command("c1", "hello", heard.append))
    assert heard == (["You", "said:", "hello."] if streams else ["You said: hello."])


def test_an_answer_that_was_lost_is_asked_for_again_and_done_and_told_once(
    hub: SimulatedHub, server: HubServer
) -> None:
    hub.streams, heard = True, list[str]()

    async def cut_off(client: HubClient) -> Any:
        hub.instead = ["cut"]
        return await client.send_command("c1", "hello", heard.append)

    assert ask(server, cut_off).assistant_message == "You said: hello."
    assert hub.paths() == ["start", "command"], "done once"
    assert hub.keys[1] == hub.keys[2]
    assert heard == ["You", "said:", "hello."], "each clause once"


def test_a_hub_that_is_busy_for_a_moment_is_asked_again_and_otherwise_not(hub: SimulatedHub, server: HubServer) -> None:
    async def after(client: HubClient, *instead: Response) -> Any:
        hub.instead = [*instead]
        return await client.send_command("c1", "hello")

    ask(server, lambda client: after(client, problem(503, "starting", 0)))
    assert len(hub.keys) == 3
    assert why(server, lambda client: after(client, problem(429, "busy", 60))) == "busy"
    assert len(hub.keys) == 5, "nobody waits a minute in silence"


@pytest.mark.parametrize(
    ("status", "kind", "expected"),
    [
        (403, "not_allowed", "refused"),
        (404, "no_conversation", "no_talk"),
        (404, "expired", "no_talk"),
        (409, "no_call", "out_of_step"),
        (409, "key_used", "unknown"),
        (413, "too_long", "unfit"),
        (422, "bad_schema", "unfit"),
        (500, "failed", "failed"),
        (504, "slow", "unknown"),
    ],
)
def test_each_refusal_is_one_clear_trouble(
    hub: SimulatedHub, server: HubServer, status: int, kind: str, expected: str
) -> None:
    async def refused(client: HubClient) -> Any:
        hub.instead = [problem(status, kind) for _ in range(3)]
        return await client.send_command("c1", "hello")

    assert why(server, refused) == expected


def test_a_wrong_token_and_no_server_are_told_apart(server: HubServer) -> None:
    assert why(server, command, token="wrong") == "refused"
    server.stop()
    assert why(server, command) == "no_server"


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b'{"stop_reason": "perhaps"}', b'{"stop_reason": "tool_calls"}'])
def test_nonsense_is_no_answer(hub: SimulatedHub, server: HubServer, answer: bytes) -> None:
    async def nonsense(client: HubClient) -> Any:
        hub.instead = [Response(answer, media_type="application/json")]
        return await client.send_command("c1", "hello")

    assert why(server, nonsense) == "nonsense"


def test_an_answer_without_end_is_cut_off(hub: SimulatedHub, server: HubServer) -> None:
    async def endless(client: HubClient) -> Any:
        hub.instead = [Response(b" " * (2 << 20), media_type="application/json")]
        return await client.send_command("c1", "hello")

    assert why(server, endless) == "nonsense"


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    cert, key = folder / f"{name}.crt", folder / f"{name}.key"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"]
    subprocess.run([*made, "-subj", f"/CN={name}", "-keyout", key, "-out", cert], check=True, capture_output=True)
    return cert, key


def test_the_pinned_certificate_and_no_other_is_taken(hub: SimulatedHub, tmp_path: Path) -> None:
    own, other = certificate(tmp_path, "own"), certificate(tmp_path, "other")
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(own[0].read_text())).hexdigest().upper()
    pinned = ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))
    with HubServer(hub.app, own) as server:
        assert ask(server, command, fingerprint=pinned).stop_reason == "complete"
        assert why(server, command) == "no_trust"
    hub.keys.clear()
    with HubServer(hub.app, other) as server:
        assert why(server, command, fingerprint=pinned) == "other_hub"
    assert hub.keys == [], "no token went to whoever it was"
