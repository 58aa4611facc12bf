"""A node against the real hub: its server, its tokens and its streams, before a core that is simulated."""

from __future__ import annotations

import hashlib
import ssl
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import running_hub

from appliance import build
from appliance.audio import never
from appliance.build.noded import NodeParts, prove
from appliance.ports import hub as port
from appliance.ports.refusals import Kind
from appliance.records import TurnRecord
from appliance.settings import Settings
from appliance.simulated import hub_core
from appliance.terminal.chat import quiet
from appliance.tts.text import TextMouth

Say = Callable[[str], TurnRecord]


def outcome(said: str, **more: Any) -> Any:
    return port.Outcome(said=said, stop_reason=more.pop("stop_reason", "complete"), **more)


SCRIPT = {
    "rather loud please": [
        outcome("", stop_reason="tool_calls", calls=[port.Call(id="1", name="set_volume", arguments={"level": 90})]),
        outcome("Loud | it is."),
    ],
    "send it to mum": [
        outcome("Shall I send it?", stop_reason="validation_required", question="Shall I send it?", options=["yes"]),
        outcome("Sent."),
    ],
}


def settings(hub: Any, folder: Path, role: str = "satellite", **node: Any) -> Settings:
    token = folder / "token"
    token.write_text(hub.token(role))
    token.chmod(0o600)
    own = {"hub": hub.url, "token_file": token, "room": "kitchen", **node}
    return Settings.model_validate({"state": folder, "models": folder / "none", "node": own})


def said(chosen: Settings, *lines: str) -> list[TurnRecord]:
    with ExitStack() as stack:
        engine = NodeParts(chosen, build.clock(chosen), quiet, stack).engine
        return [engine.reply(number, each, "voice", TextMouth(), never) for number, each in enumerate(lines, 1)]


def test_lines_tools_and_questions_go_there_and_back(tmp_path: Path) -> None:
    with running_hub.RunningHub(tmp_path, hub_core.SimulatedCore(SCRIPT)) as hub:
        records = said(settings(hub, tmp_path), "rather loud please", "send it to mum", "yes", "and then")
        asked = hub.core.asked
    assert [record.said for record in records] == ["Loud it is.", "Shall I send it?", "Sent.", "You said: and then."]
    assert [step.tool for step in records[0].steps] == ["set_volume"]
    started = next(arguments for do, arguments in asked if do == "start")
    tools = {each["function"]["name"]: each for each in started["tools"]}
    assert (tools["set_volume"]["effect"], tools["set_volume"]["trusted"]) == ("act", True)
    assert (started["channel"], started["room"]) == ("satellite", "kitchen")
    results = [arguments["results"] for do, arguments in asked if do == "continue" and arguments["results"]]
    assert results == [[{"id": "1", "success": True, "message": "Volume 90 percent.", "context": None}]]
    assert [arguments["answer"] for do, arguments in asked if do == "continue"] == ["", "yes"]


def test_a_conversation_that_the_core_let_go_of_is_begun_anew(tmp_path: Path) -> None:
    with running_hub.RunningHub(tmp_path, hub_core.SimulatedCore()) as hub, ExitStack() as stack:
        chosen = settings(hub, tmp_path)
        engine = NodeParts(chosen, build.clock(chosen), quiet, stack).engine
        engine.reply(1, "hello there hub", "voice", TextMouth(), never)
        hub.core.refuse["turn"] = hub_core.Refused("expired", "it is too long ago", 2)
        record = engine.reply(2, "and then", "voice", TextMouth(), never)
        assert record.said == "Something went wrong with that on my hub.", "it is let go of each time"
        hub.core.refuse.clear()
        assert engine.reply(3, "and then", "voice", TextMouth(), never).said == "You said: and then."


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("busy", "My hub is not ready right now. Please ask me again in a moment."),
        ("starting", "My hub is not ready right now. Please ask me again in a moment."),
        ("failed", "Something went wrong with that on my hub."),
    ],
)
def test_what_the_core_refuses_is_told(tmp_path: Path, kind: Kind, sentence: str) -> None:
    with running_hub.RunningHub(tmp_path, hub_core.SimulatedCore()) as hub:
        hub.core.refuse["turn"] = hub_core.Refused(kind)
        assert said(settings(hub, tmp_path), "and then")[0].said == sentence


def test_the_hub_is_proved_by_its_pinned_certificate(tmp_path: Path) -> None:
    sensor = port.Call(id="1", name="read_test_sensor", arguments={"place": "cellar"})
    script = {
        "What temperature does the test sensor in the cellar show?": [
            outcome("", stop_reason="tool_calls", calls=[sensor]),
            outcome("It shows 12 degrees."),
        ]
    }
    with running_hub.RunningHub(tmp_path, hub_core.SimulatedCore(script), tls=True) as hub:
        made = ssl.PEM_cert_to_DER_cert((hub.folder / "tls.crt").read_text())
        pinned = hashlib.sha256(made).hexdigest()
        proofs = prove(settings(hub, tmp_path, fingerprint=pinned), "all")
        assert [(each.what, each.fine) for each in proofs] == [("registration", True), ("calling", True)]
        other = prove(settings(hub, tmp_path, role="household", fingerprint="00" * 32), "all")
        assert [each.fine for each in other] == [False, False]
        assert "its certificate is not the one of node.fingerprint" in other[0].found
