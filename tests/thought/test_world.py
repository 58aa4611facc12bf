"""What is asked of the world at large is answered out of what the model knows, and as sure as it is of it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from rig import Rig

from appliance.simulated import CannedModel
from appliance.thought import prompt
from appliance.thought.grammar import SENTENCE
from appliance.thought.phrases import phrases
from appliance.thought.sure import as_sure
from appliance.thought.understanding.signs import SignReader
from appliance.thought.understanding.world import OfTheWorld
from appliance.tools.places import is_known
from bench import quiz

WORLD = prompt.world_head()
QUESTION = "why do geese fly in a wedge"
ENGLISH = SignReader("en", is_known)
PHRASES = phrases("en")


class Doubting(CannedModel):
    """Is not sure of what it writes."""

    doubt = 0.8

    def generate(self, prompt: Any, grammar: Any, limit: Any, usage: Any, stale: Any) -> Any:
        yield from super().generate(prompt, grammar, limit, usage, stale)
        usage.doubt = self.doubt


def of_the_world(rig: Rig, place: int = -1) -> bool:
    """Whether a pass was read behind the head of the world."""
    return rig.canned.prompts[place][0] == WORLD[0]


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        (QUESTION, True),
        ("my girl wants to know, which is the smallest planet", True),
        ("who was the composer of the ring cycle", True),
        ("what is our money called here", False),
        ("who was at the door this morning", False),
        ("my boss was in a foul mood all morning", False),
        ("how many grams are in an ounce", False),
        ("tell me a joke about geese", False),
    ],
)
def test_what_is_asked_of_the_world_is_told_from_all_else(line: str, asked: bool) -> None:
    rig = Rig(*["So it goes."] * 2, without={"lookup"})
    rig.say(line)
    behind = [of_the_world(rig, place) for place in range(len(rig.canned.prompts))]
    assert any(behind) is asked


def test_most_questions_of_strangers_are_told_and_few_others() -> None:
    told: dict[str, list[bool]] = {}
    for row in quiz.questions(quiz.FILES):
        told.setdefault(row.unknowable or "known", []).append(ENGLISH.read(row.say).world.asked)
    assert np.mean(told["known"]) > 0.75
    assert np.mean(told["unheard_of"]) > 0.85
    assert np.mean(told["changes"]) < 0.06


def test_what_does_not_exist_is_told_from_what_does() -> None:
    likely: dict[str, list[float]] = {}
    for row in quiz.questions(quiz.FILES):
        likely.setdefault(row.unknowable or "known", []).append(ENGLISH.read(row.say).world.unheard_of)
    assert np.mean(np.array(likely["unheard_of"]) >= 0.5) > 0.5
    assert np.mean(np.array(likely["known"]) >= 0.5) < 0.05


def test_a_language_that_nothing_was_taught_in_has_no_such_question() -> None:
    assert not SignReader("de").read("warum fliegen gänse im keil").world.asked


def test_the_answer_is_one_sentence_without_a_mark() -> None:
    rig = Rig("It saves them strength.", without={"lookup"})
    record = rig.say(QUESTION)
    assert record.said == "It saves them strength."
    assert record.model.calls == 1
    assert rig.grammar().whole("It saves them strength.")
    assert [message.role for message in rig.canned.prompts[0]] == ["system", "user"]


@pytest.mark.parametrize(
    ("written", "whole"),
    [
        ("It saves them strength.", True),
        ("Yes!", True),
        ('It is called "agoraphobia."', True),
        ("It was written by J.", False),
        ("Dr.", False),
        ("It is near St.", False),
        ("It weighs 3.5", False),
        ("One\n", True),
    ],
)
def test_a_sentence_ends_where_it_ends(written: str, whole: bool) -> None:
    assert SENTENCE.whole(written) is whole
    assert re.fullmatch(r"root ::= .+", SENTENCE.gbnf)


def test_what_was_said_stands_before_the_next_question() -> None:
    rig = Rig("It saves them strength.", "In spring.", without={"lookup"})
    rig.say(QUESTION)
    rig.say("when do wild geese fly north")
    assert [message.text for message in rig.canned.prompts[-1][len(WORLD) :]] == [
        QUESTION,
        "It saves them strength.",
        "when do wild geese fly north",
    ]


def test_where_there_is_an_encyclopaedia_that_is_asked() -> None:
    rig = Rig('lookup(query="Blade Runner")', "say A film by Ridley Scott.")
    assert rig.say("look up who made blade runner").said == "A film by Ridley Scott."
    assert not any(of_the_world(rig, place) for place in range(len(rig.canned.prompts)))


def test_who_was_just_found_is_read_of_where_that_stands() -> None:
    rig = Rig('lookup(query="Ida Mill")', "say A potter.", "say I do not know.")
    rig.say("who was Ida Mill")
    rig.say("how old was her husband when he died")
    assert not any(of_the_world(rig, place) for place in range(len(rig.canned.prompts)))


def test_of_somebody_who_is_known_the_world_knows_nothing() -> None:
    rig = Rig("say In Oban.", without={"lookup"})
    rig.knows("Ines lives in Oban.")
    rig.say("where does ines live")
    assert not any(of_the_world(rig, place) for place in range(len(rig.canned.prompts)))


def test_a_large_model_is_not_asked_apart() -> None:
    rig = Rig("say To save strength.", parameters=70_000_000_000, without={"lookup"})
    rig.say(QUESTION)
    assert not of_the_world(rig)


@pytest.mark.parametrize(
    ("doubt", "world", "said"),
    [
        (0.1, OfTheWorld(True, 0.01), "Leo Tolstoy."),
        (1.0, OfTheWorld(True, 0.1), "Leo Tolstoy, I think."),
        (1.0, OfTheWorld(True, 0.6), PHRASES.unheard_of),
        (3.0, OfTheWorld(True, 0.01), PHRASES.unknown),
        (0.1, OfTheWorld(True, 0.9), PHRASES.unheard_of),
    ],
)
def test_an_answer_is_as_plain_as_the_model_is_sure(doubt: float, world: OfTheWorld, said: str) -> None:
    assert as_sure("Leo Tolstoy.", doubt, world, PHRASES) == said


def test_no_answer_is_no_knowledge() -> None:
    assert as_sure("", 0.0, OfTheWorld(True), PHRASES) == PHRASES.unknown


def test_a_doubtful_answer_is_said_as_a_guess() -> None:
    rig = Rig(model=Doubting(["It saves them strength."]), without={"lookup"})
    assert rig.say(QUESTION).said == "It saves them strength, I think."
    assert rig.conversation.talked[-1].text == "say It saves them strength, I think."
