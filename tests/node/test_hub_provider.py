"""The bridge's provider of a hub: whether it is there, found anew by its name, and no token for anybody else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from hub_server import HubServer

from appliance.bridge.hub import HubProvider
from appliance.bridge.trouble import Lost
from appliance.errors import BadArgument, BadSettings
from appliance.ports import LINK
from appliance.ports.command_api import NodeContext
from appliance.simulated.hub import SimulatedHub, problem

UP, PATIENCE_S = {"up": True, "why": ""}, 20.0


@pytest.fixture
def hub() -> SimulatedHub:
    return SimulatedHub()


@pytest.fixture
def server(hub: SimulatedHub) -> Iterator[HubServer]:
    with HubServer(hub.app) as server:
        yield server


def down(why: str) -> dict[str, Any]:
    return {"up": False, "why": why}


async def never_found(name: str) -> str:
    raise Lost("no_hub", name)


def links(provider: HubProvider, *steps: tuple[dict[str, Any], Callable[[], object]]) -> list[dict[str, Any]]:
    """Runs it, with each step's act once its link was told; all links that were."""
    told = asyncio.Queue[dict[str, Any]]()

    def hear(kind: str, value: Any) -> None:
        if kind == LINK:
            told.put_nowait(value)

    async def run() -> list[dict[str, Any]]:
        running, heard = asyncio.create_task(provider.run(hear)), list[dict[str, Any]]()
        try:
            async with asyncio.timeout(PATIENCE_S):
                for wanted, act in steps:
                    while not heard or heard[-1] != wanted:
                        heard.append(await told.get())
                    await asyncio.to_thread(act)
        finally:
            running.cancel()
            await asyncio.wait({running})
        return heard

    return asyncio.run(run())


def made(
    where: str, find: Callable[[str], Awaitable[str]] = never_found, token: str = "t0ken", **more: str
) -> HubProvider:
    return HubProvider(where, lambda: token, NodeContext(), "en", find=find, **more)


def nothing() -> None: ...


def test_it_tells_that_the_hub_is_there(server: HubServer) -> None:
    assert links(made(server.url), (UP, nothing)) == [UP]


def test_it_tells_why_it_is_not(server: HubServer) -> None:
    assert links(made(server.url, token="other"), (down("refused"), nothing))
    assert links(made("attic"), (down("no_hub"), nothing))
    server.stop()
    assert links(made(server.url), (down("no_server"), nothing))


def test_a_hub_that_hangs_is_found_out(hub: SimulatedHub, server: HubServer) -> None:
    hub.instead = ["hang"]
    assert links(made(server.url), (down("no_answer"), hub.instead.clear), (UP, nothing)) == [down("no_answer"), UP]


def test_a_hub_that_is_found_by_its_name_is_found_again_where_it_moved(hub: SimulatedHub) -> None:
    servers = [HubServer(hub.app)]
    servers[0].__enter__()

    async def find(name: str) -> str:
        assert name == "hall"
        return servers[-1].url

    def move() -> None:
        servers[-1].stop()
        servers.append(HubServer(hub.app))
        servers[-1].__enter__()

    provider = made("hall", find)

    async def moved() -> dict[str, Any]:
        running = asyncio.create_task(provider.run(lambda kind, value: None))
        try:
            async with asyncio.timeout(PATIENCE_S):
                while (answer := await provider.answer("start", {"conversation": "c1", "within_s": 5})).get("why"):
                    await asyncio.sleep(0.1)
                await asyncio.to_thread(move)
                assert (await provider.answer("start", {"conversation": "c2", "within_s": 5}))["why"]
                while (answer := await provider.answer("start", {"conversation": "c3", "within_s": 5})).get("why"):
                    await asyncio.sleep(0.1)
        finally:
            running.cancel()
            await asyncio.wait({running})
        return dict(answer["result"])

    try:
        assert asyncio.run(moved()) == {"status": "success", "conversation_id": "c3"}
    finally:
        servers[-1].stop()


def test_a_pinned_hub_without_a_certificate_gets_no_token(hub: SimulatedHub, server: HubServer) -> None:
    async def find(name: str) -> str:
        return server.url

    for provider in (made(server.url, fingerprint="00" * 32), made("hall", find, fingerprint="00" * 32)):
        answer = asyncio.run(provider.answer("start", {"conversation": "c1", "within_s": 5}))
        assert answer["why"] == "other_hub"
    assert hub.keys == []


def test_a_token_that_cannot_be_read_is_told(server: HubServer) -> None:
    def token() -> str:
        raise BadSettings("the key file cannot be read", remedy="correct node.token_file")

    provider = HubProvider(server.url, token, NodeContext(), "en")
    assert asyncio.run(provider.answer("start", {"conversation": "c1", "within_s": 5}))["why"] == "no_token"


def test_a_busy_hub_is_there_all_the_same(hub: SimulatedHub, server: HubServer) -> None:
    hub.instead = [problem(429, "too_many", 30)]
    answer = asyncio.run(made(server.url).answer("start", {"conversation": "c1", "within_s": 5}))
    assert answer["why"] == "busy"
    assert links(made(server.url), (UP, nothing)) == [UP]


@pytest.mark.parametrize(
    ("what", "arguments"), [("dance", {"conversation": "c1", "within_s": 5}), ("start", {}), ("start", {"within_s": 0})]
)
def test_what_the_provider_does_not_do_is_refused(what: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(BadArgument):
        asyncio.run(made("attic").answer(what, arguments))
