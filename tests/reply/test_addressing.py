"""Who wants to be called something is called so, whoever has the word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig import Rig

from appliance.reply.addressing import Addressing, name_in
from appliance.tts.text import TextMouth


def told(name: str, *pieces: str) -> str:
    mouth = Addressing(TextMouth(lambda text: None), name)
    for piece in pieces:
        mouth.say(piece)
    return mouth.finish()


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        (("Good eve", "ning."), "Good evening, Captain."),
        (("Shall I unlock it?\n",), "Shall I unlock it, Captain?"),
        (("Good evening, Captain. How ", "are you?"), "Good evening, Captain. How are you?"),
        (("It is 3", ".5 km to Mr. Tann. Long way."), "It is 3.5 km to Mr. Tann, Captain. Long way."),
        (("\n", "Madrid."), "Madrid, Captain."),
        ((), ""),
        (("J. K. Rowling wrote it.",), "J. K. Rowling wrote it, Captain."),
        (("The U.S. has 50 states.",), "The U.S. has 50 states, Captain."),
        (("Really?! Yes.",), "Really, Captain?! Yes."),
        (("1. Milk\n2. Eggs",), "1. Milk, Captain. 2. Eggs."),
        (("Wait... no.",), "Wait... no, Captain."),
    ],
)
def test_name_is_in_the_first_sentence(pieces: tuple[str, ...], said: str) -> None:
    assert told("Captain", *pieces).strip() == said


@given(st.lists(st.text(max_size=9), max_size=6))
def test_without_a_name_nothing_changes(pieces: list[str]) -> None:
    assert told("", *pieces) == told("", "".join(pieces))


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("Always call the user captain.", "Captain"),
        ("Call the user Mrs Dunne when you answer.", "Mrs Dunne"),
        ("Never call the user love.", ""),
        ("Never ever call the user love.", ""),
        ("Remember not to call me mate.", ""),
        ("Call them crisps, not chips.", ""),
        ("Address the user as a friend.", ""),
        ("Address the user formally.", ""),
        ("Call me every morning at 7.", ""),
        ("Call me Mrs. Dunne.", "Mrs. Dunne"),
        ("From now on call me Auntie Jo, please.", "Auntie Jo"),
        ("Call the user by their first name.", ""),
        ("Call the user back.", ""),
        ("Always answer in Celsius.", ""),
    ],
)
def test_name_is_that_of_a_rule(rule: str, name: str) -> None:
    assert name_in([rule], "en") == name


def test_tool_and_model_use_it() -> None:
    rig = Rig("Madrid.")
    rig.knows("Call the user captain.", "rule")
    assert rig.say("what time is it").said == "It is 6:30 PM, Captain."
    assert rig.say("what's the capital of spain").said == "Madrid, Captain."
