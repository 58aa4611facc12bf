"""Orders that hang on something: where the order begins, and whether a result settles it without the model."""

from __future__ import annotations

import pytest

from appliance.reply.understanding.conditions import conditions

ENGLISH, GERMAN = conditions("en"), conditions("de")


@pytest.mark.parametrize(
    ("line", "test", "order"),
    [
        ("If the loft is over thirty, open the skylight.", "the loft is over thirty", "open the skylight"),
        ("if the greenhouse is too warm open the vents", "the greenhouse is too warm", "open the vents"),
        ("if the shed is open shut it", "the shed is open", "shut it"),
        ("bring... no, close the awning if it gets windy", None, None),
        ("close the awning if it gets windy", "it gets windy", "close the awning"),
        ("check whether it snows on sunday and if so tell Piet", "it snows on sunday", "tell Piet"),
        ("is the gate open", None, None),
        ("see how hot the loft is and get the fan going if it's over thirty", "it's over thirty", "get the fan going"),
        ("look at the sky if it rains you close the skylight", "it rains", "you close the skylight"),
        ("check if honey is on the list and if it's not stick it on", "honey is on the list", "stick it on"),
        (
            "did Bo leave the gate open? if so go ahead and shut it",
            "did Bo leave the gate open",
            "go ahead and shut it",
        ),
        ("text Piet if the ferry runs, otherwise leave it", "the ferry runs", "text Piet"),
        ("if they leave before six turn the heat down", "they leave before six", "turn the heat down"),
    ],
)
def test_test_and_order_are_told_apart(line: str, test: str | None, order: str | None) -> None:
    assert ENGLISH
    found = ENGLISH.read(line)
    assert (found and (found.test, found.order)) == (None if test is None else (test, order))


@pytest.mark.parametrize(
    ("line", "result", "met"),
    [
        ("if the loft is over thirty open the skylight", "Loft: 31.5 degrees, humidity 20 percent", True),
        ("if the loft is over thirty open the skylight", "Loft: 28 degrees.", False),
        ("if the loft is over thirty open the skylight", "Loft 28, hall 31", False),  # the part that shares a word
        ("if it is warmer than ten open the vents", "between 8 and 14 degrees", None),  # both
        ("if it falls below minus two tell Piet", "tonight minus 4", True),
        ("if it falls below minus two tell Piet", "at 22:15 it is 1 degree", False),  # a time is no figure
        ("tell Piet if it snows", "Monday: light snow, -1 degrees", True),
        ("tell Piet if it snows", "Monday: no snow, 3 degrees", False),
        ("tell Piet if it snows", "Monday: clear", False),
        ("tell Piet if it snows", "Monday: clear, chance of snow 5 percent", False),
        ("tell Piet if it snows", "Monday: a 10% chance of snow", False),
        ("tell Piet if it snows", "Monday: an 80 percent chance of snow, humidity 20 percent", True),
        ("if it rains tell Piet", "showers from noon, 9 degrees", True),
        ("if it is windy tell Piet", "dry, gusts of 70", True),
        ("if it is windy tell Piet", "sunny, wind 6 km/h", False),
        ("if it is windy tell Piet", "sunny, wind from the west at 35 km/h", True),
        ("if it is windy tell Piet", "wind 9 mph, gusts 25 mph", True),
        ("if it is windy tell Piet", "15 degrees, light winds", False),
        ("if my step count is over 10,000 tell Piet", "steps today: 950", False),
        ("if my step count is over 10,000 tell Piet", "steps today: 12,400", True),
        ("if my step count is over 8000 tell Piet", "8,500 steps so far", True),
        ("if it rains tell Piet", "11 degrees, rain 0 mm, wind 40 km/h", False),
        ("if it rains tell Piet", "Saturday: 0.0 mm of rain. Sunday: 0.4 mm of rain", True),
        ("if it stays dry tell Piet", "cloudy, rain: 0 mm", True),
        ("if there is a gale tell Piet", "force 8 from the south-west", True),
        ("if there is a gale tell Piet", "force 3, sunny", False),
        ("if it stays dry tell Piet", "overcast, no rain", True),
        ("if it stays dry tell Piet", "cloudy, 10 % chance of rain", True),
        ("if it stays dry tell Piet", "dry until noon, then rain", None),
        ("if the gate is closed tell Piet", "the gate is not open", True),
        ("if there's a storm tell Piet", "storm likely after 8, humidity 15 percent", True),
        ("if it doesn't rain tell Piet", "mostly sunny, rain 4 %", True),
        ("if it doesn't rain tell Piet", "dry and sunny", True),
        ("if it doesn't rain tell Piet", "rain from noon", False),
        ("if the shed is open shut it", "<untrusted 1 source=x>\nshed: closed since 8:10\n</untrusted 1>", False),
        ("if the shed isn't locked lock it", "shed: unlocked", True),
        ("if the tumble dryer is done tell Piet", "dryer: 12 minutes left", False),
        ("if anybody rang tell Piet", "two calls", None),
        ("if it freezes tell Piet", "clear tonight, lows of minus 3 degrees", True),
        ("if it freezes tell Piet", "clear tonight, 3 degrees", False),
        ("if the gate is still up tell Piet", "Gate: open since 20:12", True),
        ("if it's over thirty tell Piet", "Friday 3 July: sunny, high of 34 degrees, wind 12 km/h", True),
        ("if there are gusts of over sixty tell Piet", "tonight force 6, gusts of 55 km/h, 8 degrees", False),
        ("if the wind is above 40 kilometres tell Piet", "19 degrees, wind 44 kilometres an hour", True),
        ("if it's above 40 kilometres tell Piet", "19 degrees, 44 kilometres an hour", True),
        ("if the pump has more than 2 hours left tell Piet", "2 hours 20 minutes left", None),
        ("if all the vents are shut tell Piet", "east vent shut, west vent open, door closed", False),
        ("if any of the vents are open tell Piet", "east vent shut, west vent open, door closed", True),
        ("if all the vents are shut tell Piet", "east vent shut, west vent shut, door open", True),
        ("if the vents are shut tell Piet", "east vent shut, west vent open", None),
    ],
)
def test_result_settles_it_or_leaves_it_to_the_model(line: str, result: str, met: bool | None) -> None:
    assert ENGLISH
    found = ENGLISH.read(line)
    assert found is None or found.met(result) is met
    assert found or met is None


@pytest.mark.parametrize(
    ("line", "result", "held"),
    [
        ("put rye on the shopping list unless it's already on it", "oats, rye", False),
        ("put rye on the shopping list unless it's there already", "oats, salt", True),
        ("add rye to the list if the list has no oats", "oats, salt", False),
        ("add it unless it is there already", "oats", None),
    ],
)
def test_what_a_list_says_of_an_order(line: str, result: str, held: bool | None) -> None:
    assert ENGLISH
    found = ENGLISH.read(line)
    assert found
    assert found.listed(result) is held


def test_other_languages() -> None:
    assert GERMAN
    found = GERMAN.read("wenn es unter fünf Grad ist, mach die Heizung an")
    assert found
    assert (found.order, found.met("Außen: 3 Grad"), found.met("Außen: 9 Grad")) == ("mach die Heizung an", True, False)
    windy = GERMAN.read("wenn es windig ist, mach die Markise zu")
    assert windy
    assert (windy.met("sonnig, Wind 6 km/h"), windy.met("sonnig, Wind 40 km/h")) == (False, True)
    assert conditions("xx") is None


@pytest.mark.parametrize(
    ("line", "test", "order"),
    [
        ("find out when the ferry leaves and text it to Piet", "find out when the ferry leaves", "text it to Piet"),
        ("how long do lentils take and set a timer for that", "how long do lentils take", "set a timer for that"),
        ("look up who sang it and play something by her", "look up who sang it", "play something by her"),
        ("find out who sang it and look up where he lived", "find out who sang it", "look up where he lived"),
        ("tell Piet when the ferry leaves", "when the ferry leaves", "tell Piet when the ferry leaves"),
        ("schreib Piet wann die Fähre geht", "wann die Fähre geht", "schreib Piet wann die Fähre geht"),
        ("schau nach wann die Fähre geht und schick es an Piet", "schau nach wann die Fähre geht", "schick es an Piet"),
    ],
)
def test_order_that_takes_what_a_look_gives(line: str, test: str, order: str) -> None:
    found = (GERMAN if line.startswith("sch") else ENGLISH).read(line)  # type: ignore[union-attr]
    assert found
    assert (found.test, found.order, found.follows, found.met(test)) == (test, order, True, True)
    assert found.met("nothing was found") is None  # it is left to the model


@pytest.mark.parametrize(
    "line",
    [
        "what time is it and tell Piet that I am late",
        "look up the ferry and switch off the lamp",
        "dim the lamp when I get home and set it to five",
        "tell Piet when I will be there",
        "tell me what time it is",
    ],
)
def test_order_of_its_own_takes_nothing(line: str) -> None:
    assert ENGLISH
    assert ENGLISH.read(line) is None


@pytest.mark.parametrize(
    ("line", "order", "alternative"),
    [
        (
            "if the loft is over thirty open the skylight, otherwise turn the fan on",
            "open the skylight",
            "turn the fan on",
        ),
        ("if it rains add boots to the list or else add sandals", "add boots to the list", "add sandals"),
        ("if it rains add boots to the list, otherwise leave it", "add boots to the list", ""),
        ("if it's dry set the fan to three, otherwise to one", "set the fan to three", "set the fan to one"),
        ("if it's warm turn the fan on otherwise off", "turn the fan on", "turn the fan off"),
        ("if the tank is above half leave the pump alone, otherwise switch it on", "switch it on", ""),
        ("if it's raining leave the awning as it is, otherwise pull it out", "pull it out", ""),
        ("if it's raining let the boys know, otherwise text Ann", "let the boys know", "text Ann"),
        ("if it's cold, keep the heating at 21, otherwise set it to 17", "keep the heating at 21", "set it to 17"),
        (
            "if it rains shut the roof and leave the fan on, otherwise open it",
            "shut the roof and leave the fan on",
            "open it",
        ),
        ("put milk on my list if there's nothing else on it", "put milk on my list", ""),
        ("if it rains tell Bo to go to bed, otherwise to ring me", "tell Bo to go to bed, otherwise to ring me", ""),
        (
            "if it's dark turn the light on in the hall, otherwise off",
            "turn the light on in the hall",
            "turn the light off in the hall",
        ),
        ("if it's dry set out the chairs and if it's wet tell Piet", "set out the chairs", "tell Piet"),
        ("I forgot again. If it rains, shut the roof", "shut the roof", ""),
        ("if the roof is open shut it, and if it isn't just leave it", "shut it", ""),
        ("my aunt's at the baker's, if rye bread is on the list text her to get it", "text her to get it", ""),
    ],
)
def test_an_order_for_the_other_case(line: str, order: str, alternative: str) -> None:
    found = ENGLISH and ENGLISH.read(line)
    assert found
    assert (found.order, found.alternative) == (order, alternative)


def test_an_order_for_the_other_case_alone_is_due_where_the_first_case_is_not() -> None:
    found = ENGLISH and ENGLISH.read("if the tank is above 50 percent leave the pump off, otherwise switch it on")
    assert found
    assert found.met("Tank: 18 percent.") is True
    assert found.met("Tank: 80 percent.") is False
