from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from appliance.errors import BadArgument
from appliance.ports import Spoken, Tool
from appliance.skills.schema import tool


class Kettle:
    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def boil(
        self,
        cups: Annotated[int, Field(ge=1, le=8, description="how many")],
        warmth: Literal["warm", "hot"] | None = None,
        tea_name: Annotated[str, Field(max_length=10)] = "",
        minutes: float = 0,
    ) -> Spoken:
        """Boil water when somebody
        wants tea.

        Not for the model.
        """
        self.calls.append({"cups": cups, "warmth": warmth, "tea_name": tea_name, "minutes": minutes})
        return Spoken("Boiling.")

    def fill_pot(self, liters: int) -> Spoken:
        """Fill the pot."""
        return Spoken("Full.")


def test_a_typed_method_becomes_a_tool() -> None:
    boil: Tool = tool(Kettle().boil, "act")
    assert (boil.name, boil.effect) == ("boil", "act")
    assert boil.description == "Boil water when somebody\nwants tea."
    assert boil.schema["required"] == ["cups"]
    assert boil.schema["properties"]["cups"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 8,
        "description": "how many",
    }


def test_the_schema_holds_no_defaults_that_a_model_would_write_out() -> None:
    parts = tool(Kettle().boil, "act").schema["properties"].values()
    assert not any({"default", "title"} & set(part) for part in parts)


@pytest.mark.parametrize("absent", [{}, {"warmth": None, "minutes": None}])
def test_what_was_not_said_is_left_to_the_function(absent: dict[str, Any]) -> None:
    kettle = Kettle()
    assert tool(kettle.boil, "act").call({"cups": 2, **absent}) == "Boiling."
    assert kettle.calls == [{"cups": 2, "warmth": None, "tea_name": "", "minutes": 0}]


def test_numbers_written_as_text_are_numbers() -> None:
    kettle = Kettle()
    tool(kettle.boil, "act").call({"cups": "3", "minutes": "1.5", "tea_name": " earl grey "})
    assert kettle.calls == [{"cups": 3, "warmth": None, "tea_name": "earl grey", "minutes": 1.5}]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "I need the cups for that."),
        ({"cups": 2, "sugar": 1}, "I cannot set a sugar for that."),
        ({"cups": 0}, "The cups can be no less than 1."),
        ({"cups": 9}, "The cups can be no more than 8."),
        ({"cups": 1.5}, "The cups has to be a whole number."),
        ({"cups": "many"}, "The cups has to be a whole number."),
        ({"cups": [1]}, "The cups has to be a whole number."),
        ({"cups": 1, "minutes": "soon"}, "The minutes has to be a number."),
        ({"cups": 1, "minutes": float("nan")}, "The minutes has to be a number."),
        ({"cups": 1, "minutes": float("inf")}, "The minutes has to be a number."),
        ({"cups": 1, "warmth": "boiling"}, "The warmth can only be 'warm' or 'hot'."),
        ({"cups": 1, "tea_name": "x" * 11}, "The tea name is too long."),
        ({"cups": 1, "tea_name": {}}, "I did not understand the tea name."),
    ],
)
def test_a_wrong_argument_is_explained_to_a_person(arguments: dict[str, Any], sentence: str) -> None:
    kettle = Kettle()
    with pytest.raises(BadArgument) as caught:
        tool(kettle.boil, "act").call(arguments)
    assert caught.value.what == sentence
    assert kettle.calls == []


def test_tool_without_a_question_of_its_own_is_asked_about_in_a_sentence() -> None:
    boil = tool(Kettle().boil, "act")
    assert boil.question({}) == "Shall I boil?"
    assert boil.question({"cups": 2, "tea_name": "mint"}) == "Shall I boil: 2 cups, mint?"
    assert tool(Kettle().fill_pot, "act").question({"liters": 1}) == "Shall I fill the pot: 1 liters?"


def test_a_thing_that_goes_somewhere_is_asked_about_as_people_say_it() -> None:
    def add_to_list(item: str, list: str = "") -> str:
        """Put something on a list."""
        return item + list

    add = tool(add_to_list, "act")
    assert add.question({"item": "basil", "list": "shopping"}) == "Shall I add basil to the shopping list?"
    assert add.question({"item": "basil"}) == "Shall I add basil to the list?"


def test_a_name_that_does_not_begin_with_its_verb_is_no_order() -> None:
    def home_set(device: str, state: str) -> str:
        """Switch or set something at home."""
        return f"{device} {state}"

    asked = tool(home_set, "act").question({"device": "hall heating", "state": "19"})
    assert asked == "Shall I switch: hall heating, 19?"
