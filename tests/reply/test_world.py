"""What is asked of the world at large is answered out of what the model knows, and as sure as it is of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest
from rig import Doubting, Rig

from appliance.errors import PromptTooLong
from appliance.reply import prompt
from appliance.reply.confidence import as_sure
from appliance.reply.line import LineReader
from appliance.reply.phrases import phrases
from appliance.reply.select import ASKED
from appliance.reply.sentence import SentenceGrammar
from appliance.simulated import CannedModel
from models.training.lines import in_digits
from models.training.questions import FILES, questions

WORLD = prompt.world_head()
QUESTION = "why do geese fly in a wedge"
ENGLISH = LineReader("en", partial(in_digits, language="en"))
PHRASES = phrases("en")


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
    for row in questions(FILES):
        told.setdefault(row.unknowable or "known", []).append(ENGLISH.read(row.say).world >= ASKED)
    assert np.mean(told["known"]) > 0.75
    assert np.mean(told["unheard_of"]) > 0.85
    assert np.mean(told["changes"]) < 0.07


def test_what_does_not_exist_is_told_from_what_does() -> None:
    likely: dict[str, list[float]] = {}
    for row in questions(FILES):
        likely.setdefault(row.unknowable or "known", []).append(ENGLISH.read(row.say).unheard_of)
    assert np.mean(np.array(likely["unheard_of"]) >= 0.5) > 0.5
    assert np.mean(np.array(likely["known"]) >= 0.5) < 0.05


def test_a_language_that_nothing_was_taught_in_has_no_such_question() -> None:
    assert LineReader("de", str).read("warum fliegen gänse im keil").world == 0


def test_the_answer_is_one_sentence_without_a_mark() -> None:
    rig = Rig("It saves them strength.", without={"lookup"})
    record = rig.say(QUESTION)
    assert record.said == "It saves them strength."
    assert record.model.calls == 1
    assert rig.grammar().whole("It saves them strength. And")
    assert [message.role for message in rig.canned.prompts[0]] == ["system", "user"]


@pytest.mark.parametrize(
    ("written", "over"),
    [
        ("It saves them strength.", False),
        ("It saves them strength. The", True),
        ("Yes! It", True),
        ('It is called "agoraphobia." A', True),
        ("It was written by J. R", False),
        ("Dr. Watson", False),
        ("It weighs 3.", False),
        ("It weighs 3.5 kilos", False),
        ("One\n", True),
        ("\n", False),
    ],
)
def test_a_sentence_is_over_once_the_next_begins(written: str, over: bool) -> None:
    assert SentenceGrammar().whole(written) is over


@pytest.mark.parametrize("line", ["when does she get home", "where does he live", "is he coming on sunday"])
def test_what_points_to_somebody_of_the_house_is_not_asked_of_the_world(line: str) -> None:
    rig = Rig("Leonardo da Vinci.", "say I do not know.", "say I do not know.", without={"lookup"})
    rig.say("who painted the mona lisa")
    rig.say(line)
    assert not of_the_world(rig)


def test_what_was_declined_is_read_before_nothing() -> None:
    rig = Rig(model=Doubting(["Titian."], doubt=3.0), without={"lookup"})
    rig.say("who painted the mona lisa")
    assert not rig.conversation.carried.world


def test_the_second_part_of_a_line_is_asked_of_the_world_as_well() -> None:
    rig = Rig("Mary Shelley.", without={"lookup"})
    record = rig.say("set a timer for ten minutes and tell me who wrote frankenstein")
    assert record.said.endswith("Mary Shelley.")
    assert of_the_world(rig)


@pytest.mark.parametrize(("rule", "asked"), [("", True), ("Answer in German.", False)])
def test_a_wish_of_how_to_speak_is_not_for_an_untaught_model(rule: str, asked: bool) -> None:
    rig = Rig("say It saves them strength.", without={"lookup"})
    if rule:
        rig.knows(rule, "rule")
    rig.say(QUESTION)
    assert of_the_world(rig) is asked


def test_a_question_without_room_is_planned() -> None:
    class Narrow(CannedModel):
        def generate(self, prompt: Any, *others: Any) -> Any:
            if prompt[0] == WORLD[0]:
                raise PromptTooLong("700 tokens", remedy="none")
            return super().generate(prompt, *others)

    rig = Rig(model=Narrow(["say They like it.", "say To save strength."]), without={"lookup"})
    assert rig.say(QUESTION).said == "They like it."


@pytest.mark.parametrize("without", [(), ("lookup",)])
def test_where_there_is_an_encyclopaedia_that_is_asked(without: Sequence[str]) -> None:
    rig = Rig("A potter.", "say A potter.", without=without)
    rig.say("who was Ida Mill")
    assert of_the_world(rig, 0) is bool(without)


@pytest.mark.parametrize("fact", ["Ines lives in Oban.", ""])
def test_of_somebody_who_is_known_the_world_knows_nothing(fact: str) -> None:
    rig = Rig("say In Oban.", without={"lookup"})
    if fact:
        rig.knows(fact)
    rig.say("in which country does ines live")
    assert of_the_world(rig) is not bool(fact)


def test_a_large_model_is_not_asked_apart() -> None:
    rig = Rig("say To save strength.", parameters=70_000_000_000, without={"lookup"})
    rig.say(QUESTION)
    assert not of_the_world(rig)


@pytest.mark.parametrize(
    ("doubt", "unheard_of", "said"),
    [
        (0.1, 0.01, "Leo Tolstoy."),
        (1.0, 0.1, "Leo Tolstoy, I think."),
        (1.0, 0.6, PHRASES.unheard_of),
        (3.0, 0.01, PHRASES.unknown),
        (0.1, 0.9, PHRASES.unheard_of),
    ],
)
def test_an_answer_is_as_plain_as_the_model_is_sure(doubt: float, unheard_of: float, said: str) -> None:
    assert as_sure("Leo Tolstoy.", doubt, unheard_of, PHRASES) == said


def test_a_doubtful_answer_is_said_as_a_guess() -> None:
    rig = Rig(model=Doubting(["It saves them strength."], doubt=0.8), without={"lookup"})
    assert rig.say(QUESTION).said == "It saves them strength, I think."
    assert [each.text for each in rig.conversation.carried.world] == [QUESTION, "It saves them strength."]


@pytest.mark.parametrize("wrote", ["I'm sorry, but I have no information on that.", "Which geese?", ""])
def test_what_is_no_answer_is_no_guess(wrote: str) -> None:
    assert as_sure(wrote, 0.1, 0.0, PHRASES) == PHRASES.unknown


def test_a_model_that_does_not_tell_how_sure_it_is_guesses() -> None:
    assert as_sure('It is called "agoraphobia."', None, 0.0, PHRASES) == 'It is called "agoraphobia", I think.'
