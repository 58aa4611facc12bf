"""What counts as heard, in the orders of real people."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from appliance.audio import Utterance, silence
from appliance.ports import Transcript
from bench.human import Hearing, Order, menu, summary, told, worded


class Hears:
    """A `Transcriber` that hears one text, with the names that it knows behind it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def transcribe(
        self, utterance: Utterance, stale: object, expected: str = "", names: tuple[str, ...] = ()
    ) -> Transcript:
        return Transcript(" ".join((self.text, *names)))


def hearing(text: str) -> Hearing:
    return Hearing(Hears(text), worded("en"))


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
    line = hearing(text).hear(order)
    assert (line.labelled, line.missed) == (13, missed)


def test_a_line_is_right_when_no_word_is_missed() -> None:
    lines = [hearing(text).hear(Order(text, ("mocha",), silence(1))) for text in ("A mocha.", "A moca.")]
    row = summary(lines)
    assert (row["right"], row["n"], row["words_missed"], row["words"]) == (1, 2, 1, 2)
    assert row["outcomes"] == {"A mocha.": "ok", "A moca.": "missed"}


def test_the_menu_is_what_the_slots_are_called_without_how_much_of_it(tmp_path: Path) -> None:
    slots = [{"milk": " soy milk", "roast": "dark roast"}, {"milk": "a little bit of soy milk", "sugar": "some sugar"}]
    labels = {f"00{place}.flac": {"slots": each} for place, each in enumerate(slots)}
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    assert menu(tmp_path) == ("dark roast", "soy milk", "sugar")


def test_both_ways_are_told_and_compared_pair_by_pair() -> None:
    order, hears = Order("000.flac", ("dark roast",), silence(1)), hearing("a dark rose")
    without, known = summary([hears.hear(order)]), summary([hears.hear(order, ("roast",))])
    report = told({"orders": without, "orders_menu": known})
    assert "0 of 1 lines right" in report
    assert "1 of 1 lines right" in report
    assert "only with the menu 1, only without it 0, p = 1" in report
