"""Announcements in a house of several boxes: to one, some, all, and honest words for those that did not take it."""

from __future__ import annotations

from typing import Any

import pytest
from rig import Evening

from appliance.errors import CannotBeDone
from appliance.settings import Settings
from appliance.simulated import CannedBridge

OTHERS = {"hall": "10.0.0.2", "kitchen": "10.0.0.3", "upstairs": "10.0.0.4"}


class House(Evening):
    """`den`, in a house of four boxes."""

    def __init__(self, language: str, answers: dict[str, Any]) -> None:
        boxes = {"name": "den", "others": OTHERS, "key_file": "/none"}
        settings = Settings.model_validate({"boxes": boxes, "words": {"language": language}})
        self.bridge = CannedBridge({("boxes", "announce"): answers["to"]})
        super().__init__(bridge=self.bridge, settings=settings, language=language)

    @property
    def asked(self) -> list[dict[str, Any]]:
        return [values for provider, what, values in self.bridge.asked if (provider, what) == ("boxes", "announce")]


def board(language: str = "en", **answers: str) -> House:
    return House(language, {"to": dict.fromkeys(OTHERS, "said") | answers})


@pytest.mark.parametrize(
    ("line", "to", "text"),
    [
        ("tell the kitchen that dinner is ready", ["kitchen"], "Dinner is ready."),
        ("announce upstairs dinner is ready", ["upstairs"], "Dinner is ready."),
        ("Say in the hall that the taxi's here.", ["hall"], "The taxi's here."),
        ("tell the kitchen and the hall to come", ["hall", "kitchen"], "Come."),
        ("let upstairs and kitchen know we leave in ten minutes", ["kitchen", "upstairs"], "We leave in ten minutes."),
        ("announce that dinner is ready", ["hall", "kitchen", "upstairs"], "Dinner is ready."),
    ],
)
def test_it_goes_to_one_some_and_all(line: str, to: list[str], text: str) -> None:
    made = board()
    record = made.say(line)
    assert made.asked == [{"text": text, "to": to, "anyway": False}]
    assert made.announced == ([text] if len(to) == 3 else []), "here only where it is for all"
    assert record.said.startswith("It is said on ")


def test_what_each_box_did_is_told() -> None:
    made = board(hall="gone", kitchen="later", upstairs="quiet")
    assert made.say("announce that dinner is ready").said == (
        "It is said on this box. Hall could not be reached. Kitchen is in a conversation, and says it afterwards. "
        "Upstairs has quiet hours, and does not say it."
    )


@pytest.mark.parametrize("answer", ["gone", "quiet", "stranger", "unknown", "not_now"])
def test_what_is_said_nowhere_is_no_success(answer: str) -> None:
    record = board(kitchen=answer).say("tell the kitchen that dinner is ready")
    assert [step.outcome for step in record.steps] == ["error"]
    assert "kitchen" in record.said.lower()


def test_a_box_may_name_itself() -> None:
    made = board()
    assert made.say("tell the den and the hall that dinner is ready").said == "It is said on this box and hall."
    assert (made.announced, made.asked[0]["to"]) == (["Dinner is ready."], ["hall"])


def test_without_the_bridge_nobody_knows() -> None:
    made = House("en", {"to": CannotBeDone("I am not connected to that.")})
    assert "I do not know whether kitchen" in made.say("tell the kitchen that dinner is ready").said


def test_in_german() -> None:
    made = board(language="de", hall="gone")
    assert made.say("sag der kitchen dass das Essen fertig ist").said == "Es wird auf kitchen angesagt."
    assert made.say("Sag im hall Bescheid, das Essen ist fertig.").said == "Hall war nicht zu erreichen."


@pytest.mark.parametrize("line", ["tell me about the kitchen", "the kitchen is announced", "what is in the hall"])
def test_other_lines_are_none(line: str) -> None:
    made = board()
    made.say(line)
    assert made.asked == []


def test_a_box_that_is_alone_has_no_such_order() -> None:
    made = Evening(bridge=CannedBridge({}))
    assert "announce_on" not in [tool.name for skill in made.skills.on for tool in skill.all_tools]
    assert made.say("announce that dinner is ready").said == "I said it here; I know no other box."
