"""A slip of the tongue that the model overheard is mended in its call."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.reply.calls.amends import amended
from appliance.reply.plan import Call
from appliance.reply.understanding.fastlane import FastLane
from appliance.reply.understanding.patterns import patterns
from appliance.reply.understanding.templates import templates
from appliance.simulated import ListedTool

TEXT = {"type": "string"}
ADD = ListedTool("add", properties={"item": TEXT, "list": TEXT, "count": {"type": "number"}})
WORDS = templates("en")


@pytest.mark.parametrize(
    ("line", "written", "meant"),
    [
        ("add flour to the baking list, no wait, sugar", {"item": "flour", "list": "baking"}, {"item": "sugar"}),
        ("add rice to the home list, no, the camp list", {"item": "rice", "list": "home"}, {"list": "camp list"}),
        ("add flour, sorry, i meant some oats", {"item": "flour"}, {"item": "oats"}),
        ("add flour, no wait, sugar", {"item": "sugar"}, {}),
        ("add flour, wait no we have got some, make it sugar", {"item": "flour"}, {"item": "sugar"}),
        ("add flour, no wait, the oats, make it ten kilos", {"item": "flour"}, {"item": "oats"}),
        ("add six oat cakes to the camp list, no wait, sevens", {"item": "seven oat cakes", "list": "camp"}, {}),
        ("add rice to the camp list, and flour, no sorry, oats, you know", {"item": "rice", "list": "camp"}, {}),
        ("add rice to the camp list and no salt", {"item": "rice", "list": "camp"}, {}),
        ("add rice to the camp list, would you, no sorry, pasta", {"item": "rice", "list": "camp"}, {"item": "pasta"}),
        ("add rice, and no, make that barley", {"item": "rice"}, {"item": "barley"}),
        ("add a card that says sorry for your loss", {"item": "a card that says sorry for your loss"}, {}),
        ("put flour uh no oats on the baking list", {"item": "oats"}, {}),
        ("add flour, no wait, do tell me what is on it already", {"item": "flour"}, {}),
        ("add flour please", {"item": "flour"}, {}),
        ("add flour, no wait, sugar", {"count": 2}, {}),
    ],
)  # fmt: skip
def test_call_holds_what_was_meant(line: str, written: dict[str, Any], meant: dict[str, Any]) -> None:
    assert WORDS
    assert (english := patterns("en"))
    assert amended(Call("add", written), ADD, WORDS.repairs.slip(line), english.adding).arguments == written | meant


@pytest.mark.parametrize(
    ("line", "reading"),
    [
        ("what's seventy times three no wait i mean seventy times four", "what's seventy times four"),
        ("what's 7 uh 70 i mean 70 times four", "what's 70 times four"),
        ("set the oven timer for 5 minutes no sorry 6 minutes", "set the oven timer for 6 minutes"),
    ],
)
def test_what_is_begun_again_replaces_from_there(line: str, reading: str) -> None:
    lane = FastLane("en")
    assert lane.matches(line) == [lane.match(reading)]
