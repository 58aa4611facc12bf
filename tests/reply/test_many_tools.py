"""Sixty tools that no classifier was taught, as servers of tools bring them: found, offered, and out of the way."""

from __future__ import annotations

from typing import Any

import pytest
from rig import Rig, outcomes

from appliance.ports import Tool
from appliance.reply import prompt
from appliance.reply.context import Head
from appliance.reply.grammar import PlanGrammar
from appliance.simulated import CannedModel
from appliance.skills.schema import tool

DEVICES = ("lamp", "fan", "heater", "blind", "camera", "radio", "humidifier", "dehumidifier", "kettle", "aquarium")
PLACES = ("attic", "cellar", "garage", "nursery", "pantry", "workshop")
TALK, WORLD = prompt.talk_head("Jarvis"), prompt.world_head()
SMALL_TALK, OF_THE_WORLD = "my boss was in a foul mood all morning", "why do geese fly in a wedge"


class House:
    """A tool for each of ten devices in six places; `did` is what they were told."""

    def __init__(self) -> None:
        self.did: list[tuple[str, str]] = []
        self.tools: list[Tool] = [self._switch(place, device) for place in PLACES for device in DEVICES]

    def _switch(self, place: str, device: str) -> Tool:
        def switch(state: str) -> str:
            self.did.append((f"{place}_{device}", state))
            return f"The {device} is {state}."

        switch.__name__ = f"{place}_{device}"
        switch.__doc__ = f"Switch the {device} in the {place} on or off."
        return tool(switch, "act")


def rig(house: House, *writes: str, **settings: Any) -> Rig:
    return Rig(*writes, more_tools=house.tools, without={"lookup"}, **settings)


def offered(box: Rig, place: int = 0) -> set[str]:
    """The tools that a pass could call."""
    grammar = box.grammar(place)
    assert isinstance(grammar, PlanGrammar)
    return {name for name, _ in grammar.tools}


def test_there_are_sixty() -> None:
    assert len({each.name for each in House().tools}) == 60


def test_a_tool_without_lines_whose_skill_is_known_stands_in_the_head() -> None:
    """The classifier knows what people ask of the weather, whatever its tools are called."""
    head = rig(House()).engine.prompt_parts("put the kettle in the pantry on")["pinned"][0].text
    assert "get_weather(" in head


def test_the_head_holds_the_tools_that_are_known_and_the_search() -> None:
    box = rig(House())
    head = box.engine.prompt_parts("put the kettle in the pantry on")["pinned"][0].text
    assert "set_timer(" in head
    assert "tool_search(" in head
    assert not [each.name for each in House().tools if each.name in head]


@pytest.mark.parametrize("number", range(0, 60, 7))
def test_a_line_about_one_of_sixty_is_offered_that_one_and_it_runs(number: int) -> None:
    house = House()
    name = house.tools[number].name
    place, _, device = name.partition("_")
    box = rig(house, f'{name}(state="on")', "say It is on.")
    record = box.say(f"would you put the {device} in the {place} on")
    assert name in offered(box)
    assert len(offered(box) & {each.name for each in house.tools}) <= 12
    assert f"{name}(state)" in box.read[0]
    assert (outcomes(record)[0], house.did) == ((name, "ok"), [(name, "on")])


def test_what_a_search_finds_may_act_in_the_next_pass() -> None:
    house = House()
    box = rig(house, 'tool_search(query="nursery lamp")', 'nursery_lamp(state="off")', "say Sleep tight.")
    record = box.say("make it dark where the baby sleeps please")
    assert "tool_search" in offered(box)
    assert "nursery_lamp" not in offered(box)
    assert "nursery_lamp(state)" in box.read[1]
    assert "nursery_lamp" in offered(box, 1)
    assert outcomes(record)[:2] == [("tool_search", "ok"), ("nursery_lamp", "ok")]
    assert house.did == [("nursery_lamp", "off")]


def test_a_search_that_finds_nothing_says_so() -> None:
    box = rig(House(), 'tool_search(query="unicycle")', "say I cannot do that.")
    box.say("make it dark where the baby sleeps please")
    assert "no tool does that" in box.read[1]


@pytest.mark.parametrize(("line", "head", "name"), [(SMALL_TALK, TALK, "talk"), (OF_THE_WORLD, WORLD, "world")])
def test_sixty_tools_leave_talk_and_questions_to_their_own_heads(line: str, head: list[object], name: str) -> None:
    box = rig(House(), "say So it goes.")
    assert box.say(line).head == name
    assert box.canned.prompts[0][0] == head[0]


def test_what_a_tool_found_for_the_line_may_do_is_not_refused() -> None:
    """The classifier knows lines for devices of a house, and that no skill on board does those."""
    line, house = "turn the kettle in the pantry on", House()
    assert "cannot" in Rig(without={"lookup"}).say(line).said
    box = rig(house, 'pantry_kettle(state="on")', "say It is on.")
    assert box.say(line).said == "It is on."


def test_nor_where_the_tools_are_few() -> None:
    house = House()
    few = [each for each in house.tools if each.name.startswith("attic_")][:5]
    box = Rig('attic_heater(state="on")', "say It is on.", more_tools=few, without={"lookup"})
    assert box.say("turn on the heater in the attic").said == "It is on."
    assert "cannot" in Rig(more_tools=few, without={"lookup"}).say("draw the curtains please").said


def test_no_search_is_offered_where_none_may_be_made() -> None:
    box = rig(House(), reply={"searches_max": 0})
    assert "tool_search" not in box.engine.prompt_parts(SMALL_TALK)["pinned"][0].text


def test_up_to_the_limit_all_stand_in_the_head() -> None:
    model = CannedModel(["say It is on."])
    box = Rig(model=model, more_tools=House().tools, reply={"catalogue_max": 100})
    box.say("would you put the fan in the attic on")
    assert "attic_fan(state)" in model.prompts[0][Head.PLAN].text
    assert "tool_search" not in model.prompts[0][Head.PLAN].text


def test_a_line_that_goes_on_is_offered_what_the_head_does_not_show() -> None:
    """The head has no room for the list; a few words behind a line about it mean it all the same."""
    box = Rig(*['read_list(list="shopping")', "say Milk."] * 2, "say Six.", reply={"catalogue_max": 5})
    box.say("what have I got down for the shops")
    box.say("is the tall one of them too")
    assert "read_list" in offered(box, 2)
    assert "read_list(" in box.read[2]
