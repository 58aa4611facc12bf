"""A digest says less than the text, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import ApplianceError, Cancelled, TurnFailed
from appliance.reply import digest as digests
from appliance.reply.digest import Digest, Limits, accept, attributed, batches, unsupported
from appliance.settings import Memory, Reply

REPLY, REMEMBERED = Reply(), Memory()
TOOL = Limits(REPLY.digest_from_chars, REPLY.digest_batch_chars, REPLY.digest_max_chars)
MEMORY = Limits(REPLY.digest_from_chars, REMEMBERED.batch_chars, REMEMBERED.digest_max_chars)
digest = partial(digests.digest, limits=TOOL)

LONG = "The tower was finished in 1889. It is 330 metres high.\n\n" * 20
"""1,140 characters."""


class Model:
    """Writes one answer after the other and remembers what it read."""

    def __init__(self, *answers: str | ApplianceError) -> None:
        self.answers = list(answers)
        self.read: list[str] = []

    def __call__(self, batch: str) -> str:
        self.read.append(batch)
        answer = self.answers.pop(0)
        if isinstance(answer, ApplianceError):
            raise answer
        return answer


def test_under_400_characters_nothing_is_asked() -> None:
    model = Model()
    assert digest("x" * 399, "x", model) == Digest("x" * 399, 0, "unchanged")
    assert model.read == []


def test_400_characters_are_digested() -> None:
    assert digest("word " * 80, "word", Model("A word.")).outcome == "digested"


def test_up_to_2500_characters_are_one_pass_over_the_whole() -> None:
    text = "It is high. " * 208
    model = Model("It is high.")
    assert digest(text, "tower", model) == Digest("It is high.", 1, "digested")
    assert model.read == [text.strip()]


def test_a_longer_text_is_first_cut_to_what_was_asked() -> None:
    text = "Nothing happened.\n\n" * 1_000 + "The tower is 330 metres high.\n\n" + "Nothing happened.\n\n" * 1_000
    model = Model("It is 330 metres high.")
    assert digest(text, "how high is the tower", model).text == "It is 330 metres high."
    assert len(model.read) == 1
    assert len(model.read[0]) <= TOOL.batch
    assert "330 metres" in model.read[0]


def test_with_more_passes_a_longer_text_is_read_in_batches() -> None:
    model = Model("It is high.", "NONE", "It is old.")
    made = digest("Nothing happened.\n\n" * 400, "tower", model, limits=replace(TOOL, passes=3))
    assert made == Digest("It is high.\nIt is old.", 3, "digested")
    assert all(len(batch) <= TOOL.batch for batch in model.read)


def test_each_digest_is_at_most_600_characters_of_a_tool_and_500_of_memory() -> None:
    answer = "It is high. " * 100
    assert 560 < len(digest(LONG, "tower", Model(answer)).text) <= 600
    assert 460 < len(digest(LONG, "tower", Model(answer), limits=MEMORY).text) <= 500


def test_memory_is_read_2000_characters_at_a_time() -> None:
    model = Model("It is high.")
    digest(LONG * 3, "tower", model, limits=MEMORY)
    assert 1_800 < len(model.read[0]) <= 2_000


@pytest.mark.parametrize("answer", ["NONE", "none.", " *None* ", "", " \n", "**", "NONE. The text is about towers."])
def test_nothing_found_leaves_the_text_and_says_so(answer: str) -> None:
    assert digest(LONG, "tea", Model(answer)) == Digest(LONG, 1, "none")


def test_none_is_also_a_word() -> None:
    assert accept("None of the towers is high.", LONG, 600) == "None of the towers is high."


def test_a_digest_with_a_number_of_its_own_is_refused() -> None:
    assert digest(LONG, "tower", Model("It is 300 metres high.")) == Digest(LONG, 1, "none")


def test_a_number_behind_the_cut_is_no_reason_to_refuse() -> None:
    assert accept("It is high. It is 300 metres.", LONG, 15) == "It is high."


@pytest.mark.parametrize("error", [Cancelled(), TurnFailed("slow", remedy="wait")])
def test_when_the_model_fails_the_text_stays(error: ApplianceError) -> None:
    assert digest(LONG, "tower", Model(error)) == Digest(LONG, 0, "expired")


def test_other_errors_are_not_hidden() -> None:
    def broken(batch: str) -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        digest(LONG, "tower", broken)


def test_when_the_time_is_up_the_text_stays_cut() -> None:
    model = Model("It is high.")
    made = digest(LONG * 9, "tower", model, limits=replace(TOOL, passes=3), expired=_after(1))
    assert (made.outcome, made.passes, len(model.read)) == ("expired", 1, 1)
    assert len(made.text) <= 3 * TOOL.batch
    assert made.text.startswith("The tower")


def _after(calls: int) -> Callable[[], bool]:
    answers = iter([False] * calls + [True])
    return lambda: next(answers)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("It is high. It is old.", "It is high."),
        ("It is 3.14 long and more", "It is 3.14…"),
        ('He said "go." Then he left.', 'He said "go."'),
        ("天气很好。今天是星期一，明天是星期二。", "天气很好。"),
        ("x" * 40, "x" * 14 + "…"),
    ],
)
def test_what_is_too_long_ends_with_a_sentence(written: str, kept: str) -> None:
    assert accept(written, "3.14", 15) == kept


@pytest.mark.parametrize(
    ("written", "source"),
    [
        ("It has 1000 rooms.", "1,000 rooms"),
        ("It has 1,000,000 rooms.", "1 000 000 or 1000000 rooms"),
        ("It costs 1234.5 now.", "1,234.50"),
        ("At 8:05, 21 degrees.", "08:05 21.0"),
        ("On 5 May 2024.", "2024-05-05"),
        ("On 5 May 2024.", "05.05.2024"),
        ("1. Milk.\n2. Eggs.", "milk and eggs"),
        ("It is in Paris, says Anna.", "PARIS anna"),
        ("Rain. Sun: Wind? Snow", "nothing"),
        ('He said: "Never." I left.', "nothing"),
    ],
)
def test_what_the_text_holds_is_supported(written: str, source: str) -> None:
    assert unsupported(written, source) == []


@pytest.mark.parametrize(
    ("written", "source", "left"),
    [
        ("It is 300 metres.", "330 metres", ["300"]),
        ("It is 21 degrees.", "21.5", ["21"]),
        ("In 1889 and 1890 and 1890.", "1889", ["1890"]),
        ("It was (Élise) in 7.", "it", ["7"]),
    ],
)
def test_what_the_text_does_not_hold_is_named(written: str, source: str, left: list[str]) -> None:
    assert unsupported(written, source) == left


def test_a_digest_says_where_it_is_from() -> None:
    assert attributed("It rains.", "the weather\nservice") == "According to the weather service: It rains."


@pytest.mark.parametrize("already", ["According to the radio, it rains.", "Wikipedia says it rains."])
def test_a_digest_that_says_so_itself_is_unchanged(already: str) -> None:
    assert attributed(already, "Wikipedia") == already


def test_without_a_source_there_is_nothing_to_say() -> None:
    assert attributed("It rains.", " ") == "It rains."


def test_batches_are_whole_paragraphs() -> None:
    assert batches("one\n\ntwo two\n \nthree", 12) == ["one\n\ntwo two", "three"]


def test_a_paragraph_too_long_for_a_batch_is_broken_between_sentences() -> None:
    assert batches("One is here. Two is there. Three.", 15) == ["One is here.", "Two is there.", "Three."]


@given(st.text(st.sampled_from("ab. \n,é漢")), st.integers(1, 30))
def test_batches_lose_no_letter_and_keep_the_limit(text: str, batch_chars: int) -> None:
    made = batches(text, batch_chars)
    assert "".join("".join(made).split()) == "".join(text.split())
    assert all(0 < len(batch) <= batch_chars for batch in made)


@given(st.text(), st.text(), st.integers(1, 60))
def test_what_is_accepted_keeps_the_limit_and_holds_no_foreign_number(answer: str, source: str, limit: int) -> None:
    kept = accept(answer, source, limit)
    assert kept is None or (0 < len(kept) <= limit and not unsupported(kept, source))


@given(st.text(st.sampled_from("ab1. \nN"), min_size=400), st.text())
def test_no_answer_is_too_odd(text: str, answer: str) -> None:
    made = digest(text, "ab", lambda batch: answer)
    assert made.text == text or made.outcome != "unchanged"
