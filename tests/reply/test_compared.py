"""Which of two results measures more is not left to the model."""

from __future__ import annotations

import pytest

from appliance.ports import Tool
from appliance.reply.plan import Call
from appliance.reply.results.compared import both, compared, reckoned
from appliance.reply.understanding.signs import SignReader
from appliance.skills.schema import tool

ENGLISH = SignReader("en")
WORDS = ENGLISH.read("").words
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
        (
            "which of them has more people and by how much",
            [Call("lookup", {"query": "Ulm"}), Call("lookup", {"query": "Trier"})],
            [
                "Ulm is on the Danube. Population: 128,928 (2022).",
                "Trier, founded in 16 BC. Population: 112,195.",
            ],
            "[Ulm 128928, Trier 112195 population: 16733 apart]",
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


def home_state(what: str) -> str:
    """Tell the state of a room."""
    return what


STATE: Tool = tool(home_state, "read")


@pytest.mark.parametrize(
    ("line", "named", "others"),
    [
        ("is it warmer in the den than in our attic", "den", ["attic"]),
        ("is the hall hotter than the utility room just now", "hall", ["utility room"]),
        ("is it warmer in the den than usual", "den", []),
        ("is it warmer in the den than it was yesterday", "den", []),
        ("is the den at more than 18 degrees", "den", []),
        ("is it warm in the den", "den", []),
        ("if the den is colder than the attic turn the heating on", "den", []),
    ],
)
def test_what_is_compared_with_is_looked_at_too(line: str, named: str, others: list[str]) -> None:
    calls = both(Call("home_state", {"what": named}), STATE, ENGLISH.read(line))
    assert [call.arguments["what"] for call in calls] == [named, *others]


@pytest.mark.parametrize(
    ("line", "texts", "expression"),
    [
        ("and by how much", ["Den: 17.5 degrees.", "Attic: 19.5 degrees."], "19.5 - 17.5"),
        ("so what's the price difference?", ["The coach is 24 euros, the train 58 euros."], "58 - 24"),
        ("so what's the price difference?", ["The coach is 24 euros, the train 58 euros, at 7:40."], "58 - 24"),
        ("so what's the price difference?", ["The coach is 24 euros, the train 58 euros, day 3."], ""),
        ("and how much more is that", ["It takes 2 hours 20 minutes.", "It takes 3 hours."], ""),
        ("what's the difference", ["They get 7 metres long.", "They get 4 metres long."], ""),
        ("what's that altogether", ["Paint: 30 euros.", "Brushes: 12 euros."], "30 + 12"),
        ("and by how much", ["3 rooms at 80 euros, 2 rooms at 95 euros."], ""),  # rooms or euros
        ("and by how much", ["24 euros, 58 euros or 70 euros."], ""),
        ("what's that altogether", ["Paint: 30 euros."], ""),
        ("by how much should i turn it up", ["Den: 17 degrees.", "Attic: 19 degrees."], ""),
    ],
)
def test_two_things_that_were_told_are_reckoned(line: str, texts: list[str], expression: str) -> None:
    assert reckoned(ENGLISH.read(line), texts) == expression
