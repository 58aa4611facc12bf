"""Which of two results measures more is not left to the model."""

from __future__ import annotations

import pytest

from appliance.thought.compared import compared
from appliance.thought.plan import Call
from appliance.thought.signs import SignReader

WORDS = SignReader("en").read("").words
OSLO, ROME = Call("get_weather", {"place": "Oslo", "day": "today"}), Call("get_weather", {"place": "Rome"})


@pytest.mark.parametrize(
    ("line", "calls", "results", "note"),
    [
        (
            "is it colder in oslo or rome",
            [OSLO, ROME],
            ["Oslo: snow, minus 4 degrees, wind 20 km/h", "Rome: 11 degrees and sunny"],
            "[Oslo -4, Rome 11 celsius: 15 apart]",
        ),
        (
            "is it warmer in oslo or rome",
            [OSLO, ROME],
            ["14 degrees, wind 30 km/h", "18 degrees, sunny, wind 10 km/h"],
            "[Oslo 14, Rome 18 celsius: 4 apart]",
        ),
        (
            "how much longer does a macaw live than a koi",
            [Call("lookup", {"query": "macaw"}), Call("lookup", {"query": "koi"})],
            ["It lives 55 years.", "It gets 38 years old."],
            "[macaw 55, koi 38 years: 17 apart]",
        ),
        ("how much later is it there", [OSLO, ROME], ["11:05 PM, 3 am", "9:05 PM, 4 am"], ""),
        ("how many more has it", [OSLO, ROME], ["537 paintings, 8 halls", "76 paintings, 9 halls"], ""),
        ("the weather in oslo and rome", [OSLO, ROME], ["4 degrees", "11 degrees"], ""),
        ("by how much is rome warmer", [OSLO, ROME], ["4 degrees", "windy"], ""),
        ("how is it in oslo and rome", [OSLO, ROME], ["4 degrees", "11 degrees"], ""),
        ("is it colder in oslo or rome", [OSLO], ["4 degrees"], ""),
        ("is it colder in oslo or rome", [Call("lookup", {"query": "Oslo"}), ROME], ["4 degrees", "11 degrees"], ""),
        (
            "is it colder here or in rome",
            [Call("get_weather", {"day": "today"}), ROME],
            ["4 degrees", "11 degrees"],
            "[here 4, Rome 11 celsius: 7 apart]",
        ),
    ],
)
def test_note(line: str, calls: list[Call], results: list[str], note: str) -> None:
    assert compared(line, calls, results, WORDS) == note
