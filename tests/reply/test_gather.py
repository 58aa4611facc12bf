"""A fact of the diary is what the user stated: not asked, not meant otherwise, not of the box, not of somebody else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from appliance.ports import Exchange
from appliance.reply.gather import RULE, USER, WORLD, Gatherer
from appliance.reply.plan import Call

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
ENGLISH = Gatherer("en", "Jarvis", "GB", frozenset({"set_timer"}))


def said(*lines: str, **more: Any) -> list[Exchange]:
    return [
        Exchange(number, "c-1", line, "I see.", NOON + timedelta(minutes=number), **more)
        for number, line in enumerate(lines, 1)
    ]


def kept(fact: str, *lines: str, tool: str = USER, gatherer: Gatherer = ENGLISH) -> list[tuple[str, int]]:
    """What becomes of a fact that the model wrote, with the number of the line that holds it."""
    found = gatherer.candidates([Call(tool, {"fact": fact})], gatherer.told(said(*lines)))
    return [(each.text, each.told.source.id) for each in found]


def test_what_was_stated_is_held_with_its_source() -> None:
    fact = "The user's sister Lena lives in York."
    assert kept(fact, "hello there", "well, my sister Lena lives in York. And what is the time?") == [(fact, 2)]
    assert kept("The user practises at 7.", "I practise every morning at 7") == [("The user practises at 7.", 1)]


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("is my dentist Dr Wren?", "The user's dentist is Dr Wren."),
        ("could you tell me whether my dentist is Dr Wren", "The user's dentist is Dr Wren."),
        ("maybe my dentist is Dr Wren", "The user's dentist is Dr Wren."),
        ("if I had a dog I would call it Rex", "The user has a dog called Rex."),
        ("my sister lives in Leeds", "The user's sister Anna lives in Leeds."),
        ("my sister lives in Leeds", "The user's sister lives in York."),
        ("the train leaves at 9", "The train leaves at 10."),
        ("I don't eat meat", "The user eats meat."),
        ("I eat meat", "The user does not eat meat."),
        ("my neighbour grows tomatoes", "The user grows tomatoes."),
        ("you are very funny", "The user is very funny."),
        ("your voice is nice", "The user's voice is nice."),
        ("Jarvis is a nice name", "Jarvis is a nice name."),
        ("I am tired today", "The user is tired."),
        ("I like the sea", 'set(name="sea")'),
        ("my mail is ana@example.org", "The user's mail is ana@example.org."),
    ],
)
def test_what_was_not_stated_is_no_fact(line: str, fact: str) -> None:
    assert kept(fact, line) == []


def test_what_the_box_said_is_no_fact() -> None:
    batch = [Exchange(1, "c-1", "tell me of the heron", "The heron nests in Derby.", NOON)]
    assert ENGLISH.candidates([Call("world_fact", {"fact": "The heron nests in Derby."})], ENGLISH.told(batch)) == []


def test_an_order_that_was_done_states_nothing() -> None:
    line, fact = "my noodles need a timer of 9 minutes", "The user's noodles need a timer of 9 minutes."
    assert kept(fact, line) == [(fact, 1)]
    assert ENGLISH.told(said(line, tools=({"tool": "set_timer", "outcome": "ok"},))) == []


@pytest.mark.parametrize(
    ("line", "fact", "tool", "kind"),
    [
        ("I always want temperatures in Celsius", "The user always wants temperatures in Celsius.", RULE, "rule"),
        ("I want my tea black", "The user wants tea black.", RULE, "user"),
        ("my sister lives in York", "The user's sister lives in York.", WORLD, "user"),
        ("the gate by the mill squeaks", "The gate by the mill squeaks.", USER, "world"),
    ],
)
def test_whose_it_is_the_users_words_tell(line: str, fact: str, tool: str, kind: str) -> None:
    found = ENGLISH.candidates([Call(tool, {"fact": fact})], ENGLISH.told(said(line)))
    assert [each.kind for each in found] == [kind]


def test_of_one_fact_twice_one_is_kept() -> None:
    told = ENGLISH.told(said("my sister lives in York"))
    call = Call("user_fact", {"fact": "The user's sister lives in York."})
    assert len(ENGLISH.candidates([call, call], told)) == 1


def test_it_holds_in_german() -> None:
    german = Gatherer("de", "Jarvis", "DE")
    fact = "Die Schwester des Nutzers wohnt in Bremen."
    assert kept(fact, "meine Schwester wohnt in Bremen", gatherer=german) == [(fact, 1)]
    assert kept(fact, "wohnt meine Schwester in Bremen?", gatherer=german) == []
    assert kept(fact, "meine Schwester wohnt nicht in Bremen", gatherer=german) == []
