"""A setting that is changed by so much."""

from __future__ import annotations

import pytest

from appliance.thought.plan import Call
from appliance.thought.results.stepped import stepped
from appliance.thought.understanding.signs import SignReader

READER = SignReader("en")


@pytest.mark.parametrize(
    ("line", "result", "state"),
    [
        (
            "see what the barn heater is set to and make it three degrees more",
            "barn heater: on, 14 degrees",
            "17 degrees",
        ),
        (
            "whatever the barn heater's on, bring it down two",
            "barn heater: set to 19 degrees, reads 16.5 degrees",
            "17 degrees",
        ),
        ("look where the barn lamp is and turn it up by 10 percent", "barn lamp: 35 percent", "45 percent"),
        ("what is the barn heater on, put it up to 20 degrees", "barn heater: on, 14 degrees", None),
        ("make the barn heater two degrees warmer than the loft", "barn heater: on, 14 degrees", None),
        ("see what the barn heater is at and make it two degrees more", "14 degrees, 61 percent humidity", None),
        ("how is the barn heater", "barn heater: on, 14 degrees", None),
    ],
)
def test_by_how_much_it_is_changed(line: str, result: str, state: str | None) -> None:
    call = stepped(
        Call("home_state", {"what": "barn heater" if "heater" in line else "barn lamp"}), result, READER.read(line)
    )
    assert (call and call.arguments["state"]) == state


def test_another_thing_is_not_changed() -> None:
    line = "see what the loft is at and make it two degrees more"
    assert stepped(Call("home_state", {"what": "barn heater"}), "barn heater: 14 degrees", READER.read(line)) is None
