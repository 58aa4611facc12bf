"""Which token is written next: heard, and expected."""

from __future__ import annotations

import math

import numpy as np
import pytest

from appliance.stt.choosing import Choosing, Pieces
from appliance.stt.trigrams import trigrams

TEXTS = (b" What", b" is", b" that", b" in", b" letters", b" litres", b"?", b",", b" Hey", b" Jarvis", b" box", b" set")
OTHERS = 24
END = len(TEXTS) + OTHERS
PIECES = Pieces([*TEXTS, *(b" zz%d" % number for number in range(OTHERS)), b"[END]", b"[MARK]"], END)

HOUSE = trigrams("en", PIECES.splitter())


def logits(**likely: float) -> np.ndarray:
    """All but these are nearly out of the question."""
    array = np.full(len(PIECES), -10.0, np.float32)
    for word, value in likely.items():
        array[TEXTS.index(f" {word}".encode())] = value
    return array


def said(line: str) -> list[int]:
    return [TEXTS.index(piece.encode()) for piece in line.split("|")]


def after(line: str, called: bool = False, **likely: float) -> str:
    array = logits(**likely)
    Choosing(PIECES, HOUSE, called).favour(said(line), array)
    return TEXTS[int(array.argmax())].decode().strip()


def test_of_two_that_sound_alike_the_expected_one_is_chosen() -> None:
    assert after(" What| is| that| in", letters=3.0, litres=2.6) == "litres"


def test_what_was_clearly_heard_is_written_all_the_same() -> None:
    assert after(" What| is| that| in", letters=6.0, litres=2.6) == "letters"
    assert after(" What| is| that| in", box=6.0, litres=2.6) == "box"


def test_the_wake_word_is_no_part_of_the_line() -> None:
    array, alone = logits(What=1.0, set=1.0), logits(What=1.0, set=1.0)
    Choosing(PIECES, HOUSE, called=True).favour(said(" Hey| Jarvis|,"), array)
    Choosing(PIECES, HOUSE, called=False).favour([], alone)
    assert array == pytest.approx(alone)


def test_certainty_is_what_was_heard_and_not_what_was_expected() -> None:
    with_words, without = Choosing(PIECES, HOUSE, False), Choosing(PIECES, None, False)
    for choosing in (with_words, without):
        choosing.favour([], logits(What=2.0, set=1.0))
    certain = math.e / (1 + math.e)
    for choosing in (with_words, without):
        assert choosing.certainty([0]) == pytest.approx(certain, abs=0.01)
    assert Choosing(PIECES, None, False).certainty([]) == 0


def test_nothing_is_expected_where_no_lines_were_counted() -> None:
    array, before = logits(letters=3.0, litres=2.9), logits(letters=3.0, litres=2.9)
    Choosing(PIECES, None, False).favour(said(" What| is| that| in"), array)
    assert (array == before).all()


def test_words_are_split_into_the_longest_pieces() -> None:
    split = PIECES.splitter()
    assert split("litres") == [" litres"]
    assert split("thatis") == [" that", "i", "s"]
