"""What stands beside a line, so that a small model need not find it elsewhere."""

from __future__ import annotations

from functools import partial

import pytest
from rig import Rig

from appliance.language.clock_times import find_moment
from appliance.ports import Spoken
from appliance.reply.grammar import PlanGrammar
from appliance.skills.clock.countries import country_in, customs
from appliance.skills.clock.places import is_known
from appliance.skills.clock.seasons import season
from appliance.skills.schema import tool


def set_preference(rule: str) -> Spoken:
    """Keep a wish."""
    return Spoken("I will.")


def get_rain() -> str:
    """Tell the rain."""
    return "dry"


def convert_units(value: float, from_unit: str, to_unit: str) -> Spoken:
    """Turn a measure into another unit."""
    return Spoken(f"{value:g} {from_unit} is {value * 0.3048:.1f} {to_unit}.")


PARTS = {"season": season, "moment_of": find_moment}


@pytest.mark.parametrize(
    ("line", "beside"),
    [
        ("what season is it", "[it is spring here]"),
        ("is it autumn or spring over here", "[it is spring here]"),
        ("which town are we in", "[the box stands in Utrecht]"),
        ("what money do they use in this country", "[the box stands in Utrecht]"),
        ("do people drive on the left here", "[the box stands in Utrecht]"),
        ("where does the season ticket go", ""),
    ],
)
def test_place_and_season(line: str, beside: str) -> None:
    rig = Rig("say Plums.", parts=PARTS)
    rig.say(line)
    assert beside in rig.read[0]
    assert beside or "[it is" not in rig.read[0]


@pytest.mark.parametrize(
    ("line", "beside"),
    [
        ("i just flew in what money do they take here", "[the money in Netherlands is: Euro]"),
        ("who do i have to ring for an ambulance", "[in an emergency in Netherlands one rings 112]"),
        ("what language do they speak in Bergen", "[spoken in Norway: Norwegian]"),
        ("what's the country code of Portugal", "[the country code of Portugal is +351]"),
        ("chad has fallen, what number do i ring for an ambulance", "[in an emergency in Netherlands one rings 112]"),
        ("you are with us in Bergen now, which country are we in", "[the country is Norway]"),
        ("mummy which country looks like a shoe", ""),
        ("which language was i learning", ""),
        ("put the money for the milk in the jar", ""),
        ("i rang the police about next door", ""),
    ],
)
def test_what_is_usual_in_a_country(line: str, beside: str) -> None:
    zoned = partial(customs, zone="Europe/Amsterdam")
    rig = Rig("say Plums.", parts={"customs": zoned, "country_in": country_in, "is_place": is_known})
    rig.say(line)
    assert beside in rig.read[0]
    assert beside or "Netherlands" not in rig.read[0]


def test_what_goes_on_from_an_answer_out_of_memory_is_read_with_what_that_was_of() -> None:
    rig = Rig("say On Thursday.", "say At five.")
    rig.knows("Anke swims on Thursday at five.")
    rig.say("which day does Anke swim")
    rig.say("and what time")
    assert "[known: Anke swims on Thursday at five.]" in rig.read[1]


def test_another_thing_is_looked_for_in_memory_by_its_own_name() -> None:
    rig = Rig("say In the hall.", "say I have nothing about that.")
    rig.knows("The key of the van hangs in the hall.")
    rig.say("where is the key of the van")
    assert rig.say("and the one for the trailer").steps[0].arguments == {"topic": "trailer"}


@pytest.mark.parametrize(
    "line", ["and unlock the cellar", "and the weather there", "and tell me a joke", "and my brother is called Tom"]
)
def test_an_order_or_news_behind_an_answer_out_of_memory_is_no_search_in_it(line: str) -> None:
    rig = Rig("say In the hall.", "say Right.", "say Right.")
    rig.knows("The key of the van hangs in the hall.")
    rig.say("where is the key of the van")
    assert "recall" not in [step.tool for step in rig.say(line).steps]


def test_what_was_forgotten_is_not_gone_on_from() -> None:
    rig = Rig("say On Thursday.")
    rig.knows("Anke swims on Thursday at five.")
    rig.say("which day does Anke swim")
    assert rig.conversation.carried.facts
    rig.conversation.forget_words()
    assert not rig.conversation.carried.facts


def test_either_of_two_things_is_put_beside_the_line_that_asks_which() -> None:
    rig = Rig("say Hers.")
    rig.knows("The user's passport runs out in May.")
    rig.knows("The user's daughter's passport runs out in June.")
    rig.say("is it my passport that runs out in June or my daughter's")
    assert "The user's passport runs out in May." in rig.read[0]


def test_what_is_known_is_put_in_relation_to_now() -> None:
    rig = Rig("say Yes.", parts=PARTS)
    rig.knows("Choir is on Saturdays at 20:00.")
    rig.say("how long until choir")
    assert "[Saturday is today; 20:00 is in 1 hour 30 minutes]" in rig.read[0]


@pytest.mark.parametrize(("year", "missing"), [(2022, False), (2025, True)])
def test_a_year_that_no_result_has_is_told(year: int, missing: bool) -> None:
    rig = Rig('lookup(query="race")', "say Plums.", parts=PARTS)
    rig.home.gives = "The race of 2022 was won by Isla Rook, that of 2021 by Bo Finch."
    rig.say(f"who won the hill race in {year}")
    assert (f"[there is nothing of {year} above]" in rig.read[1]) is missing


def test_what_is_told_is_not() -> None:
    rig = Rig("say Good.", parts=PARTS)
    rig.knows("Choir is on Saturdays.")
    rig.say("we sang well at choir last week")
    assert "Saturday is" not in rig.read[0]


def test_so_is_what_is_found() -> None:
    rig = Rig('lookup(query="mill")', "say 1850.", parts=PARTS)
    rig.home.gives = "The mill opened in 1850."
    rig.say("how old is the mill, look it up")
    assert "[1850 was 176 years ago]" in rig.read[1]


@pytest.mark.parametrize(
    ("line", "standing"),
    [
        ("when I ask for the weather never mention the wind", True),
        ("whenever my son asks for a story only tell short ones", True),
        ("never say the time in full when I ask", True),
        ("when we were small we never had a garden", False),
        ("if it rains don't forget the bins", False),
    ],
)
def test_a_standing_wish_can_only_be_kept(line: str, standing: bool) -> None:
    rig = Rig('set_preference(rule="Plums.")', more_tools=[tool(set_preference, "act"), tool(get_rain, "read")])
    rig.say(line)
    grammar = rig.canned.grammars[0]
    assert isinstance(grammar, PlanGrammar)
    assert ([name for name, _ in grammar.tools] == ["set_preference"] and not grammar.speech) is standing


def test_what_a_fact_measures_stands_there_in_the_unit_that_is_asked_for() -> None:
    rig = Rig("say About 4.6.", more_tools=[tool(convert_units, "read")])
    rig.knows("The user's hall is 15 feet long.")
    rig.say("what's the length of my hall in metres")
    assert "[15 feet is 4.6 metres.]" in rig.read[0]


def test_a_unit_of_time_is_asked_for_as_well() -> None:
    rig = Rig("say About 3.", more_tools=[tool(convert_units, "read")])
    rig.knows("The user's ride takes 10 hours.")
    rig.say("what's the length of my ride in minutes")
    assert "[10 hours is 3.0 minutes.]" in rig.read[0]


def test_a_timer_so_long_before_what_is_known_rings_then() -> None:
    rig = Rig("set_timer(minutes=20)", parts=PARTS)
    rig.knows("Choir is on Saturdays at 20:00.")
    record = rig.say("there is choir tonight so set a timer that rings 20 minutes before choir please")
    assert record.steps[0].arguments == {"hours": 1, "minutes": 10}


def test_whoever_is_asked_whether_an_order_is_due_hears_what_was_found() -> None:
    rig = Rig('lookup(query="kiln")', "set_timer(minutes=10)")
    rig.home.gives = "The kiln stands at 940 degrees."
    record = rig.say("look up the kiln and if it is over 900 degrees set a timer for 10 minutes")
    assert (record.said, record.outcome) == (
        "The kiln stands at 940 degrees. Shall I set the timer: 10 minutes?",
        "asked",
    )
