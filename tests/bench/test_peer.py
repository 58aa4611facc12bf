"""The measure by the peer's sentences, on lines of our own."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from bench import peer

CASES = [
    {"intent": "HassStartTimer", "say": "set a timer for nine minutes", "slots": {"minutes": 9}},
    {"intent": "HassStartTimer", "say": "set a timer for nine minutes", "slots": {"minutes": 8}},
    {"intent": "HassCancelTimer", "say": "cancel the brisket timer", "slots": {"name": ["stew", "brisket "]}},
    {"intent": "HassCancelTimer", "say": "cancel the bread timer", "slots": {"name": "stew"}},
    {
        "intent": "HassListAddItem",
        "say": "add pears to my corner shop list",
        "slots": {"item": "pears", "name": "Shop"},
    },
    {"intent": "HassListAddItem", "say": "add pears to the food list", "slots": {"item": "Pears", "name": "Food list"}},
    {"intent": "HassShoppingListAddItem", "say": "put pears on my list", "slots": {"item": "pears"}},
    {"intent": "HassShoppingListAddItem", "say": "put pears on my list", "slots": {"item": "plums"}},
    {"intent": "HassSetVolume", "say": "set the radio volume to 20", "slots": {"name": "Radio", "volume_level": 20}},
    {"intent": "HassTurnOn", "say": "turn on the lamp", "slots": {"name": "Lamp"}},
]


def test_tool_and_slots_decide_and_lines_for_others_count_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ha-intents-en.yaml"
    file.write_text(yaml.safe_dump(CASES))
    row = peer.measure(file, "en", show=True)
    assert row["intents"] == {
        "HassCancelTimer": [1, 2],
        "HassStartTimer": [1, 2],
        "HassListAddItem": [1, 2],
        "HassShoppingListAddItem": [1, 2],
        peer.LEFT: [1, 1],
    }
    assert row["ms"]["n"] == 9
    shown = capsys.readouterr().out
    assert "nine minutes" in shown
    assert "bread" in shown
    assert " 50.0%   left alone   1/1" in peer.told("en", row)
