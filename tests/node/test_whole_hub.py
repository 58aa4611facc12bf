"""A node, the real hub, and the real service behind it with a model that writes what it is told to: nothing between
them is simulated."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
import running_hub

from appliance import build
from appliance.audio import never
from appliance.build import hubbed
from appliance.build.noded import NodeParts
from appliance.build.typed import typed_parts
from appliance.records import TurnRecord
from appliance.service.vitals import Vitals
from appliance.settings import Settings
from appliance.simulated import CannedModel
from appliance.terminal.chat import quiet
from appliance.tts.text import TextMouth

CURTAIN = '''
from appliance.ports import Skill, Spoken
from appliance.skills.schema import tool


def open_curtain(percent: int) -> str:
    """Open the curtain of this room so far, in percent."""
    return Spoken(f"The curtain is open by {percent} percent.")


def make(context):
    return Skill("curtain", tools=[tool(open_curtain, "act")])
'''


MANY = 200
"""Conversations that are held at once."""


@pytest.fixture
def core(tmp_path: Path) -> Iterator[tuple[CannedModel, Any]]:
    """The service that the hub asks, its model, and its parts."""
    settings = Settings.model_validate(
        {
            "state": tmp_path / "core",
            "models": tmp_path / "none",
            "memory": {"final_step": False},
            "reply": {"conversations_max": MANY},
        }
    )
    settings.state.mkdir()
    listener, model, vitals = socket.socket(socket.AF_UNIX), CannedModel(), Vitals()
    listener.bind(str(tmp_path / "core.sock"))
    listener.listen()
    with typed_parts(settings, build.clock(settings), lambda text: None, 0.01) as parts, ExitStack() as stack:
        vars(parts)["llm"] = model
        ended, watch = hubbed.opened([listener], parts, vitals, lambda record, moments: None, stack)
        service = stack.enter_context(parts.service(ended, vitals, watch=watch))
        loop = Thread(target=service.run, daemon=True)
        loop.start()
        yield model, parts
        service.stop()
        loop.join(60)


@pytest.fixture
def node(core: tuple[CannedModel, Any], tmp_path: Path) -> Iterator[NodeParts]:
    skill, state = tmp_path / "own" / "curtain", tmp_path / "node"
    skill.mkdir(parents=True)
    (skill / "__init__.py").write_text(CURTAIN)
    state.mkdir()
    with running_hub.RunningHub(tmp_path, core_socket=tmp_path / "core.sock") as hub, ExitStack() as stack:
        token = state / "token"
        token.write_text(hub.token("satellite"))
        token.chmod(0o600)
        own = {"hub": hub.url, "token_file": token, "room": "kitchen"}
        given = {"state": state, "models": tmp_path / "none", "node": own, "skills": {"own": tmp_path / "own"}}
        chosen = Settings.model_validate(given)
        yield NodeParts(chosen, build.clock(chosen), quiet, stack)


def say(node: NodeParts, line: str) -> TurnRecord:
    return node.engine.reply(1, line, "voice", TextMouth(), never)


def test_the_model_there_calls_a_tool_here_and_speaks_of_it(core: tuple[CannedModel, Any], node: NodeParts) -> None:
    core[0].more("open_curtain(percent=40)", "say It lets some sun in now.")
    record = say(node, "please open the curtain by 40 percent, it is dark in this room")
    assert record.said == "It lets some sun in now."
    assert [(step.tool, step.arguments, step.outcome) for step in record.steps] == [
        ("open_curtain", {"percent": 40}, "ok")
    ]


def test_what_is_kept_is_kept_there_and_its_questions_are_asked_here(
    core: tuple[CannedModel, Any], node: NodeParts
) -> None:
    assert say(node, "add oat milk to the shopping list").lane == "hub"
    assert "oat milk" in say(node, "what is on the shopping list").said
    asked = say(node, "remind me to water the ferns")
    assert asked.outcome == "asked"
    assert "ferns" in say(node, "tomorrow at nine in the morning").said
    parts = core[1]
    assert len(parts.rings.alarms.all()) == 1
    assert node.rings.alarms.all() == []


def test_what_the_hub_understands_for_the_node_is_done_on_the_node(
    core: tuple[CannedModel, Any], node: NodeParts
) -> None:
    core[0].more("say It is louder.")
    before = core[1].volume.level, node.volume.level
    record = say(node, "add oat milk to the shopping list and turn the volume up")
    assert record.lane == "hub"
    assert ("set_volume", "ok") in [(step.tool, step.outcome) for step in record.steps]
    assert (core[1].volume.level, node.volume.level) == (before[0], before[1] + 10)
    assert say(node, "mute yourself and add soap to the shopping list").said.startswith("I cannot do that on this")


def test_what_was_answered_on_the_node_is_known_to_the_hub(core: tuple[CannedModel, Any], node: NodeParts) -> None:
    core[0].more("set_timer(minutes=12)", "say Twelve it is.")
    assert say(node, "a timer for ten minutes").lane == "fast"
    record = say(node, "twelve minutes rather")
    assert (record.lane, record.said) == ("hub", "Twelve it is.")
    read = [message.text for message in core[0].prompts[0]]
    assert "a timer for ten minutes" in read
    assert "say 10 minutes, starting now." in read
    assert len(node.rings.alarms.all()) == 2


def test_a_timer_rings_where_it_was_asked_for(core: tuple[CannedModel, Any], node: NodeParts) -> None:
    assert say(node, "set a timer for five minutes").lane == "fast"
    assert (len(node.rings.alarms.all()), len(core[1].rings.alarms.all())) == (1, 0)


def test_200_conversations_at_once_each_get_their_own_answer(core: tuple[CannedModel, Any], tmp_path: Path) -> None:
    numbers = range(1, MANY + 1)
    with running_hub.RunningHub(tmp_path, core_socket=tmp_path / "core.sock") as hub:
        tokens = [hub.token("satellite") for _ in range(10)]
        answers = asyncio.run(_all_ask(hub.url, tokens, numbers))
    assert answers == {number: str(number * 17) for number in numbers}


async def _all_ask(url: str, tokens: Sequence[str], numbers: Sequence[int]) -> dict[int, str]:
    """Number -> the one in the answer."""
    limits = httpx.Limits(max_connections=MANY)
    async with httpx.AsyncClient(base_url=f"{url}/api/v0", limits=limits, timeout=300) as client:
        while (await client.get(f"{url}/readyz")).json()["trouble"] == "starting":
            await asyncio.sleep(0.1)

        async def ask(number: int) -> str:
            talk, token = f"c{number}", tokens[number % len(tokens)]
            await _posted(client, token, "/conversation/start", {"conversation_id": talk, "node_context": {}})
            asked = {"conversation_id": talk, "voice_command": f"what is 17 times {number}"}
            told = await _posted(client, token, "/voice/command", asked)
            return str(re.findall(r"[\d,]+", told["assistant_message"])[-1])

        return dict(zip(numbers, await asyncio.gather(*map(ask, numbers)), strict=True))


async def _posted(client: httpx.AsyncClient, token: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """As a client does that comes again when it is told that there are too many."""
    headers = {"Authorization": f"Bearer {token}"}
    while (response := await client.post(path, json=body, headers=headers)).status_code in (429, 503):
        await asyncio.sleep(float(response.headers.get("retry-after", 0.3)))
    assert response.status_code == 200, response.text
    return dict(response.json())
