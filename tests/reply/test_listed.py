"""What goes on a list goes there whole; places, days and settings are as they were said."""

from __future__ import annotations

import pytest

from appliance.reply.calls.grounding import grounded, spread
from appliance.reply.calls.listed import along, whole
from appliance.reply.plan import Call
from appliance.reply.understanding.signs import SignReader
from appliance.skills.clock.places import is_known
from bench.scripted import EVERY, Script, Tools

SIGNS = SignReader("en", is_known)
TOOLS = {tool.name: tool for tool in Tools(Script()).named(EVERY)}


@pytest.mark.parametrize(
    ("line", "item", "wanted"),
    [
        ("add twelve plums to the shopping list", "plums", "12 plums"),
        ("put plums and a jar of honey on the list", "plums", "plums and a jar of honey"),
        ("we need plums, figs and two bags of flour", "plums", "plums, figs and 2 bags of flour"),
        ("a bottle of vinegar for the list", "vinegar", "a bottle of vinegar"),
        ("put plums on the list and turn the light off", "plums", "plums"),
        ("add plums and turn the light off", "plums", "plums"),
        ("add plums, we ate the last ones", "plums", "plums"),
        ("the last of the linseed oil that was, linseed oil, clever clogs, get it down", "linseed oil", "linseed oil"),
        ("get plums, figs, flour, my sister is coming over", "plums", "plums, figs, flour"),
        ("add plums and shopping bags to the shopping list", "plums", "plums and shopping bags"),
        ("half a dozen plums, shopping list", "plums", "half a dozen plums"),
        ("add something", "plums", "plums"),
        ("we're out of plums and figs and i've got tarts in the oven", "plums", "plums and figs"),
    ],
)
def test_nothing_of_it_is_lost(line: str, item: str, wanted: str) -> None:
    assert whole(item, "shopping", SIGNS.read(line)) == wanted


def test_what_went_on_a_list_with_the_first_of_several_goes_there_once() -> None:
    all_of_it = Call("add_to_list", {"item": "plums, figs and 2 bags of flour"})
    assert along(Call("add_to_list", {"item": "figs"}), all_of_it)
    assert not along(Call("add_to_list", {"item": "fig"}), all_of_it)
    assert not along(Call("add_to_list", {"item": "figs", "list": "garden"}), all_of_it)
    assert not along(all_of_it, all_of_it)


def kept(line: str, name: str, before: tuple[str, ...] = (), **arguments: str) -> dict[str, object]:
    signs = SIGNS.read(line)
    return grounded(Call(name, arguments), TOOLS[name], line, before, signs, countable=True).arguments


def test_a_setting_is_its_number() -> None:
    said = kept("set the study heating to twenty one", "home_set", device="study heating", state="on")
    assert said["state"] == "21"
    assert kept("turn the study lamp on", "home_set", device="study lamp", state="on")["state"] == "on"


def test_a_number_is_the_setting_of_what_it_was_said_of() -> None:
    line = "set the study lamp to 40 percent and pull the blinds down"
    assert kept(line, "home_set", device="study lamp", state="on")["state"] == "40 percent"
    assert kept(line, "home_set", device="blinds", state="down")["state"] == "down"


def test_the_day_that_was_named_is_asked_about() -> None:
    assert kept("will Ghent be dry on Friday", "get_weather", place="Ghent")["day"] == "friday"
    assert "day" not in kept("Friday or Saturday, which is drier", "get_weather", place="Ghent")


def test_no_day_is_made_up() -> None:
    assert "day" not in kept("will the sky water my beans this evening", "get_weather", day="Wednesday")
    assert kept("and in Bruges", "get_weather", ("is it dry on Wednesday",), day="Wednesday")["day"] == "Wednesday"


def test_a_search_that_asks_on_says_for_what() -> None:
    query = kept("and who do I ring about it", "search_documents", ("when does the lease end",), query="lease end")[
        "query"
    ]
    assert query == "lease end who ring about"


def test_both_places_are_asked_about() -> None:
    signs = SIGNS.read("Is it colder in Oslo or Vienna tonight?")
    calls = spread(Call("get_weather", {"day": "tonight"}), TOOLS["get_weather"], signs)
    assert SIGNS.read("what time is it in new york and in los angeles").places == ("new york", "los angeles")
    assert [call.arguments["place"] for call in calls] == ["Oslo", "Vienna"]


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("where is it warmer, here or in Oslo", ("", "Oslo")),
        ("is it wetter in Oslo than at home", ("Oslo", "")),
        ("which has more sun right now, Nice or Genoa, and by how much", ("Nice", "Genoa")),
        ("is it here or there", ()),
    ],
)
def test_one_of_the_places_may_be_this_one(line: str, places: tuple[str, ...]) -> None:
    assert SIGNS.read(line).places == places


def test_a_message_nobody_gave_is_none() -> None:
    said = kept("can you send Nils a message", "send_message", to="Nils", text="Sorry, I cannot send messages")
    assert said == {"to": "Nils"}
