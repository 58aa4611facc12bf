"""A measurement is given in the unit that was asked for."""

from __future__ import annotations

import pytest
from rig import Rig, outcomes

from appliance.ports import Spoken
from appliance.reply.results.measures import asked_units, in_day_hours, measurements
from appliance.reply.understanding.signs import SignReader
from appliance.skills.arithmetic.units import Converter
from appliance.skills.schema import tool

UNITS = SignReader("en").read("").words.units


@pytest.mark.parametrize(
    ("line", "units"),
    [
        ("how tall is it in yards", ["yards"]),
        ("convert that to square metres please", ["square metres", "square"]),
        ("always use fahrenheit", ["fahrenheit"]),
        ("what is it in degrees Celsius", ["degrees celsius", "celsius"]),
        ("how far is it", []),
        ("it is in a box", []),
    ],
)
def test_units_asked_for(line: str, units: list[str]) -> None:
    assert asked_units(line, UNITS) == units


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is 1,250 metres long and 3.5 km wide.", [(1250.0, "metres"), (3.5, "km")]),
        ("It fell to 7 °C", [(7.0, "celsius")]),
        ("7 degrees, 40 km/h", [(7.0, "celsius"), (40.0, "km/h")]),
        ("bake at 350 degrees Fahrenheit", [(350.0, "Fahrenheit")]),
        ("tonight down to minus 4 degrees", [(-4.0, "celsius")]),
        ("version 2.4.1 of 1969, B12", []),
    ],
)
def test_measurements(text: str, found: list[tuple[float, str]]) -> None:
    assert list(measurements(text)) == found


def rig_with(gives: str, *writes: str) -> Rig:
    rig = Rig(*writes, more_tools=[tool(Converter().convert_units, "read")])
    rig.home.gives = gives
    return rig


def test_result_is_converted_before_the_model_answers() -> None:
    rig = rig_with("The tower is 324 metres high.", 'lookup(query="tower")', "say It is 1063 feet.")
    record = rig.say("look up how high the tower is in feet")
    assert outcomes(record)[:2] == [("convert_units", "ok"), ("lookup", "ok")]
    assert "324 metres is 1062.99 feet." in rig.read[-1]


@pytest.mark.parametrize("line", ["look up how high the tower is", "look up how heavy the tower is in kilograms"])
def test_nothing_is_converted_that_was_not_asked_for(line: str) -> None:
    rig = rig_with("The tower is 324 metres high.", 'lookup(query="tower")', "say It is 324 metres.")
    assert [tool for tool, _ in outcomes(rig.say(line))][:1] == ["lookup"]


def test_place_that_was_said_is_put_into_the_call() -> None:
    rig = Rig("get_weather()", "say Rain.")
    rig.say("what will the weather be in Zurich")
    assert "Zurich: rain" in rig.read[-1]


def test_spoken_is_what_a_converter_gives() -> None:
    assert isinstance(Converter().convert_units(1, "foot", "inch"), Spoken)


def test_times_of_day_in_24_hours() -> None:
    assert in_day_hours("It is 7:05 PM.") == "It is 19:05."
    assert in_day_hours("12:00 AM, 12:30 p.m. and 9:15 AM on Sunday") == "0:00, 12:30 and 9:15 on Sunday"
    assert in_day_hours("The score is 3:20, page 7.") == "The score is 3:20, page 7."
