"""What counts as heard, in the orders of real people."""

from __future__ import annotations

import pytest

from appliance.audio import Utterance, silence
from appliance.ports import Transcript
from bench.human import Order, heard, summary, worded


class Hears:
    def __init__(self, text: str) -> None:
        self.text = text

    def transcribe(self, utterance: Utterance, stale: object, expected: str = "") -> Transcript:
        return Transcript(self.text)


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        ("Get me a 12-ounce dark roast, with a bit of soy milk and a bit of sugar.", 0),
        ("A twelve ounce dark rose with a bit of soy milk and a bit of sugar.", 1),
        ("A twelve ounce dark roast with a bit of soy milk and sugar.", 2),
        ("", 13),
    ],
)
def test_each_word_of_the_slots_has_to_be_heard_as_often_as_it_stands_there(text: str, missed: int) -> None:
    slots = ("twelve ounce", "dark roast", "a bit of soy milk", "a bit of sugar")
    order = Order("000.flac", slots, silence(1))
    line = heard(order, Hears(text), worded("en"))
    assert (line.labelled, line.missed) == (13, missed)


def test_a_line_is_right_when_no_word_is_missed() -> None:
    words = worded("en")
    lines = [heard(Order(text, ("mocha",), silence(1)), Hears(text), words) for text in ("A mocha.", "A moca.")]
    row = summary(lines)
    assert (row["right"], row["n"], row["words_missed"], row["words"]) == (1, 2, 1, 2)
    assert row["outcomes"] == {"A mocha.": "ok", "A moca.": "missed"}
