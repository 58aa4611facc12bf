"""A digest says less than the text, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import ApplianceError, Cancelled, TurnFailed
from appliance.reply.digest import accept, attributed, digest, unsupported
from appliance.settings import Reply

LIMIT = Reply().digest_max_chars
LONG = "The tower was finished in 1889. It is 330 metres high.\n\n" * 20
"""1,140 characters."""


def wrote(answer: str | Exception, limit: int = LIMIT) -> str | None:
    """What is kept of it."""

    def ask() -> str:
        if isinstance(answer, Exception):
            raise answer
        return answer

    return digest(LONG, ask, limit)


def test_a_digest_is_what_the_model_wrote_up_to_a_limit() -> None:
    assert wrote("It is high.") == "It is high."
    assert 560 < len(wrote("It is high. " * 100) or "") <= LIMIT
    assert 460 < len(wrote("It is high. " * 100, 500) or "") <= 500


@pytest.mark.parametrize("answer", ["NONE", "none.", " *None* ", "", " \n", "**", "NONE. The text is about towers."])
def test_nothing_found_is_empty(answer: str) -> None:
    assert wrote(answer) == ""


def test_none_is_also_a_word() -> None:
    assert accept("None of the towers is high.", LONG, 600) == "None of the towers is high."


def test_a_digest_with_a_number_of_its_own_is_refused() -> None:
    assert wrote("It is 300 metres high.") == ""


def test_a_number_behind_the_cut_is_no_reason_to_refuse() -> None:
    assert accept("It is high. It is 300 metres.", LONG, 15) == "It is high."


@pytest.mark.parametrize("error", [Cancelled(), TurnFailed("slow", remedy="wait")])
def test_when_the_model_fails_there_is_none(error: ApplianceError) -> None:
    assert wrote(error) is None


def test_other_errors_are_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        wrote(ZeroDivisionError())


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


@given(st.text(), st.text(), st.integers(1, 60))
def test_what_is_accepted_keeps_the_limit_and_holds_no_foreign_number(answer: str, source: str, limit: int) -> None:
    kept = accept(answer, source, limit)
    assert kept is None or (0 < len(kept) <= limit and not unsupported(kept, source))
