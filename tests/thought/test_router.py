"""The shortlist of a large catalogue: what is on it, what always is, and what is remembered."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, get_args

import pytest

from appliance.errors import Cancelled, TurnFailed
from appliance.ports import Tool
from appliance.simulated import ListedTool
from appliance.thought.router import ALWAYS, PICKS_KEPT, Router, Strategy


def named(name: str, description: str, *parameters: str) -> ListedTool:
    return ListedTool(name, description, {parameter: {"type": "string"} for parameter in parameters})


TOOLS: list[Tool] = [
    named("get_weather", "Forecast of rain, wind and temperature.", "place", "day"),
    named("lamp_switch", "Switches one on or off.", "room"),
    named("playMusic", "Songs and albums from the shelf.", "artist"),
    named("shopping_add", "Puts groceries on the list.", "item"),
    named("send_mail", "Writes to a person.", "recipient"),
    named("stop", "Be quiet."),
    named("tool_search", "Finds more tools."),
]
NAMES = [tool.name for tool in TOOLS]


def router(strategy: Strategy = "hybrid", limit: int = 2, **models: Any) -> Router:
    return Router(strategy, limit, **models)


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
    assert router(strategy).shortlist(query, TOOLS)[0] == best


@pytest.mark.parametrize(
    ("query", "best"),
    [("the lamps", "lamp_switch"), ("whether forcast", "get_weather"), ("grocery lists", "shopping_add")],
)
def test_hybrid_hears_plurals_and_slips(query: str, best: str) -> None:
    assert router("hybrid").matches(query, TOOLS)[0] == best


def test_hybrid_does_not_take_short_words_for_each_other() -> None:
    assert router("hybrid").matches("wine and tin", TOOLS) == []


@pytest.mark.parametrize("strategy", get_args(Strategy))
def test_what_always_stands_stands_beside_the_limit(strategy: Strategy) -> None:
    listed = router(strategy, limit=1).shortlist("rain", TOOLS)
    assert set(ALWAYS) <= set(listed)
    assert len(listed) == (len(TOOLS) if strategy == "all" else 3)


def test_what_always_stands_takes_no_place_of_the_limit() -> None:
    assert router(limit=1).shortlist("stop the music quiet", TOOLS) == ["playMusic", "stop", "tool_search"]


def test_what_is_not_in_the_catalogue_is_never_listed() -> None:
    assert router().shortlist("rain", TOOLS[:2]) == ["get_weather"]


@pytest.mark.parametrize("strategy", get_args(Strategy))
@pytest.mark.parametrize("query", ["quux", "", "?!"])
def test_everything_is_open_when_nothing_matches(strategy: Strategy, query: str) -> None:
    assert router(strategy, limit=1).shortlist(query, TOOLS) == NAMES


def test_words_about_nothing_find_nothing() -> None:
    assert router().matches("what is it with you and the others, on and off", TOOLS) == []


def test_line_before_helps_one_that_leans_on_it() -> None:
    assert router().shortlist("and tomorrow?", TOOLS, context="will it rain")[0] == "get_weather"
    assert router().shortlist("and tomorrow?", TOOLS) == NAMES


def test_empty_catalogue_gives_an_empty_list() -> None:
    assert router().shortlist("rain", []) == []


class Picks:
    """A model that picks, and counts how often it was asked."""

    def __init__(self, *names: str, error: Exception | None = None) -> None:
        self.names, self.error, self.asked = names, error, list[str]()

    def __call__(self, query: str, tools: Sequence[Tool]) -> Sequence[str]:
        self.asked.append(query)
        assert not {tool.name for tool in tools} & set(ALWAYS)
        if self.error:
            raise self.error
        return self.names


def test_model_picks_in_its_own_order_and_unknown_names_are_dropped() -> None:
    pick = Picks("send_mail", "rm_rf", "get_weather", "send_mail")
    assert router("llm", 3, pick=pick).matches("rain", TOOLS) == ["send_mail", "get_weather"]


@pytest.mark.parametrize("pick", [None, Picks(), Picks("rm_rf"), Picks(error=TurnFailed("down", remedy="wait"))])
def test_keywords_stand_in_for_a_model_that_gives_nothing(pick: Picks | None) -> None:
    assert router("llm", pick=pick).matches("rain", TOOLS) == ["get_weather"]


def test_cancelled_pick_is_no_reason_to_go_on() -> None:
    with pytest.raises(Cancelled):
        router("llm", pick=Picks(error=Cancelled())).shortlist("rain", TOOLS)


def vector(text: str) -> list[float]:
    """Two topics: sky and home."""
    sky = sum(word in text for word in ("rain", "umbrella", "sunny"))
    return [float(sky), float("lamp" in text or "cosy" in text), 0.0]


def test_embedding_finds_what_shares_no_word() -> None:
    found = router("embedding", embed=vector)
    assert found.matches("do I need an umbrella", TOOLS) == ["get_weather"]
    assert found.matches("make it cosy", TOOLS) == ["lamp_switch"]


def test_keywords_stand_in_for_vectors_that_say_nothing() -> None:
    assert router("embedding", embed=lambda text: [0.0, 0.0]).matches("groceries", TOOLS) == ["shopping_add"]
    assert router("embedding").matches("groceries", TOOLS) == ["shopping_add"]


def test_tools_are_embedded_once() -> None:
    seen: list[str] = []

    def embed(text: str) -> list[float]:
        seen.append(text)
        return vector(text)

    found = router("embedding", embed=embed)
    found.matches("sunny", TOOLS)
    first = len(seen)
    found.matches("umbrella", TOOLS)
    assert len(seen) == first + 1


def test_pick_is_kept_until_it_is_cleared() -> None:
    pick = Picks("send_mail")
    kept = router("llm", pick=pick)
    assert [kept.shortlist("rain", TOOLS)[0] for _ in range(3)] == ["send_mail"] * 3
    assert len(pick.asked) == 1
    kept.clear()
    kept.shortlist("rain", TOOLS)
    assert len(pick.asked) == 2


def test_pick_holds_for_its_own_line_context_and_catalogue_only() -> None:
    pick = Picks("get_weather")
    kept = router("llm", pick=pick)
    kept.shortlist("rain", TOOLS)
    kept.shortlist("snow", TOOLS)
    kept.shortlist("rain", TOOLS, context="snow")
    kept.shortlist("rain", TOOLS[:4])
    assert len(pick.asked) == 4


def test_who_gets_a_list_may_change_it() -> None:
    kept = router()
    kept.shortlist("rain", TOOLS).clear()
    kept.matches("rain", TOOLS).clear()
    assert kept.matches("rain", TOOLS) == ["get_weather"]


def test_falling_open_is_never_kept() -> None:
    pick = Picks()
    kept = router("llm", pick=pick)
    assert kept.shortlist("quux", TOOLS) == NAMES
    pick.names = ("send_mail",)
    assert kept.shortlist("quux", TOOLS)[0] == "send_mail"


def test_oldest_pick_makes_room() -> None:
    pick = Picks("get_weather")
    kept = router("llm", pick=pick)
    for number in range(PICKS_KEPT):
        kept.shortlist(f"line {number}", TOOLS)
    kept.shortlist("line 0", TOOLS)
    kept.shortlist("one more", TOOLS)
    asked = len(pick.asked)
    kept.shortlist("line 0", TOOLS)
    assert len(pick.asked) == asked, "it was used lately"
    kept.shortlist("line 1", TOOLS)
    assert len(pick.asked) == asked + 1


def test_failing_model_is_told_without_the_words(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "appliance")
    router("llm", pick=Picks(error=TurnFailed("down", remedy="wait"))).shortlist("my secret rain", TOOLS)
    assert "down" in caplog.text
    assert "secret" not in caplog.text


def test_matches_without_a_match_does_not_open_everything() -> None:
    assert router().matches("groceries", TOOLS) == ["shopping_add"]
    assert router().matches("quux", TOOLS) == []
