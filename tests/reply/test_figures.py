"""Figures of the line that the model drops are put back."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.reply.calls.figures import with_figures
from appliance.reply.plan import Call
from appliance.reply.understanding.signs import SignReader
from appliance.simulated import HandSetVolume
from appliance.skills.arithmetic.calculate import calculate
from appliance.skills.schema import tool
from appliance.skills.sound.tools import SoundTools

READER = SignReader("en")
VOLUME = tool(SoundTools(HandSetVolume(50), str, lambda: None).set_volume, "act")
SUM = tool(calculate, "read")


@pytest.mark.parametrize(
    ("line", "written", "meant"),
    [
        ("nineteen percent of six hundred and forty please and a timer", "19 * 640", "640 * 19 / 100"),
        ("what is 15 percent of 80 and 3 times 4", "3 * 4", "3 * 4"),
        ("15 percent of 80", "80 * 0.15", "80 * 0.15"),
        ("19 times 640", "19 * 640", "19 * 640"),
    ],
)
def test_share_is_of_a_hundred(line: str, written: str, meant: str) -> None:
    call = with_figures(Call("calculate", {"expression": written}), SUM, READER.read(line))
    assert call.arguments == {"expression": meant}


@pytest.mark.parametrize(
    ("line", "written", "meant"),
    [
        ("you're shouting, go down to thirty", {"direction": "down"}, {"direction": "down", "level": 30}),
        ("a bit quieter at nine please", {"direction": "down"}, {"direction": "down"}),
        ("down to 30", {"level": 30}, {"level": 30}),
        ("quieter", {"direction": "down"}, {"direction": "down"}),
        ("turn it up a bit, it's quarter to seven", {"direction": "up"}, {"direction": "up"}),
        ("louder, I'm talking to 3 people", {"direction": "up"}, {"direction": "up"}),
    ],
)
def test_level_is_the_one_that_the_line_leads_to(line: str, written: dict[str, Any], meant: dict[str, Any]) -> None:
    assert with_figures(Call("set_volume", written), VOLUME, READER.read(line)).arguments == meant
