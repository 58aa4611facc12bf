"""Calling another box: which lines mean it, and honest words for a box that does not ring."""

from __future__ import annotations

from typing import Any

import pytest
from rig import Evening

from appliance.settings import Settings
from appliance.simulated import CannedBridge

OTHERS = {"hall": "10.0.0.2", "kitchen": "10.0.0.3", "living room": "10.0.0.4"}


class Line:
    """A `ports.Calls`."""

    def __init__(self, answer: str) -> None:
        self.rung, self._answer = list[str](), answer

    def ring(self, box: str) -> str:
        self.rung.append(box)
        return self._answer

    def end(self) -> bool:
        ended, self.rung = bool(self.rung), []
        return ended


def board(answer: str = "rings", language: str = "en") -> tuple[Evening, Line]:
    boxes: dict[str, Any] = {"name": "study", "others": OTHERS, "key_file": "/none"}
    settings, line = Settings.model_validate({"boxes": boxes, "words": {"language": language}}), Line(answer)
    return Evening(bridge=CannedBridge({}), settings=settings, language=language, calls=line), line


@pytest.mark.parametrize(
    ("line", "box"),
    [
        ("call the kitchen", "kitchen"),
        ("Call the living room, please.", "living room"),
        ("ring the hall", "hall"),
        ("give the kitchen a call", "kitchen"),
        ("I want to talk to the kitchen", "kitchen"),
        ("start an intercom call with the living room", "living room"),
    ],
)
def test_a_line_rings_the_box_that_it_names(line: str, box: str) -> None:
    made, calls = board()
    assert made.say(line).said == f"I am calling {box}."
    assert calls.rung == [box]


@pytest.mark.parametrize(
    "line", ["ruf die Kitchen an", "Rufe bitte in der Kitchen an.", "verbinde mich mit der kitchen", "kitchen anrufen"]
)
def test_in_german(line: str) -> None:
    made, calls = board(language="de")
    assert made.say(line).said == "Ich rufe kitchen an."
    assert calls.rung == ["kitchen"]
    assert made.say("leg auf").said == "Ich habe aufgelegt."
    assert calls.rung == []


def test_it_is_hung_up() -> None:
    made, calls = board()
    assert made.say("hang up").said == "There is no call."
    made.say("call the kitchen")
    assert made.say("end the call").said == "I have hung up."
    assert calls.rung == []


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    "answer", ["busy", "muted", "quiet", "not_now", "gone", "stranger", "unknown", "remote", "busy_here"]
)
def test_a_box_that_does_not_ring_is_no_success(answer: str, language: str) -> None:
    made, _ = board(answer, language)
    record = made.say({"en": "call the kitchen", "de": "ruf die kitchen an"}[language])
    assert [step.outcome for step in record.steps] == ["error"]
    assert not record.said.startswith(("I am calling", "Ich rufe"))


@pytest.mark.parametrize(
    "line",
    ["call my mother", "remind me to call the kitchen at five", "what is in the kitchen", "in an hour call the hall"],
)
def test_other_lines_ring_nowhere(line: str) -> None:
    made, calls = board()
    made.say(line)
    assert calls.rung == []


def test_a_box_that_is_alone_has_no_such_order() -> None:
    made = Evening(bridge=CannedBridge({}))
    assert "intercom" not in [skill.name for skill in made.skills.on]
    assert "intercom" in [skill.name for skill in made.skills.absent]
