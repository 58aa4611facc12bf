"""A reply is cut where a person would breathe, and nowhere else."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.tts.sentences import LONGEST_CHARS, LONGEST_WORDS, Clauses


def clauses(text: str, piece: int = 10_000) -> list[str]:
    splitter = Clauses()
    out = [clause for at in range(0, len(text), piece) for clause in splitter.feed(text[at : at + piece])]
    return out + splitter.flush()


WHOLE = [
    "It is 3.14 to two places.",
    "Milk is e.g. white.",
    "Dr. Smith called.",
    "See you at 5 p.m. today.",
    "That makes 1,000 people.",
    "The U.S. Army came.",
    "Well... let me see.",
    "Go to https://example.org/a.b?c=d now.",
    "It is 10:30 now.",
    "Take no. 5 home.",
    "She met J. R. R. Tolkien.",
    "It costs $3.50, e.g.",
    "You owe me twenty 3, 4 maybe.",
    "He was born on March 5, 2024.",
    "The answer of 20 - 5 is 15.",
    "Press Ctrl-Alt-Delete on that well-known machine.",
    "Version 3.11.2 is out.",
    "Open [the page, please. Now](https://a.b) soon.",
    "Tom, Dick and Harry.",
]


@pytest.mark.parametrize("text", WHOLE)
def test_is_not_split(text: str) -> None:
    assert clauses(text) == [text]


SPLIT = {
    "It was in 2024. The year was good.": ["It was in 2024.", "The year was good."],
    "Come at 5 p.m. The door is open.": ["Come at 5 p.m.", "The door is open."],
    "No. That is wrong.": ["No.", "That is wrong."],
    "Really?! Yes!": ["Really?!", "Yes!"],
    'He said "go." Then he left.': ['He said "go."', "Then he left."],
    "Better than I. Then again.": ["Better than I.", "Then again."],
    "Wait... What was that?": ["Wait...", "What was that?"],
    "**Done.** Next one.": ["**Done.**", "Next one."],
    "- milk\n- eggs": ["- milk", "- eggs"],
    "1. Mix the flour.\n2. Bake it.": ["1. Mix the flour.", "2. Bake it."],
    "One line\nanother line": ["One line", "another line"],
    "Read this:\n```python\nx = 1. Yes\n```\nDone.": ["Read this:", "Done."],
}


@pytest.mark.parametrize(("text", "expected"), SPLIT.items())
def test_is_split_at_the_end_of_a_sentence(text: str, expected: list[str]) -> None:
    assert clauses(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Es ist am 3. Oktober um neun.",
        "Im 19. Jahrhundert war das so.",
        "Heute ist Donnerstag, 26. November.",
        "Ludwig XIV. war König.",
        "Das kostet 2,5 Mio. Euro.",
    ],
)
def test_german_ordinals_and_short_forms_do_not_end_a_sentence(text: str) -> None:
    splitter = Clauses("de")
    assert [*splitter.feed(text), *splitter.flush()] == [text]


def test_a_german_number_may_end_one() -> None:
    splitter = Clauses("de")
    assert [*splitter.feed("Es waren 5. Dann kamen mehr."), *splitter.flush()] == ["Es waren 5.", "Dann kamen mehr."]


def test_first_clause_starts_at_a_comma_and_later_ones_are_whole() -> None:
    text = "The sun is a star, and it is very hot. It has planets, moons and comets, all in orbit."
    assert clauses(text) == [
        "The sun is a star,",
        "and it is very hot.",
        "It has planets, moons and comets, all in orbit.",
    ]


@pytest.mark.parametrize("mark", [", ", "; ", ": ", " - ", " – ", "—"])
def test_first_clause_may_end_at_any_pause(mark: str) -> None:
    assert len(clauses(f"This is a clause{mark}and another one.")) == 2


def test_first_clause_is_out_before_the_sentence_ends() -> None:
    splitter = Clauses()
    assert splitter.feed("The sun is a star,") == []
    assert splitter.feed(" and") == ["The sun is a star,"]


BEGUN = {
    "The best thing about a long walk and ": "The best thing about a long walk",
    "You could bake some bread or some": "You could bake some bread",
    "Bread and butter or jam and ": "Bread and butter or jam",
}


@pytest.mark.parametrize(("text", "first"), BEGUN.items())
def test_voice_may_begin_where_the_next_words_join_on(text: str, first: str) -> None:
    splitter = Clauses("en")
    assert splitter.feed(text) == []
    assert splitter.begun() == [first]
    assert splitter.begun() == []
    assert splitter.flush() == [text.removeprefix(first).strip()]


@pytest.mark.parametrize("text", ["It is warm there.", "Who knows?", "Ja, natürlich!"])
def test_first_sentence_is_over_with_its_mark(text: str) -> None:
    splitter = Clauses("en")
    assert splitter.feed(text) == []
    assert splitter.over() == [text]
    assert splitter.over() == []
    assert splitter.feed(" It is not.") == splitter.over() == []
    assert splitter.flush()[-1] == "It is not."


@pytest.mark.parametrize(
    "text", ["It costs 3.", "Ask J.", "Ask Prof.", "Bring cups etc.", "See [the site.", "It is", "It."]
)
def test_first_sentence_is_not_over_where_its_mark_may_be_none(text: str) -> None:
    splitter = Clauses("en")
    assert splitter.feed(text) == splitter.over() == []
    assert " ".join(splitter.flush()) == text


@pytest.mark.parametrize(
    "text",
    [
        "The best thing about a long walk is that",
        "You could bake some bread and",
        "Bread and butter and ",
        "- Take all the old bread out and ",
        "I have seen between 20 and 30 of them ",
    ],
)
def test_voice_does_not_begin_where_words_belong_together(text: str) -> None:
    splitter = Clauses("en")
    assert splitter.feed(text) == splitter.begun() == []
    assert splitter.flush() == [text.strip()]


def test_voice_begins_so_only_once_and_only_where_the_language_is_known() -> None:
    late, foreign = Clauses("en"), Clauses("xx")
    assert late.feed("Yes. ") == []
    assert late.feed("We can take the bus there and ") == ["Yes."]
    assert late.begun() == foreign.begun() == []
    assert foreign.feed("We can take the bus there and ") == foreign.begun() == []


def test_long_sentence_ends_at_a_pause() -> None:
    long = "word " * 22 + "here, and so on it goes."
    assert [len(clause.split()) for clause in clauses("Yes. " + long)] == [1, 23, 5]


@pytest.mark.parametrize("text", ["word " * 200, "x" * 5_000, "[" + "word " * 200])
def test_text_without_marks_still_comes_in_short_clauses(text: str) -> None:
    found = clauses(text)
    assert max(len(clause.split()) for clause in found) <= LONGEST_WORDS
    assert max(len(clause) for clause in found) <= LONGEST_CHARS
    assert "".join(found).replace(" ", "") == text.replace(" ", "")


def test_a_hundred_kilobytes_in_small_pieces_take_linear_time() -> None:
    def seconds(size: int) -> float:
        begin = time.perf_counter()
        clauses("abc, def. " * (size // 10), piece=3)
        return time.perf_counter() - begin

    assert seconds(100_000) < 40 * seconds(10_000)


PIECES = st.sampled_from(
    ["Dr. ", "word ", "5", ".", ", ", "\n", " ", "p.m. ", "The ", "... ", "—", "1. ", "[", "](x)", "`", "```", "U.S."]
)


@given(st.lists(PIECES, max_size=120).map("".join), st.integers(1, 9))
def test_clauses_do_not_depend_on_the_size_of_the_pieces(text: str, piece: int) -> None:
    assert clauses(text, piece) == clauses(text)


@given(st.text(alphabet="ab1 .,\n!", max_size=300))
def test_no_word_is_lost(text: str) -> None:
    assert "".join("".join(clauses(text)).split()) == "".join(text.split())
