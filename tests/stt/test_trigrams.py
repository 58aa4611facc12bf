"""What people say to a box in the house: how likely words and parts of them are."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from appliance.stt.trigrams import EDGE, ORDER, Trigrams, counted, numbered, trigrams

LINES = ("set a timer .", "set a timer for two minutes .", "set the table .", "what day is it ?")
"""No word begins like another."""


@pytest.fixture(scope="module")
def house() -> Trigrams:
    """The lines above, counted as models/training/make_trigrams.py does; `timer` is written in two pieces."""
    said = [line.split() for line in LINES]
    words = sorted({EDGE, *(word for line in said for word in line)})
    found = [Counter[int]() for _ in range(ORDER)]
    for line in said:
        run = [words.index(word) for word in [EDGE, EDGE, *line, EDGE]]
        for end in range(ORDER, len(run) + 1):
            for length, counts in enumerate(found, 1):
                counts[numbered(run[end - length : end], len(words))] += 1
    runs = [np.array(sorted(counts), np.int64) for counts in found]
    numbers = [np.array([counts[run] for run in each.tolist()]) for each, counts in zip(runs, found, strict=True)]
    return counted(words, runs, numbers, pieces)


def pieces(word: str) -> list[str]:
    return [" tim", "er"] if word == "timer" else [f" {word}"]


def test_what_was_said_more_often_is_likelier(house: Trigrams) -> None:
    timer, table = house.chances([" Set"], [" a", " the"])
    assert timer > table > 0


def test_every_next_word_together_is_certain(house: Trigrams) -> None:
    nexts = [EDGE, *(f" {word}" for word in ("a", "day", "for", "is", "it", "minutes", "set", "table", "the", "two"))]
    for before in ([], [" Set", " a"], [" Set", " the"], [" Is", " it"]):
        assert house.chances(before, [*nexts, " what", " tim", ".", "?"]).sum() == pytest.approx(1)


def test_a_word_goes_on_as_one_that_fits(house: Trigrams) -> None:
    goes_on, other, ends = house.chances([" Set", " a", " tim"], ["er", "es", "."])
    assert goes_on == 1
    assert other == ends == 0


def test_a_whole_word_may_end_where_another_goes_on(house: Trigrams) -> None:
    ends, goes_on = house.chances([" Set", " a", " tim", "er"], [" for", "s"])
    assert ends > 0.2
    assert goes_on == 0


def test_a_piece_is_no_beginning_of_what_is_one_piece(house: Trigrams) -> None:
    known = trigrams("en", lambda word: [f" {word}"])
    assert known
    parked, part = known.chances([" Where", " did", " I", " say", " I"], [" parked", " part"])
    assert parked > 10 * part


def test_case_and_apostrophes_do_not_matter(house: Trigrams) -> None:
    assert house.chances([" SET", " A"], [" TIM"]) == house.chances([" set", " a"], [" tim"])


def test_within_an_unknown_word_nothing_is_expected(house: Trigrams) -> None:
    assert not house.chances([" Zorgle", " bl"], ["ip", "ock", ".", " a"]).any()


def test_household_lines_are_known_in_english_only() -> None:
    known = trigrams("en", lambda word: [f" {word}"])
    assert known
    litres, letters = known.chances([" What", " is", " that", " in"], [" litres", " letters"])
    assert litres > 10 * letters
    assert trigrams("xx", lambda word: [word]) is None
