"""The shortlist of a large catalogue: what is on it, and what is remembered."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, get_args

import pytest

from appliance.errors import Cancelled, TurnFailed
from appliance.ports import Tool
from appliance.reply.router import PICKS_KEPT, Picks, Router, Strategy
from appliance.simulated import ListedTool


def named(name: str, description: str, *parameters: str) -> ListedTool:
    return ListedTool(name, description, {parameter: {"type": "string"} for parameter in parameters})


TOOLS: list[Tool] = [
    named("get_weather", "Forecast of rain, wind and temperature.", "place", "day"),
    named("lamp_switch", "Switches one on or off.", "room"),
    named("playMusic", "Songs and albums from the shelf.", "artist"),
    named("shopping_add", "Puts groceries on the list.", "item"),
    named("send_mail", "Writes to a person.", "recipient"),
]


class Kept:
    """A router, and what it picked in a conversation."""

    def __init__(self, made: Router) -> None:
        self.made, self.picks = made, Picks()

    def matches(self, query: str, tools: Sequence[Tool]) -> list[str]:
        return self.made.matches(query, tools, self.picks)


def router(strategy: Strategy = "hybrid", limit: int = 2, **models: Any) -> Kept:
    return Kept(Router(strategy, limit, **models))


@pytest.mark.parametrize("strategy", ["keyword", "hybrid"])
@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("will there be rain tomorrow", "get_weather"),
        ("the weather please", "get_weather"),
        ("is a lamp lit", "lamp_switch"),
        ("some music", "playMusic"),
        ("who is the recipient", "send_mail"),
    ],
)
def test_name_description_and_parameters_are_searched(strategy: Strategy, query: str, best: str) -> None:
    assert router(strategy).matches(query, TOOLS)[0] == best


@pytest.mark.parametrize(
    ("query", "best"),
    [("the lamps", "lamp_switch"), ("whether forcast", "get_weather"), ("grocery lists", "shopping_add")],
)
def test_hybrid_hears_plurals_and_slips(query: str, best: str) -> None:
    assert router("hybrid").matches(query, TOOLS)[0] == best


def test_hybrid_does_not_take_short_words_for_each_other() -> None:
    assert router("hybrid").matches("wine and tin", TOOLS) == []


@pytest.mark.parametrize("strategy", get_args(Strategy))
def test_no_more_than_the_limit_is_picked_but_of_all(strategy: Strategy) -> None:
    assert len(router(strategy, limit=1).matches("rain music", TOOLS)) == (len(TOOLS) if strategy == "all" else 1)


def test_what_is_not_in_the_catalogue_is_never_listed() -> None:
    assert router().matches("rain", TOOLS[:2]) == ["get_weather"]


@pytest.mark.parametrize("strategy", [each for each in get_args(Strategy) if each != "all"])
@pytest.mark.parametrize("query", ["quux", "", "?!"])
def test_nothing_is_picked_when_nothing_matches(strategy: Strategy, query: str) -> None:
    assert router(strategy, limit=1).matches(query, TOOLS) == []


def test_words_about_nothing_find_nothing() -> None:
    assert router().matches("what is it with you and the others, on and off", TOOLS) == []


def test_empty_catalogue_gives_an_empty_list() -> None:
    assert router().matches("rain", []) == []


class Picker:
    """A model that picks, and counts how often it was asked."""

    def __init__(self, *names: str, error: Exception | None = None) -> None:
        self.names, self.error, self.asked = names, error, list[str]()

    def __call__(self, query: str, tools: Sequence[Tool]) -> Sequence[str]:
        self.asked.append(query)
        if self.error:
            raise self.error
        return self.names


def test_model_picks_in_its_own_order_and_unknown_names_are_dropped() -> None:
    pick = Picker("send_mail", "rm_rf", "get_weather", "send_mail")
    assert router("llm", 3, pick=pick).matches("rain", TOOLS) == ["send_mail", "get_weather"]


@pytest.mark.parametrize("pick", [None, Picker(), Picker("rm_rf"), Picker(error=TurnFailed("down", remedy="wait"))])
def test_keywords_stand_in_for_a_model_that_gives_nothing(pick: Picker | None) -> None:
    assert router("llm", pick=pick).matches("rain", TOOLS) == ["get_weather"]


def test_cancelled_pick_is_no_reason_to_go_on() -> None:
    with pytest.raises(Cancelled):
        router("llm", pick=Picker(error=Cancelled())).matches("rain", TOOLS)


def test_pick_is_kept_as_long_as_its_conversation() -> None:
    pick = Picker("send_mail")
    kept = router("llm", pick=pick)
    assert [kept.matches("rain", TOOLS)[0] for _ in range(3)] == ["send_mail"] * 3
    assert len(pick.asked) == 1
    kept.picks = Picks()
    kept.matches("rain", TOOLS)
    assert len(pick.asked) == 2


def test_pick_holds_for_its_own_line_and_catalogue_only() -> None:
    pick = Picker("get_weather")
    kept = router("llm", pick=pick)
    kept.matches("rain", TOOLS)
    kept.matches("snow", TOOLS)
    kept.matches("rain", TOOLS[:4])
    assert len(pick.asked) == 3


def test_who_gets_a_list_may_change_it() -> None:
    kept = router()
    kept.matches("rain", TOOLS).clear()
    assert kept.matches("rain", TOOLS) == ["get_weather"]


def test_nothing_found_is_never_kept() -> None:
    pick = Picker()
    kept = router("llm", pick=pick)
    assert kept.matches("quux", TOOLS) == []
    pick.names = ("send_mail",)
    assert kept.matches("quux", TOOLS) == ["send_mail"]


def test_oldest_pick_makes_room() -> None:
    pick = Picker("get_weather")
    kept = router("llm", pick=pick)
    for number in range(PICKS_KEPT):
        kept.matches(f"line {number}", TOOLS)
    kept.matches("line 0", TOOLS)
    kept.matches("one more", TOOLS)
    asked = len(pick.asked)
    kept.matches("line 0", TOOLS)
    assert len(pick.asked) == asked, "it was used lately"
    kept.matches("line 1", TOOLS)
    assert len(pick.asked) == asked + 1


def test_failing_model_is_told_without_the_words(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "appliance")
    router("llm", pick=Picker(error=TurnFailed("down", remedy="wait"))).matches("my secret rain", TOOLS)
    assert "down" in caplog.text
    assert "secret" not in caplog.text
