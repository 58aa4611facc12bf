"""Who may talk over Discord, and how answers are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.bridge.discord_rules import MESSAGE_CHARS, line_of, split, who
from appliance.settings import Discord

SET = Discord.model_validate({"owners": [1], "guests": ["2"]})


@pytest.mark.parametrize(
    ("user", "direct", "expected"),
    [(1, True, "owner"), (1, False, "guest"), (2, True, "guest"), (2, False, "guest"), (3, True, None)],
)
def test_an_id_says_who_it_is_and_where_others_read_the_owner_is_a_guest(
    user: int, direct: bool, expected: str | None
) -> None:
    assert who(SET, user, direct) == expected


@given(user=st.integers(0, 2**64), direct=st.booleans(), anyone=st.booleans())
def test_nobody_but_the_ids_of_the_settings_is_the_owner(user: int, direct: bool, anyone: bool) -> None:
    found = who(SET.model_copy(update={"anyone": anyone}), user, direct)
    assert (found == "owner") == (user == 1 and direct)
    assert (found is None) == (user not in (1, 2) and not anyone)


def test_the_box_itself_is_not_a_part_of_what_is_said() -> None:
    assert line_of("<@900> tell <@!5> the time, <@6>", {5: "mia"}, 900) == "tell @mia the time, @somebody"


TEXTS = st.lists(st.text(st.characters(codec="utf-8"), max_size=900), max_size=12).map(" ".join)


@given(answer=TEXTS)
def test_pieces_fit_and_nothing_of_an_answer_is_lost(answer: str) -> None:
    pieces = list(split(answer))
    assert all(0 < len(piece) <= MESSAGE_CHARS for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(answer.split())


def test_an_answer_is_broken_behind_a_sentence_and_else_behind_a_word() -> None:
    assert list(split("One two. Three four five.", 18)) == ["One two.", "Three four five."]
    assert list(split("One two three", 8)) == ["One two", "three"]
    assert list(split("abcdefgh", 3)) == ["abc", "def", "gh"]
