"""The hub's socket before the whole service with a real model: a tool of a client is called and read."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

from hub_socket import PATIENCE_S, Hub

from appliance import build, settings_file
from appliance.build import hubbed
from appliance.build.typed import typed_parts
from appliance.service.vitals import Vitals
from appliance.settings import Memory, Reply, Settings, Skills, Thought
from appliance.simulated import skill_context
from appliance.skills.loader import load

BUS = {
    "type": "function",
    "function": {
        "name": "get_bus",
        "description": "Get the next bus to a place.",
        "parameters": {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
    },
    "effect": "read",
}
MODEL = "qwen2.5-coder-0.5b"
LINE = "get the next bus to the harbour"
WAIT_S = 600.0
"""For a model that is loaded, on a busy machine."""
NO_MEMORY, PATIENT = Memory(final_step=False), Reply(plan_timeout_s=300)


def test_the_model_calls_a_clients_tool_and_answers_from_its_result(model: Callable[..., Path], tmp_path: Path) -> None:
    model(MODEL)
    state = tmp_path / "state"
    state.mkdir()
    thought = Thought(model=MODEL, deadline_s=WAIT_S, context_tokens=2_048)
    few = [each.name for each in load(skill_context()).on if each.name != "clock"]
    models = settings_file.load().models
    settings = Settings(
        state=state, models=models, thought=thought, skills=Skills(off=few), memory=NO_MEMORY, reply=PATIENT
    )
    listener, vitals = socket.socket(socket.AF_UNIX), Vitals()
    listener.bind(str(tmp_path / "hub.sock"))
    listener.listen()
    with typed_parts(settings, build.clock(settings), lambda text: None, 0.01) as parts, ExitStack() as stack:
        ended, watch = hubbed.opened([listener], parts, vitals, lambda record, moments: None, stack)
        service = stack.enter_context(parts.service(ended, vitals, watch=watch))
        loop = Thread(target=service.run, daemon=True)
        loop.start()
        with Hub(tmp_path / "hub.sock", WAIT_S) as hub:
            hub.ask("start", conversation="one", tools=[BUS])
            first = hub.ask("turn", conversation="one", text=LINE)
            assert first["stop_reason"] == "tool_calls", first
            (call,) = first["calls"]
            assert call["name"] == "get_bus"
            assert call["arguments"]["place"].casefold() == "harbour"
            found = {"id": call["id"], "success": True, "message": "Bus 7 leaves in 4 minutes."}
            last = hub.ask("continue", conversation="one", results=[found])
        service.stop()
        loop.join(PATIENCE_S)
    assert last["stop_reason"] == "complete"
    assert "4" in last["said"], last
    assert [step["outcome"] for step in last["record"]["steps"] if step["tool"]] == ["ok"]
