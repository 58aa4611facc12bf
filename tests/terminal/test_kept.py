"""`appliance lists` and its like: what a skill keeps, also while a service holds the memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from appliance import cli
from appliance.arguments import KEPT
from appliance.memory.items import SqliteItems
from appliance.memory.store import Store


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main([*arguments]) == 0
    return capsys.readouterr().out


def test_it_is_told_while_a_service_holds_the_memory(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store(state / "appliance.db") as store:
        SqliteItems(store, "notes").write(add=[{"text": "the gate key is with Ana", "at": "2026-11-27"}])
        SqliteItems(store, "lists").write(
            add=[{"name": "shopping", "things": [{"text": "milk", "done": False}, {"text": "eggs", "done": True}]}]
        )
        told = {verb: run(capsys, verb, "--state", str(state)) for verb in ("notes", "lists", "alarms")}
        rows = json.loads(run(capsys, "notes", "--json", "--state", str(state)))
    assert told["notes"] == "    1  text: the gate key is with Ana, at: 2026-11-27\n"
    assert told["lists"] == "    2  name: shopping, things: milk; eggs (done)\n"
    assert told["alarms"] == "nothing\n"
    assert rows == [{"id": 1, "text": "the gate key is with Ana", "at": "2026-11-27"}]


@pytest.mark.parametrize("verb", KEPT)
def test_on_a_new_box_there_is_none(state: Path, capsys: pytest.CaptureFixture[str], verb: str) -> None:
    assert run(capsys, verb, "--state", str(state)) == ("no timers\n" if verb == "timers" else "nothing\n")
